#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_counts.sh: tests every output of `report` for torn profiles, for counters that no code set to zero, and for
# one program with several profiles. It uses the oldest and the newest clang. With BAREPROF_WIDE=1, it uses every clang.
# To make a torn profile, the test lowers the count of a function's calls in a real profile. A dump would give such a
# count if it copied the count before some of the calls. tests/runtime/snapshot/test.sh tears profiles in QEMU.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp"
TMPDIR=$WORK/tmp
export TMPDIR

# The functions that FUNCTION defines, and torn(), are for torn profiles. In these functions, sink-- never runs and has
# no counter. llvm-cov subtracts the count of sink++ from the count of calls to get the count of sink--. alone() is for
# the test of a counter that no code set to zero.
cat >"$WORK/program.c" <<'C'
static volatile int zero;
static volatile int sink;

#define FUNCTION(name) \
	__attribute__((noinline)) void name(void) { if (!zero) sink++; else sink--; }
FUNCTION(one) FUNCTION(two) FUNCTION(three) FUNCTION(four)
__attribute__((noinline)) void alone(void)
{
	if (zero)
		sink--;
	else
		sink++;
	while (zero)
		sink--;
}
__attribute__((noinline)) void torn(void)
{
	if (!zero)
		sink++;
	else
		sink--;
}
/* clang counts the inner condition, which is constant, even if the outer condition is true: see covmap_counts.c. */
__attribute__((noinline)) int *constant(int yes)
{
	static int first, second;
	int *chosen = yes
		? (1 ? &first : 0)
		: (1 ? &second : 0);
	return chosen;
}
int main(void)
{
	constant(1);
	for (int i = 0; i < 100; i++) {
		one(), two(), three(), four(), alone(), torn();
	}
	return 0;
}
C
line_of_never=21

# lower NAME FUNCTION...: makes NAME.proftext. In it, the first counter of each FUNCTION is 95 instead of 100.
lower() {
	name=$1
	shift
	awk -v names=" $* " 'index(names, " " $0 " ") { at = NR } at && NR == at + 6 { $0 = 95; at = 0 } { print }' \
		"$WORK/whole.proftext" >"$WORK/$name.proftext"
}
report() {
	"$BAREPROF" report "$@" --lcov "$WORK/lcov" --json "$WORK/json" --cobertura "$WORK/xml" --html "$WORK/html" \
		>"$WORK/out" 2>"$WORK/err"
	status=$?
}
says() { check "$1" grep -Eq -- "$2" "$WORK/err"; }
says_not() { check "$1" sh -c '! grep -Eq -- "$1" "$2"' - "$2" "$WORK/err"; }
hits() { sed -n "s/^DA:$1,//p" "$WORK/lcov"; }
# all_possible: succeeds if no output contains an impossible count. In HTML, llvm-cov prints such a count in a short
# form, for example 18.4E.
all_possible() {
	! grep -E '[0-9]{19}' "$WORK/lcov" "$WORK/json" "$WORK/xml" &&
		! grep -rE '1[0-9]\.[0-9]E|[0-9]{19}' "$WORK/html" --include='*.html'
}
totals() { sed -n 's/.*"totals"://p' "$WORK/json" | sed 's/"covered":[0-9]*\|"notcovered":[0-9]*\|"percent":[0-9.]*//g'; }

newest=
majors=
for major in 13 14 15 16 17 18 19 20 21 22 23; do
	command -v "clang-$major" >/dev/null && majors="$majors $major"
