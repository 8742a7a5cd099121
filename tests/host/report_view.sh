#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_view.sh: tests the views of `bareprof report`: --show, --uncovered, --functions, --folders and --summary-only, with
# programs of several releases of clang, and of rustc. The expected counts follow from the calls in main().
. "$(dirname "$0")/../lib.sh"

work=$(cd "$WORK" && pwd -P)
mkdir -p "$work/src/lib"
cat >"$work/src/pick.h" <<'C'
template <typename T> T pick(T a, T b)
{
	if (a > b)
		return a;
	return b;
}
#define CLAMP(x) ((x) > 10 ? 10 : (x))
C
cat >"$work/src/main.cc" <<'C'
#include "pick.h"
namespace shapes {
struct box {
	int w, h;
	int area() const { return w * h; }
	int never() const { return 0; }
};
}

static int init(int n)
{
	return n + 1;
}

int decide(int a, int b, int c)
{
	if ((a && b) || c)
		return 1;
	return CLAMP(a) + (b ? 2 : 3);
}

int unused(int x)
{
	for (int i = 0; i < x; i++)
		if (i == 5)
			return i;
	return 0;
}

int kind(int n)
{
	switch (n) {
	case 1:
		return 10;
	case 2:
		return 20;
	default:
		return 0;
	}
}

int main(int argc, char **)
{
	shapes::box b{2, 3};
	auto twice = [](int x) { return x > 100 ? 0 : 2 * x; };

	if (argc > 5) {
		b.w = 0;
		b.h = 0;
	}
	decide(1, 0, 0);
	decide(1, 1, 0);
	decide(0, 0, 0);
	return pick(1, 2) + (int)pick(2.0, 1.0) + b.area() + twice(3) + init(1) + kind(1) > 1000;
}
C
cat >"$work/src/lib/other.c" <<'C'
static int init(int n)
{
	return n * 2;
}
int other(int n)
{
	return n > 3 ? init(n) : 0;
}
C

# build RELEASE: makes $work/program-RELEASE and its profile.
build() {
	mcdc=
	[ "$1" -lt 19 ] || mcdc=-fcoverage-mcdc
	elf=$work/program-$1
	"clang-$1" -c -fprofile-instr-generate -fcoverage-mapping $mcdc "$work/src/lib/other.c" -o "$work/other.o" &&
		"clang++-$1" -std=c++17 -fprofile-instr-generate -fcoverage-mapping $mcdc -Wl,--build-id "$work/src/main.cc" \
			"$work/other.o" -o "$elf" && LLVM_PROFILE_FILE=$elf.profraw "$elf"
}

# report OPTIONS...: the output without the folder of the test.
report() { "$BAREPROF" report "$elf" "$elf.profraw" "$@" 2>"$work/err" | sed "s,$work/,,g"; }

# shows WHAT OPTIONS...: the output is the text from standard input.
shows() {
	what="clang-$release: $1"
	shift
	cat >"$work/expected"
	report "$@" >"$work/got"
	check "$what" diff "$work/expected" "$work/got"
}

for release in $(some_clang_releases); do
	build "$release" || { not_ok "clang-$release: does not make the program" && continue; }
	# The rows of MC/DC, which only some releases have, are tested below.
	report --show decide | grep -v -e MC/DC -e 'condition [0-9]' -e vector >"$work/got"
	cat >"$work/expected" <<'T'
src/main.cc: decide(int, int, int): ran 3 times, 5 of 5 lines, 7 of 10 branches
   16|     3 |{
   17|     3 |	if ((a && b) || c)
     |       |  branch 17:7 (a): true 2, false 1
     |       |  branch 17:12 (b): true 1, false 1
     |       |  branch 17:18 (c): true 0, false 2: never true
   18|     1 |		return 1;
   19|     2 |	return CLAMP(a) + (b ? 2 : 3);
     |       |	                       ^
     |       |  branch in CLAMP at 19:9, where it is at pick.h:7:19: true 0, false 2: never true
     |       |  branch 19:21 (b): true 0, false 2: never true
   20|     3 |}
T
	sed -i 's/, 2 of 3 conditions with a pair$//' "$work/got"
	check "clang-$release: --show: counts, branches, and a piece that did not run" diff "$work/expected" "$work/got"
	shows "a function that never ran" --show unused <<'T'
