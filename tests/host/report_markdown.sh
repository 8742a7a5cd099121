#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_markdown.sh: tests --markdown and --base of `bareprof report`: totals, the worst files, and the change since an
# earlier report, which is JSON or LCOV of bareprof or llvm-cov.
. "$(dirname "$0")/../lib.sh"

release=$(newest_clang)
work=$(cd "$WORK" && pwd -P)

# make_tree FOLDER CALLS: makes FOLDER/elf and its profile. CALLS are C statements of main().
make_tree() {
	"clang-$release" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "-DCALLS=$2" "$1"/*.c -o "$1/elf" &&
		LLVM_PROFILE_FILE=$1/elf.profraw "$1/elf"
}
function() { printf 'int %s(int n)\n{\n\tif (n)\n\t\tn++;\n\telse\n\t\tn--;\n\treturn n;\n}\n' "$1"; }
main() { printf 'int a(int);int b(int);int c(int);int d(int);\nint main(void) { CALLS return 0; }\n'; }

mkdir -p "$work/old" "$work/new"
for name in a b c; do function $name >"$work/old/$name.c"; done
for name in a b d; do function $name >"$work/new/$name.c"; done
function 'odd' | sed 's/odd/odd_name/' >"$work/new/x|\`y.c"
main >"$work/old/main.c"
main >"$work/new/main.c"
make_tree "$work/old" 'a(1);b(0);b(1);c(1);' && make_tree "$work/new" 'a(1);a(0);d(1);' || exit 1
old="$work/old/elf $work/old/elf.profraw"
new="$work/new/elf $work/new/elf.profraw"

# shellcheck disable=SC2086 # two operands each
"$BAREPROF" report $new --markdown - >"$work/got"
cat >"$work/expected" <<'T'
| Coverage | Covered | Missed | Cover |
|---|--:|--:|--:|
| Lines | 13 of 29 | 16 | 44.83% |
| Functions | 3 of 5 | 2 | 60.00% |
| Regions | 8 of 17 | 9 | 47.06% |
| Branches | 3 of 8 | 5 | 37.50% |

**Files with most missing lines**

| File | Lines | Missed | Cover |
|---|--:|--:|--:|
| `b.c` | 7 | 7 | 0.00% |
| `x\|'y.c` | 7 | 7 | 0.00% |
| `d.c` | 7 | 2 | 71.43% |
T
cat "$work/got" >"$work/plain"
check "the summary" diff "$work/expected" "$work/got"
# shellcheck disable=SC2086 # two operands each
"$BAREPROF" report $new --markdown "$work/file" >"$work/table"
check "the summary in a file, beside the table" sh -c \
	"diff '$work/plain' '$work/file' && grep -q ^TOTAL '$work/table'"

cat >"$work/expected" <<'T'
| Coverage | Covered | Missed | Cover | Change |
|---|--:|--:|--:|--:|
| Lines | 13 of 29 | 16 | 44.83% | -36.99 |
| Functions | 3 of 5 | 2 | 60.00% | -40.00 |
| Regions | REGIONS
| Branches | 3 of 8 | 5 | 37.50% | -29.17 |

Since the base, 2 files are new and 1 is gone.

**Files with more missing lines than in the base**

| File | Lines | Missed | Change | Cover | Change |
|---|--:|--:|--:|--:|--:|
| `b.c` | 7 | 7 | +7 | 0.00% | -100.00 |
| `x\|'y.c` | 7 | 7 | new | 0.00% | new |
| `d.c` | 7 | 2 | new | 71.43% | new |

**Files with most missing lines**

| File | Lines | Missed | Change | Cover | Change |
|---|--:|--:|--:|--:|--:|
| `b.c` | 7 | 7 | +7 | 0.00% | -100.00 |
| `x\|'y.c` | 7 | 7 | new | 0.00% | new |
| `d.c` | 7 | 2 | new | 71.43% | new |
T
# The base is in another folder, so files are compared without the folders that all have in common.
# shellcheck disable=SC2086 # two operands each
{
	"$BAREPROF" report $old --json "$work/old.json" --lcov "$work/old.lcov" >"$work/table"
	"$BAREPROF" report $old --summary-only --json "$work/short.json" --lcov "$work/short.lcov" >"$work/table"
}
"llvm-profdata-$release" merge -o "$work/old/elf.profdata" "$work/old/elf.profraw"
"llvm-cov-$release" export "$work/old/elf" -instr-profile="$work/old/elf.profdata" >"$work/llvm.json"
"llvm-cov-$release" export -format=lcov "$work/old/elf" -instr-profile="$work/old/elf.profdata" >"$work/llvm.lcov"
python3 -m json.tool "$work/old.json" >"$work/long.json"
# Another program may write no totals of lines.
grep -v -e '^LF:' -e '^LH:' "$work/old.lcov" | sed 's/$/\r/' >"$work/lines.lcov"
for base in old.json short.json llvm.json long.json old.lcov short.lcov llvm.lcov lines.lcov; do
	# shellcheck disable=SC2086 # two operands
	"$BAREPROF" report $new --markdown - --base "$work/$base" >"$work/got" 2>"$work/err"
	sed -i 's/^| Regions .*/| Regions | REGIONS/' "$work/got"
	check "--base $base" diff "$work/expected" "$work/got"
done
# shellcheck disable=SC2086 # two operands each
{
	"$BAREPROF" report $new --markdown - --base "$work/old.json" | grep '^| Regions' >"$work/json"
	"$BAREPROF" report $new --markdown - --base "$work/old.lcov" | grep '^| Regions' >"$work/lcov"
	"$BAREPROF" report $new --json "$work/new.json" >"$work/table"
	"$BAREPROF" report $new --markdown - --base "$work/new.json" >"$work/got"
}
check "LCOV has no regions to compare with, JSON has" sh -c "grep -q '| -[0-9.]* |\$' '$work/json' && grep -q '| - |\$' '$work/lcov'"
check "the same report as the base: nothing changed" sh -c \
	"test \$(grep -c '| 0.00 |\$' '$work/got') -ge 7 && ! grep -q -e '+[0-9]' -e '-[0-9]' -e 'new' -e 'Since' -e 'more missing' '$work/got'"
# shellcheck disable=SC2086 # two operands
"$BAREPROF" report $new --markdown - --base "$work/new.json" --ignore-filename '/[bx][^/]*$' >"$work/got"
check "the filters apply to the base, too" sh -c "grep -q '^| Lines .*| 0.00 |\$' '$work/got' && ! grep -q '\`b.c\`' '$work/got'"
# shellcheck disable=SC2086 # two operands
"$BAREPROF" report $new --markdown - --base - <"$work/old.json" >"$work/got"
check "--base -: standard input" grep -q 'Since the base' "$work/got"

# LCOV has lines of macros, but the totals do not count them. A header with macros alone has the total 0.
echo '#define LIMIT(a) ((a) > 3 ? 3 : (a))' >"$work/limit.h"
printf '#include "limit.h"\nint main(int a, char **b) {\n\treturn LIMIT(a) + !b == 9;\n}\nint never(void) { return 1; }\n' >"$work/limit.c"
"clang-$release" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$work/limit" "$work/limit.c"
LLVM_PROFILE_FILE=$work/limit.profraw "$work/limit"
"$BAREPROF" report "$work/limit" "$work/limit.profraw" --lcov "$work/limit.lcov" >"$work/table"
check "a header with macros alone has no lines" sh -c \
	"sed -n '/limit.h/,/end_of/p' '$work/limit.lcov' | grep -q '^LF:0' && grep -q '^DA:1,' '$work/limit.lcov'"
"$BAREPROF" report "$work/limit" "$work/limit.profraw" --markdown - --base "$work/limit.lcov" >"$work/got"
check "LCOV of the same report with such a header: no change" grep -q '^| Lines .*| 0.00 |$' "$work/got"

# Bases that are damaged.
# refuses_base WHAT PATTERN: reads $work/bad.
# shellcheck disable=SC2086 # two operands
refuses_base() { refuses "$1" "$2" "$BAREPROF" report $new --markdown - --base "$work/bad"; }
echo 'TOTAL 1 2' >"$work/bad"
refuses_base "a base that is text" 'bad: is not a report to compare with: it is neither JSON nor LCOV .*; --base takes a file that --json'
: >"$work/bad"
refuses_base "an empty base" 'it is neither JSON nor LCOV'
echo '{"data":[{"files":[]}],"type":"llvm.coverage.json.export"}' >"$work/bad"
refuses_base "a base without files" 'bad: has no files, so there is nothing to compare with'
echo '{"data":[{"files":[{"filename":"a.c","summary":{"lines":{"count":1,"covered":2}}}]}]}' >"$work/bad"
refuses_base "a base with more covered lines than lines" 'a file has more covered lines than lines'
yes '[' | head -c 2000000 | tr -d '\n' | sed 's/^/{"data":/' >"$work/bad"
refuses_base "a base with a million brackets" 'is not a report to compare with'
size=$(wc -c <"$work/short.json")
said=0
cuts=0
for cut in 1 2 9 20 40 60 100 150 200 300 400 $((size - 70)) $((size - 60)) $((size - 20)) $((size - 2)); do
	head -c "$cut" "$work/short.json" >"$work/bad"
	cuts=$((cuts + 1))
	# shellcheck disable=SC2086 # two operands
	"$BAREPROF" report $new --markdown - --base "$work/bad" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] && said=$((said + 1))
done
check "a base that was cut short: a sentence, and no summary" test $said -eq $cuts
# shellcheck disable=SC2086 # two operands
{
	refuses "--base without --markdown" '--base needs --markdown FILE' "$BAREPROF" report $new --base "$work/old.json"
	refuses "a base that does not exist" 'nothing.json: cannot be opened' "$BAREPROF" report $new --markdown - --base "$work/nothing.json"
	refuses "--markdown to a full disk" 'full: .*No space' "$BAREPROF" report $new --markdown /dev/full
}