done
# Without BAREPROF_WIDE, only the oldest and the newest of these releases are tested. In this test, the coverage mapping
# and llvm-cov of every other release behave like those of the oldest or like those of the newest release.
[ -n "$BAREPROF_WIDE" ] || majors=$(echo "$majors" | awk '{ print $1, $NF }')
for major in $majors; do
	elf=$WORK/program-$major
	"clang-$major" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$elf" "$WORK/program.c" \
		2>"$WORK/clang.log" || continue
	newest=$major
	LLVM_PROFILE_FILE=$WORK/whole.profraw "$elf"
	"llvm-profdata-$major" merge -text -o "$WORK/whole.proftext" "$WORK/whole.profraw"
	lower torn torn
	report "$elf" "$WORK/whole.profraw"
	check "clang-$major: a whole profile passes" test $status -eq 0
	says_not "clang-$major: without a word" impossible
	check "clang-$major: no output has a count below 0 for code after a constant condition" all_possible
	totals >"$WORK/totals"
	report "$elf" "$WORK/torn.proftext"
	check "clang-$major: a torn profile fails with 7" test $status -eq 7
	says "clang-$major: the function is named, and the cause" \
		'torn.proftext: has impossible counts in 1 function: torn; .*torn: the counters were copied while code counted'
	says "clang-$major: so are the remedies" 'bareprof_snapshot_masked\(\).*other CPUs.*-fprofile-update=atomic'
	says "clang-$major: and what cannot be found" 'cannot find other torn counts'
	check "clang-$major: no output has an impossible count" all_possible
	check "clang-$major: LCOV: what never ran has not" test "$(hits $line_of_never)" = 0
	check "clang-$major: Cobertura: neither" grep -q "<line number=\"$line_of_never\" hits=\"0\"" "$WORK/xml"
	check "clang-$major: the totals have all lines and branches" sh -c "[ -s '$WORK/totals' ]"
	totals >"$WORK/totals.torn"
	check "clang-$major: as many as those of the whole profile" cmp "$WORK/totals" "$WORK/totals.torn"
	says_not "clang-$major: no other warnings" 'out of date'
	report "$elf" "$WORK/torn.proftext" --allow-torn
	check "clang-$major: --allow-torn: status 0" test $status -eq 0
	says "clang-$major: --allow-torn: the warning remains" 'has impossible counts in 1 function: torn'
done
[ -n "$newest" ] || { skip "report_counts: no clang-N installed" && exit 0; }

elf=$WORK/program-$newest
lower all one two three four torn
report "$elf" "$WORK/all.proftext"
says "many functions: the first three and how many more" 'in 5 functions: [a-z]+, [a-z]+, [a-z]+ and 2 more; '
check "many functions: no output has an impossible count" all_possible
check "--fail-under comes first" sh -c "'$BAREPROF' report '$elf' '$WORK/torn.proftext' --fail-under 100 >/dev/null 2>&1
	[ \$? -eq 6 ]"
check "--fail-under does not excuse it" sh -c "'$BAREPROF' report '$elf' '$WORK/torn.proftext' --fail-under 1 >/dev/null 2>&1
	[ \$? -eq 7 ]"
awk '$0 == "alone" { at = NR } at && NR == at + 7 { $0 = "18446744073709551615"; at = 0 } { print }' "$WORK/whole.proftext" \
	>"$WORK/huge.proftext"
report "$elf" "$WORK/huge.proftext"
check "a counter that was not set to zero: status 7" test $status -eq 7
says "a counter that was not set to zero: another cause" \
	'huge.proftext: has impossible counts in 1 function: alone; .*some counters are 2\^63 or more: .*not set to their start value'
check "a counter that was not set to zero: no output has it" all_possible