src/main.cc: unused(int): ran 0 times, 0 of 6 lines, 0 of 4 branches
   23|     0!|{
   24|     0!|	for (int i = 0; i < x; i++)
   25|     0!|		if (i == 5)
   26|     0!|			return i;
   27|     0!|	return 0;
   28|     0!|}
T
	shows "a template: its instantiations together" --show pick <<'T'
src/pick.h: pick: 2 instantiations
    2|     2 |{
     |       |  2 instantiations, which are shown together:
     |       |    ran 1 time, 4 of 5 lines: int pick<int>(int, int)
     |       |    ran 1 time, 4 of 5 lines: double pick<double>(double, double)
    3|     2 |	if (a > b)
     |       |  branch 3:6 (a > b): true 1, false 1
    4|     1 |		return a;
    5|     1 |	return b;
    6|     2 |}
T
	shows "one instantiation alone" --show 'double pick<double>(double, double)' <<'T'
src/pick.h: double pick<double>(double, double): ran 1 time, 4 of 5 lines, 1 of 2 branches
    2|     1 |{
    3|     1 |	if (a > b)
     |       |  branch 3:6 (a > b): true 1, false 0: never false
    4|     1 |		return a;
    5|     0!|	return b;
    6|     1 |}
T
	cp "$work/expected" "$work/double"
	shows "the same by its mangled name" --show _Z4pickIdET_S0_S0_ <"$work/double"
	shows "two names: a method, and a function of a file" --show box::never --show other.c:init <<'T'
src/main.cc: shapes::box::never() const: ran 0 times, 0 of 1 lines
    6|     0!|	int never() const { return 0; }

src/lib/other.c: init: ran 0 times, 0 of 3 lines
    2|     0!|{
    3|     0!|	return n * 2;
    4|     0!|}
T
	shows "--uncovered" --uncovered <<'T'
src/main.cc:6: shapes::box::never() const never ran
src/main.cc:17: condition 'c' was never true, in decide(int, int, int)
src/main.cc:19: a condition in CLAMP (pick.h:7:19) was never true, in decide(int, int, int)
src/main.cc:19: condition 'b' was never true, in decide(int, int, int)
src/main.cc:23: unused(int) (lines 23 to 28) never ran
src/main.cc:33: no case was taken but 'case 1', in kind(int)
src/main.cc:35: lines 35 to 38 did not run, in kind(int)
src/main.cc:45: condition 'x > 100' was never true, in main::$_0::operator()(int) const
src/main.cc:47: condition 'argc > 5' was never true, in main
src/main.cc:48: lines 48 to 50 did not run, in main
src/lib/other.c:2: init (lines 2 to 4) never ran
src/lib/other.c:6: other (lines 6 to 8) never ran
T
	report --functions >"$work/got"
	check "clang-$release: --functions: sorted by missing lines, with demangled names and locations" sh -c \
		"sed -n '2p;\$p' '$work/got' | tr -s ' ' | cut -d' ' -f1-5,17- >'$work/ends'; grep -q '  main.cc:23  unused(int)$' '$work/got' &&
		awk 'NR > 1 && !/TOTAL/ { if (last != \"\" && \$3 > last) exit 1; last = \$3 }' '$work/got' &&
		grep -q '  lib/other.c:2  init$' '$work/got' && grep -q '  main.cc:11  init(int)$' '$work/got' &&
		tail -n 1 '$work/got' | grep -q '12 functions, of which 4 never ran$'"
	# The totals of all views and of the table are the same.
	"$BAREPROF" report "$elf" "$elf.profraw" 2>/dev/null | awk '/^TOTAL/ { print $8, $9 }' >"$work/table"
	report --folders 0 | awk '/TOTAL of src/ { print $1, $2 }' >"$work/folders"
	report --summary-only | awk '/^Lines/ { print $2, $3 }' >"$work/totals"
	check "clang-$release: --folders and --summary-only have the totals of the table" sh -c \
		"test -s '$work/table' && diff '$work/table' '$work/folders' && diff '$work/table' '$work/totals'"
	"$BAREPROF" report "$elf" "$elf.profraw" --show main.cc --lcov "$elf.lcov" 2>/dev/null >"$work/got"
	# LCOV has the count of each line, too. llvm-cov decides what it is, see report.sh.
	awk -F'[:,]' '/^SF:/ { main = /main.cc$/ } main && /^DA:/ { print $2, $3 }' "$elf.lcov" >"$work/lcov"
	awk -F'|' 'NF > 2 && $1 ~ /[0-9]/ && $2 ~ /[0-9]/ { sub("!", "", $2); print $1 + 0, $2 + 0 }' "$work/got" |
		awk 'NR == FNR { count[$1] = $2; next } count[$1] == $2' - "$work/lcov" >"$work/same"
	check "clang-$release: --show has the counts of all lines" sh -c "test -s '$work/lcov' && diff '$work/lcov' '$work/same'"
