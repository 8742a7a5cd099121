#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# covered.sh: compares the names that `bareprof show --covered` prints with those of `llvm-profdata show --covered`,
# which exists from release 14 on.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cp "$ROOT/tests/host/samples/show_program.c" .

# alike N WHAT OPTION...: compiles and runs a program. Both tools must print the same names for its raw profile, its
# indexed profile and its text, and show must print the names in the order of their bytes.
alike() {
	n=$1
	what="clang $1, $2"
	shift 2
	"clang-$n" -O1 "$@" show_program.c -o program && LLVM_PROFILE_FILE=x.profraw ./program &&
		"llvm-profdata-$n" merge x.profraw -o x.profdata && "llvm-profdata-$n" merge --text x.profdata -o x.proftext
	for form in profraw profdata proftext; do
		"$BAREPROF" show --covered x.$form >ours
		"llvm-profdata-$n" show --covered x.$form >theirs
		check "$what, $form: $(wc -l <ours) names" sh -c "[ \$(wc -l <ours) -ge 4 ] && ! grep never ours && LC_ALL=C sort theirs | diff - ours"
	done
}
for n in $([ -n "${BAREPROF_WIDE-}" ] && echo 15) 14 16 19 22; do
	alike "$n" front-end -fprofile-instr-generate
	alike "$n" IR -fprofile-generate
done
for n in 19 22; do
	alike "$n" "blocks" -fprofile-generate -mllvm -pgo-block-coverage
	alike "$n" "function entries" -fprofile-generate -mllvm -pgo-function-entry-coverage
	alike "$n" "C++" -x c++ -fno-exceptions -fno-rtti -fprofile-instr-generate
done
clang-13 -fprofile-instr-generate show_program.c -o program && LLVM_PROFILE_FILE=x.profraw ./program
check "clang 13" sh -c "'$BAREPROF' show --covered x.profraw | grep -qx main"

names() { "$BAREPROF" show "$@" | tr '\n' ' '; }
printf 'f\n1\n2\n0\n3\n\nf\n2\n1\n4\n\ng\n1\n1\n0\n\nh\n1\n1\n9\n' >few.proftext
check "each name once" test "$(names --covered few.proftext)" = "f h "
check "llvm-profdata prints it twice" test "$(llvm-profdata-22 show --covered few.proftext | grep -c f)" -eq 2
check "with --function" test "$(names --covered --function '[gh]' few.proftext)" = "h "
check "with --function of a function that never ran" sh -c "'$BAREPROF' show --covered --function g few.proftext >out && [ ! -s out ]"
check "with --sort" test "$(names --covered --sort count few.proftext)" = "h f "
check "with --top" test "$(names --covered --top 1 few.proftext)" = "h "
"$BAREPROF" show --covered --json few.proftext >json
check "as JSON" test "$(grep -c '"name"' json)" -eq 3
refuses "with --counts" "--covered prints only names; leave out" "$BAREPROF" show --covered --counts few.proftext
check "with --counts, as JSON" sh -c "'$BAREPROF' show --covered --counts --json few.proftext | grep -q '\"counts\": \[0, 3\]'"
refuses "--function that matches nothing" "none of their names matches 'nosuch'" "$BAREPROF" show --covered --function nosuch few.proftext
printf 'f\n1\n1\n0\n' >none.proftext
check "nothing ran" sh -c "'$BAREPROF' show --covered none.proftext >out && [ ! -s out ]"
head -c 200 x.profraw >cut
refuses "a damaged profile" "^bareprof: cut: " "$BAREPROF" show --covered cut