# Tests reports of several programs and profiles.
sed 's/sink++;/sink += 1;/' "$WORK/program.c" >"$WORK/other.c"
"clang-$newest" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/other" "$WORK/other.c"
LLVM_PROFILE_FILE=$WORK/other.profraw "$WORK/other"
report "$elf" "$WORK/torn.proftext" "$WORK/other" "$WORK/other.profraw"
check "two programs: status 7" test $status -eq 7
says "two programs: the torn profile is named" 'torn.proftext: has impossible counts in 1 function: torn;'
says_not "two programs: the other is not" 'other.profraw: has'
check "two programs: no output has an impossible count" all_possible
report "$elf" "$WORK/whole.profraw" "$WORK/whole.proftext" "$WORK/other" "$WORK/other.profraw" "$WORK/other.profraw"
check "several profiles of each program: status 0" test $status -eq 0
check "several profiles: counts are added" test "$(hits $((line_of_never - 3)) | sort -u)" = 200
report "$elf" "$WORK/whole.profraw" "$WORK/torn.proftext"
says "several profiles: the torn one is named" 'torn.proftext: has impossible counts in 1 function: torn;'
check "several profiles: it is still torn" test $status -eq 7 -a "$(hits $line_of_never)" = 0
refuses "a program without a profile" "$elf: has no profile after it; usage" \
	"$BAREPROF" report "$WORK/other" "$WORK/other.profraw" "$elf"
refuses "two programs in a row" "$WORK/other: has no profile after it" \
	"$BAREPROF" report "$WORK/other" "$elf" "$WORK/whole.profraw"
refuses "the program after its profile" "$elf is: the program comes first" "$BAREPROF" report "$WORK/whole.profraw" "$elf"
# The numbers of functions in the records, in the profile and in the table can differ. a.c and b.c include one header
# with two functions, and each file uses one of them. So both objects have the same two functions, and the table must
# count each function once. c.c has no coverage mapping.
cat >"$WORK/inline.h" <<'C'
static inline int used(int a) { return a + 1; }
static inline int unused(int a) { return a - 1; }
C
printf '#include "inline.h"\nint a(void) { return used(1); }\n' >"$WORK/a.c"
printf '#include "inline.h"\nint a(void);\nint c(void);\nint main(void) { return used(a()) + c() < 0; }\n' >"$WORK/b.c"
echo 'int c(void) { return 0; }' >"$WORK/c.c"
for one in a b c; do
	mapping=-fcoverage-mapping
	[ $one != c ] || mapping=
	# shellcheck disable=SC2086
	"clang-$newest" -fprofile-instr-generate $mapping -c "$WORK/$one.c" -o "$WORK/$one.o"