done

build "$(newest_clang)"
if [ "$(newest_clang)" -ge 19 ]; then
	report --show decide | grep -e MC/DC -e 'condition [0-9]' -e vector >"$work/got"
	cat >"$work/expected" <<'T'
     |       |  MC/DC of the decision at 17:6: 2 of 3 conditions have a pair of test vectors
     |       |    condition 1 at 17:7 (a): pair 1, 3
     |       |    condition 2 at 17:12 (b): pair 2, 3
     |       |    condition 3 at 17:18 (c): no pair
     |       |    test vector 1: F - F = F
     |       |    test vector 2: T F F = F
     |       |    test vector 3: T T - = T
T
	check "--show: the pairs of MC/DC" diff "$work/expected" "$work/got"
	report --functions --folders 0 --summary-only >"$work/got"
	check "MC/DC in the tables" sh -c "test \$(grep -c MC/DC '$work/got') = 3 && grep -q '^MC/DC  *3  *1   66.67%' '$work/got'"
fi

# Names that mean nothing or several things.
refuses "--show of an unknown name" "no such file or function; did you mean 'main'" "$BAREPROF" report "$elf" "$elf.profraw" --show maim
cp "$work/src/pick.h" "$work/src/lib/pick.h"
printf '#include "pick.h"\nextern "C" int more(int a) { return pick((char)a, (char)3); }\n' >"$work/src/lib/more.cc"
"clang-$(newest_clang)" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "$work/src/main.cc" "$work/src/lib/more.cc" \
	-lstdc++ -o "$work/two" && LLVM_PROFILE_FILE=$work/two.profraw "$work/two"
refuses "--show of the end of two names" "means 2 files; name one of them: $work/src/lib/pick.h, $work/src/pick.h" \
	"$BAREPROF" report "$work/two" "$work/two.profraw" --show pick.h
refuses "--show of two functions" "means 2 functions; name one of them: .*/src/pick.h:int pick<int>.* \(line 2\), .*lib/pick.h:char pick<char>" \
	"$BAREPROF" report "$work/two" "$work/two.profraw" --show pick
check "--show of a longer end" sh -c \
	"'$BAREPROF' report '$work/two' '$work/two.profraw' --show lib/pick.h | grep -q 'src/lib/pick.h: 0 of 1 functions ran'"
check "--show of a path from the current folder" sh -c \
	"cd '$work/src/lib' && '$BAREPROF' report '$work/two' '$work/two.profraw' --show ../pick.h | grep -q 'src/pick.h: 1 of 1 functions ran'"

# Sources that changed or are gone.
cp -p "$elf" "$work/old"
cp -p "$elf.profraw" "$work/old.profraw"
touch -d 2001-01-01 "$work/old"
"$BAREPROF" report "$work/old" "$work/old.profraw" --show decide >"$work/got" 2>"$work/err"
check "a source that is newer than the program" grep -q 'main.cc is newer than .*/old, so the lines may not be those' "$work/got"
"$BAREPROF" report "$work/old" "$work/old.profraw" --uncovered >"$work/got" 2>"$work/err"
check "--uncovered with newer sources: one warning, and no quotes" sh -c \
	"grep -q 'is newer than .*/old, and so are other files, so the lines may not be' '$work/err' &&
	test \$(wc -l <'$work/err') = 1 && grep -q ':17: condition at column 18 was never true' '$work/got'"
mv "$work/src" "$work/moved"
"$BAREPROF" report "$elf" "$elf.profraw" --show main.cc --allow-incomplete >"$work/got" 2>"$work/err"
check "a source that is gone: counts only" sh -c \
	"grep -q 'main.cc cannot be read, so only the counts of its lines are shown; .*--path-map A=B' '$work/got' &&
	grep -q '^   17|     3 |\$' '$work/got' && grep -q '^   23|     0!|to line 24\$\|^   23|     0!|\$' '$work/got'"
