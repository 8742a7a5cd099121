#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_filter.sh: tests the options of merge that choose functions by name and that give single inputs a weight. The
# results are compared with those of llvm-profdata.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
cp "$ROOT/tests/host/samples/show_program.c" .

for n in 13 16 19 22; do
	for kind in instr-generate generate; do
		"clang-$n" -O1 "-fprofile-$kind" show_program.c -o program &&
			LLVM_PROFILE_FILE=a.$n.$kind.profraw ./program &&
			LLVM_PROFILE_FILE=b.$n.$kind.profraw ./program 1 2 3 4 5 6 7 8 9 10
		check "clang $n, $kind: two profiles" test -s "b.$n.$kind.profraw"
	done
done

# like N KIND WHAT OURS -- THEIRS: `bareprof merge OURS` and `llvm-profdata-N merge THEIRS` must give the same text.
# llvm-profdata reads both results, because it prints functions in another order than bareprof.
like() {
	n=$1
	what="clang $1, $2: $3"
	shift 3
	ours=
	while [ "$1" != -- ]; do
		ours="$ours $1"
		shift
	done
	shift
	rm -f ours theirs
	# shellcheck disable=SC2086 # $ours holds several arguments
	"$BAREPROF" merge $ours -o ours 2>said && "llvm-profdata-$n" merge "$@" -o theirs >llvm.log 2>&1 &&
		"llvm-profdata-$n" show --all-functions --counts --ic-targets --memop-sizes ours >ours.text &&
		"llvm-profdata-$n" show --all-functions --counts --ic-targets --memop-sizes theirs >theirs.text
	check "$what" sh -c "[ -s ours.text ] && sort ours.text >a && sort theirs.text | diff a -"
}
for n in 13 16 19 22; do
	for kind in instr-generate generate; do
		a=a.$n.$kind.profraw
		b=b.$n.$kind.profraw
		like "$n" "$kind" "one weight" "$a" --weighted-input "3,$b" -- "$a" "--weighted-input=3,$b"
		like "$n" "$kind" "two weights" "--weighted-input=7,$a" "--weighted-input=3,$b" -- "--weighted-input=7,$a" "--weighted-input=3,$b"
		like "$n" "$kind" "--weight of the others" --weight 5 "$a" --weighted-input "2,$b" -- "--weighted-input=5,$a" "--weighted-input=2,$b"
	done
done

# llvm-profdata 16 and earlier have no filters.
for n in 19 22; do
	for kind in instr-generate generate; do
		a=a.$n.$kind.profraw
		b=b.$n.$kind.profraw
		like "$n" "$kind" "--function" --function copy "$a" "$b" -- "--function=copy" "$a" "$b"
		check "clang $n, $kind: one function" grep -q '^bareprof: note: 1 of [567] functions were kept$' said
		like "$n" "$kind" "--function with two words" --function "^(main|copy)$" "$a" -- "--function=^(main|copy)$" "$a"
		like "$n" "$kind" "--function of a static function" --function "c[:;]twice$" "$a" -- "--function=c[:;]twice$" "$a"
		like "$n" "$kind" "--no-function" --no-function "never|main" "$a" -- "--no-function=never|main" "$a"
		like "$n" "$kind" "both" --function "a" --no-function "^main" "$a" -- "--function=a" "--no-function=^main" "$a"
		like "$n" "$kind" "two of each" --function "^main" --function cop --function twi --no-function ma.n --no-function wice "$a" -- \
			"--function=copy" "$a"
	done
done