done
"clang-$newest" -fprofile-instr-generate -Wl,--build-id -o "$WORK/numbers" "$WORK/a.o" "$WORK/b.o" "$WORK/c.o"
LLVM_PROFILE_FILE=$WORK/numbers.profraw "$WORK/numbers"
report "$WORK/numbers" "$WORK/numbers.profraw"
check "three numbers: the table has 4 functions" grep -Eq '^TOTAL +[0-9]+ +[0-9]+ +[0-9.]+% +4 ' "$WORK/out"
says "three numbers: all are given" 'numbers: the table has 4 functions, and the profile has 5: '
says "three numbers: no mapping" ': 1 function is not in the table \(compiled without -fcoverage-mapping\); '
says "three numbers: not used" '; 2 functions are only in the table \(no code uses such a function, so it has no record\)$'
says "three numbers: one header, two objects" '; 2 functions are not in the table \(another function has the same location, in a macro or a header\); '
"clang-$newest" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/equal" -x c - <<'C'
int main(void) { return 0; }
C
LLVM_PROFILE_FILE=$WORK/equal.profraw "$WORK/equal"
report "$WORK/equal" "$WORK/equal.profraw"
says_not "three equal numbers are not explained" 'the table has'
# rustc writes no branch regions. Torn counts must be noticed without them, too.
cat >"$WORK/torn.rs" <<'RS'
#[inline(never)]
fn torn(n: i32) -> i32 { if n > 3 { 1 } else { 2 } }
fn main() { std::process::exit((0..10).map(torn).sum::<i32>() - 14); }
RS
"${RUSTC:-/usr/bin/rustc}" -C instrument-coverage -O -o "$WORK/torn-rs" "$WORK/torn.rs"
LLVM_PROFILE_FILE=$WORK/rust.profraw "$WORK/torn-rs"
"$BAREPROF" merge --text -o "$WORK/rust.proftext" "$WORK/rust.profraw"
awk '/torn$/ { at = NR } at && NR == at + 6 { $0 = 5 } { print }' "$WORK/rust.proftext" >"$WORK/torn-rs.proftext"
report "$WORK/torn-rs" "$WORK/torn-rs.proftext"
check "Rust: a torn profile fails with 7" test $status -eq 7
says "Rust: the function is named" 'has impossible counts in 1 function: .*torn;'
# The mapping has only the definition that the linker chose.
echo '__attribute__((weak)) int w(int a) { return a; } int two(int); int main(void) { return two(w(0)); }' >"$WORK/w1.c"
echo '__attribute__((weak)) int w(int a) { if (a) return 2; return 0; } int two(int a) { return w(a) - w(0); }' >"$WORK/w2.c"
"clang-$newest" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/weak" "$WORK/w1.c" "$WORK/w2.c"
LLVM_PROFILE_FILE=$WORK/weak.profraw "$WORK/weak"
report "$WORK/weak" "$WORK/weak.profraw"
check "two definitions of a weak function: status 0" test $status -eq 0
says "two definitions of a weak function: the second is counted" ': 1 function is not in the table \(the table has another definition of the same function\)$'
# Some functions of the profile have another structural hash than those of the program. changed is such a function.
cat >"$WORK/change.py" <<'PY'
import sys
hash_of, old, new = int(sys.argv[1]).to_bytes(8, "little"), sys.argv[2], sys.argv[3]
data = open(old, "rb").read()
assert data.count(hash_of) == 1
open(new, "wb").write(data.replace(hash_of, (int(sys.argv[1]) ^ 4096).to_bytes(8, "little")))
PY
hash=$(awk '$0 == "alone" { at = NR } at && NR == at + 2 { print }' "$WORK/whole.proftext")
python3 "$WORK/change.py" "$hash" "$WORK/whole.profraw" "$WORK/changed.profraw"
report "$elf" "$WORK/changed.profraw"
check "a changed hash: status 7, although the build ids are equal" test $status -eq 7
says "a changed hash: the cause" "program: 1; $elf has no record of it, so the profile is damaged, or has counts of another build: run"
says "a changed hash: no other number is explained" \
	'the table has 4 functions, and the profile has 8: 1 function is not in the table \(the program has another version\); 3 functions are not in the table \(another function has the same location, in a macro or a header\)$'
sed "s/^$hash\$/77/" "$WORK/whole.proftext" >"$WORK/changed.proftext"
report "$elf" "$WORK/changed.proftext"
says "a changed hash without a build id: no other number is explained" \
	'the table has 4 functions, and the profile has 8: 1 function is not in the table \(the program has another version\); 3 functions are not in the table \(another function has the same location, in a macro or a header\)$'
# The linker keeps the record of one definition and the mapping of another one.
sed 's/__attribute__((weak))/inline/' "$WORK/w1.c" >"$WORK/w1.cc"
sed 's/__attribute__((weak))/inline/' "$WORK/w2.c" >"$WORK/w2.cc"
"clang++-$newest" -fprofile-instr-generate -c "$WORK/w1.cc" -o "$WORK/w1.o"
"clang++-$newest" -fprofile-instr-generate -fcoverage-mapping -c "$WORK/w2.cc" -o "$WORK/w2.o"
"clang++-$newest" -fprofile-instr-generate -Wl,--build-id -o "$WORK/inline" "$WORK/w1.o" "$WORK/w2.o"
LLVM_PROFILE_FILE=$WORK/inline.profraw "$WORK/inline"
report "$WORK/inline" "$WORK/inline.profraw"
check "an inline function with two definitions: status 0" test $status -eq 0
says "an inline function with two definitions: it is named" 'lacks: _Z1wi; functions whose control flow differs .*: 1$'
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