check "--path-map finds it" sh -c \
	"'$BAREPROF' report '$elf' '$elf.profraw' --show main.cc --path-map '$work/src=$work/moved' | grep -q '^   17|     3 |.if ((a && b)'"
mv "$work/moved" "$work/src"

# Colours.
# in_terminal SETTING OPTIONS...: the output on a terminal.
in_terminal() {
	setting=$1
	shift
	script -qec "env TERM=xterm $setting '$BAREPROF' report '$elf' '$elf.profraw' $*" /dev/null
}
esc=$(printf '\033')
in_terminal NO_COLOR= --show decide >"$work/got"
check "colours on a terminal, without marks" sh -c "grep -qF '? ${esc}[41m2${esc}[0m : 3' '$work/got' && ! grep -qF '^' '$work/got'"
for setting in NO_COLOR=1 TERM=dumb; do
	in_terminal "$setting" --show decide --functions --folders 0 --summary-only >"$work/got"
	check "no colours with $setting" sh -c "grep -q decide '$work/got' && ! grep -qF '$esc' '$work/got'"
done

# Folders: 30 files in 3 folders. Everything in c/ ran.
mkdir -p "$work/tree"
for folder in a b/deep c; do
	mkdir -p "$work/tree/$folder"
	for i in 0 1 2 3 4 5 6 7 8 9; do
		name=$(echo "$folder" | tr -d /)$i
		{
			printf 'int %s(int n)\n{\n\tif (n > 1)\n' "$name"
			[ "$folder" != a ] || { for _ in 1 2 3 4 5 6 7 8 9; do echo '		n++;'; done; }
			printf '\t\tn += 2;\n\treturn n;\n}\n'
		} | if [ "$folder" = a ]; then sed 's/if (n > 1)/if (n > 1) {/; s/n += 2;/n += 2; }/'; else cat; fi >"$work/tree/$folder/$name.c"
	done
done
{
	for i in 0 1 2 3 4 5 6 7 8 9; do printf 'int a%s(int);int bdeep%s(int);int c%s(int);' $i $i $i; done
	echo 'int main(void) {'
	for i in 0 1 2 3 4 5 6 7 8 9; do printf 'a%s(0);bdeep%s(0);c%s(0);c%s(3);' $i $i $i $i; done
	echo 'return 0; }'
} >"$work/tree/main.c"
# shellcheck disable=SC2046 # the names have no spaces
"clang-$(newest_clang)" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id $(find "$work/tree" -name '*.c' | sort) -o "$work/folders-elf"
LLVM_PROFILE_FILE=$work/folders.profraw "$work/folders-elf"
folders() { "$BAREPROF" report "$work/folders-elf" "$work/folders.profraw" --folders "$1" | sed 's/.*[%-]  //' | sed "s,$work/,,"; }
folders 4 >"$work/got"
printf '%s\n' 'a/ (10 files)' 'b/deep/ (10 files)' 'c/ (10 files)' main.c 'TOTAL of tree/ (31 files)' >"$work/expected"
check "--folders 4: all folders are closed" sh -c "sed 1d '$work/got' | diff '$work/expected' -"
folders 20 | sed 1d >"$work/got"
check "--folders 20: the worst folder is open" sh -c \
	"sed -n 1p '$work/got' | grep -qx 'a/' && sed -n 2p '$work/got' | grep -qx '  a0.c' && grep -qx 'b/deep/ (10 files)' '$work/got'"
folders 0 | sed 1d >"$work/got"
check "--folders 0: all folders are open but those that are covered" sh -c \
	"grep -qx '  a0.c' '$work/got' && grep -qx '  bdeep0.c' '$work/got' && grep -qx 'c/ (10 files)' '$work/got'"

# Several functions in one line. first() and the lambda in it run, and third() does not.
cat >"$work/src/line.cc" <<'C'
int first(int x) { while (x > 10) x -= 3; return [](int y) { return y ? y : 1; }(x); } int second() { return 4; } int third() { return [] { return 5; }(); }
int main() { return first(4) + (second != third) == 6; }
C
build_one() {
	"clang++-$(newest_clang)" -std=c++14 -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "$1" -o "$2" &&
		LLVM_PROFILE_FILE=$2.profraw "$2"
}
elf=$work/line
build_one "$work/src/line.cc" "$elf"
shows "--uncovered of several functions in one line" --uncovered <<'T'
src/line.cc:1: second() never ran
src/line.cc:1: third() never ran
src/line.cc:1: condition 'x > 10' was never true, in first(int)
src/line.cc:1: condition 'y' was never false, in first(int)::$_0::operator()(int) const
T