names() { "$BAREPROF" show --json --all "$1" | python3 -c 'import json, sys
print(*sorted(f["name"].split(":")[-1] for f in json.load(sys.stdin)["functions"]))'; }
for form in "" --text; do
	# shellcheck disable=SC2086 # $form may be empty
	"$BAREPROF" merge $form --no-function "never|main" -o part a.16.instr-generate.profraw 2>said
	check "names of the others $form" test "$(names part)" = "calls copy decide twice"
done

# Traces keep the functions that are kept. A profile whose traces are then empty is not temporal.
clang-22 -O1 -fprofile-generate -mllvm -pgo-temporal-instrumentation show_program.c -o program
LLVM_PROFILE_FILE=temporal.profraw ./program
trace() { "$BAREPROF" show --traces "$1" | sed -n '/^trace of/,$s/^  //p' | sed 's/.*;//' | tr '\n' ' '; }
"$BAREPROF" merge --no-function main -o part temporal.profraw 2>said
check "the trace of a part" test "$(trace part)" = "$(trace temporal.profraw | sed 's/main //')"
check "it is not empty" test "$(trace part | wc -w)" -ge 3
check "llvm-profdata reads the trace" sh -c "llvm-profdata-22 show --temporal-profile-traces part | grep -q 'Temporal Profile Traces (samples=1 '"
"$BAREPROF" merge --function never -o part temporal.profraw 2>said
check "a part without a trace" sh -c "'$BAREPROF' show part | grep -q '^functions:   1, of which 0 ran' && ! '$BAREPROF' show part | grep temporal"
check "llvm-profdata reads it" llvm-profdata-22 show part

a=a.22.generate.profraw
b=b.22.generate.profraw
rm -f out
for option in function no-function; do
	refuses "--$option that matches nothing" "^bareprof: none of the 5 functions has a name that matches --$option 'nosuch'; .*show --all" \
		"$BAREPROF" merge --$option nosuch -o out $a
	refuses "--$option, the second matches nothing" "matches --$option 'nosuch'" \
		"$BAREPROF" merge --$option copy --$option nosuch -o out $a
	refuses "--$option that is wrong" "^bareprof: --$option: invalid regular expression '\(': " "$BAREPROF" merge --$option '(' -o out $a
done
refuses "nothing is left" "none of the 5 functions is left; use a narrower --no-function" \
	"$BAREPROF" merge --function copy --no-function op -o out $a
check "no file" test ! -e out
"$BAREPROF" merge --shard 1/3 --function copy -o shard1 $a 2>/dev/null && "$BAREPROF" merge --shard 2/3 --function copy -o shard2 $a 2>/dev/null &&
	"$BAREPROF" merge --shard 3/3 --function copy -o shard3 $a 2>/dev/null
check "shards need no match" sh -c "'$BAREPROF' merge -o all shard1 shard2 shard3 && '$BAREPROF' show --covered all | grep -qx copy"
mkdir -p folder && cp $a $b folder
"$BAREPROF" merge -o one.profdata --weighted-input 4,folder && "$BAREPROF" merge -o two.profdata --weight 4 $a $b
check "the weight of a folder" cmp one.profdata two.profdata
"$BAREPROF" merge -o one.profdata --weighted-input 4,- <$a && "$BAREPROF" merge -o two.profdata --weight 4 $a
check "the weight of standard input" cmp one.profdata two.profdata
cp $a 5,x
"$BAREPROF" merge -o one.profdata --weighted-input 4,5,x
check "a comma in the name" cmp one.profdata two.profdata
for wrong in $a 0,$a 3, ,$a x,$a -1,$a 4294967296,$a "2 ,$a"; do
	refuses "--weighted-input '$wrong'" "^bareprof: --weighted-input takes N,FILE with a number N of 1 or more, not '$wrong'" \
		"$BAREPROF" merge -o out --weighted-input "$wrong"
done
refuses "no such file" "^bareprof: nothing: .*No such file" "$BAREPROF" merge -o out --weighted-input 2,nothing
refuses "the output is an input" "would overwrite the input" "$BAREPROF" merge -o $b --weighted-input 2,$b $a
head -c 300 $b >cut
refuses "a damaged input" "^bareprof: cut: " "$BAREPROF" merge -o out $a --weighted-input 2,cut