# A switch without a default. Releases of clang differ in what true and false mean for it.
cat >"$work/src/choose.c" <<'C'
int always(int n) { switch (n) { case 1: return 1; case 2: return 2; } return 0; }
int none(int n) { switch ( n + 1 ) { case 1: return 1; } return 0; }
int both(int n) { switch (n) { case 1: return 1; } return 0; }
int inner(int n, int m) { switch (n && m) { case 1: return 1; } return 0; }
int main(void) { return always(1) + always(2) + none(3) + both(1) + both(2) + inner(1, 0) == 9; }
C
for release in $(clang_releases); do
	elf=$work/choose
	"clang-$release" -w -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "$work/src/choose.c" -o "$elf" 2>"$work/err" &&
		LLVM_PROFILE_FILE=$elf.profraw "$elf"
	shows "--uncovered of a switch without a default" --uncovered <<'T'
src/choose.c:1: 'switch (n)' never met a value without a case, in always
src/choose.c:2: 'switch (n + 1)' met only values without a case, in none
src/choose.c:2: 'case 1' was never taken, in none
src/choose.c:4: condition 'n' was never false, in inner
src/choose.c:4: condition 'm' was never true, in inner
src/choose.c:4: 'case 1' was never taken, in inner
T
	report --uncovered --lcov "$work/lcov" >"$work/got"
	check "clang-$release: the same, beside a file" diff "$work/expected" "$work/got"
done

# A local function of a header that two files include. Only the file in its name tells the instantiations apart.
echo 'static inline int half(int x) { return x > 9 ? x / 2 : x; }' >"$work/src/half.h"
printf '#include "half.h"\nint more(int x) { return half(x) + half(x); }\n' >"$work/src/more.c"
printf '#include "half.h"\nint more(int);\nint main() { return more(1) + half(1) == 9; }\n' >"$work/src/half.c"
elf=$work/half
(cd "$work/src" && "clang-$(newest_clang)" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id more.c half.c -o "$elf" &&
	LLVM_PROFILE_FILE=$elf.profraw "$elf")
report --functions | awk '/half$/ { print $1, $NF }' >"$work/got"
printf '2 more.c:half\n1 half.c:half\n' | sort >"$work/expected"
check "--functions: a local function of a header has the file that includes it" sh -c "sort '$work/got' | diff '$work/expected' -"
shows "--show of an instantiation by the file that includes it" --show more.c:half <<'T'
src/half.h: half: ran 2 times, 1 of 1 lines, 1 of 2 branches
    1|     2 |static inline int half(int x) { return x > 9 ? x / 2 : x; }
     |       |                                               ^^^^^
     |       |  branch 1:40 (x > 9): true 0, false 2: never true
T
report --show half.h:half >"$work/got"
check "--show of all by the header" grep -q '2 instantiations, which are shown together' "$work/got"

# Names of Rust, in both manglings.
if command -v rustc >/dev/null; then
	cat >"$work/shape.rs" <<'R'
trait Shape {
    fn area(&self) -> u32;
}
struct Square(u32);
impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
fn parse(s: &str) -> Result<u32, std::num::ParseIntError> {
    Ok(s.parse::<u32>()? + 1)
}
fn main() {
    let _ = (Square(3).area(), parse("4"));
}
R
	for mangling in legacy v0; do
		elf=$work/shape-$mangling
		RUSTC_BOOTSTRAP=1 rustc -Z unstable-options -C instrument-coverage -C "symbol-mangling-version=$mangling" \
			-C link-arg=-Wl,--build-id "$work/shape.rs" -o "$elf" 2>"$work/err" && LLVM_PROFILE_FILE=$elf.profraw "$elf"
		report --show Shape::area --show Square::area | grep -c '^    6|     1 |    fn area' >"$work/got"
		report --functions >"$work/names"
		check "rustc, mangling $mangling: names" sh -c \
			"test \$(cat '$work/got') = 2 && grep -q 'shape.rs:6  <shape::Square as shape::Shape>::area$' '$work/names' &&
			grep -q '  shape::parse$' '$work/names'"
		shows "rustc, mangling $mangling: a piece of a line that did not run" --uncovered <<'T'
shape.rs:11: columns 24 to 24 did not run, in shape::parse
T
	done
else
	skip "names of Rust: rustc is not installed"
fi
