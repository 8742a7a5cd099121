#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_report.sh: tests `bareprof mip show` and `bareprof mip report` with a program whose calls are known. The program
# is compiled with `bareprof mip cc`, linked with mip.ld, and writes its machine profile with the runtime: C code in
# mode "calls", C++ code in mode "coverage".
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"

w=$WORK
source=tests/mip/program
make -s linker
runtime="mip mip_self read reset copy capture capture_blocks capture_counters capture_send capture_uniform counter_codec crc32c encode_text"
build() {
	cflags=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
	for f in $runtime; do echo "#include \"$ROOT/runtime/$f.c\""; done >"$w/runtime.c"
	objects=
	for f in $runtime; do gcc $cflags -O1 -c "runtime/$f.c" -o "$w/$f.o" && objects="$objects $w/$f.o" || return 1; done
	gcc -O1 -Iinclude -c arch/x86_64/mip_first.c -o "$w/first.o" && gcc -O1 -Iinclude -c $source/dump.c -o "$w/dump.o" &&
		"$BAREPROF" mip cc --mode calls "clang-$(newest_clang)" -O2 -g -fno-inline -c $source/work.c -o "$w/work.o" &&
		"$BAREPROF" mip cc --mode coverage g++ -O1 -g -c $source/area.cc -o "$w/area.o" &&
		gcc -no-pie -Wl,--build-id=sha1 -Wl,-T,build/linker/mip.ld "$w"/work.o "$w"/area.o "$w"/dump.o "$w"/first.o $objects -o "$w/program"
}
check "a program with both modes is built" build
check "it has no finding" sh -c "'$BAREPROF' check '$w/program' >'$w/said'; cat '$w/said'; grep -q 'Nothing is missing' '$w/said'"
check "it runs" "$w/program" "$w/one.mipraw" "$w/one.log"
profile() {
	"$BAREPROF" mip create -p "$w/default.mip" "$w/program" && cp "$w/default.mip" "$w/log.mip" &&
		"$BAREPROF" mip merge -p "$w/default.mip" "$w/one.mipraw" && "$BAREPROF" mip merge -p "$w/log.mip" "$w/one.log" &&
		cmp "$w/default.mip" "$w/log.mip" && python3 tests/mip/mip.py sums "$w/default.mip" "$w/program" "$w/one.mipraw" &&
		"$BAREPROF" mip convert --to mipraw --elf "$w/program" -o "$w/log.mipraw" "$w/one.log" && cmp "$w/one.mipraw" "$w/log.mipraw"
}
check "the .mipraw and the log give the same profile, and the log becomes the .mipraw" profile

line() { grep -n "$2" "$source/$1" | cut -d: -f1; }
# expected NAME FILE LINE LINES...: the lines of a function in the output of show.
expected() {
	printf '%s\n  Source Info: %s:%s\n' "$1" "$ROOT/$source/$2" "$3"
	shift 3
	printf '  %s\n' "$@" ''
}
{
	expected main work.c "$(line work.c 'int main')" "Ran: yes" "Call Count: 1" "Order: 1"
	expected first work.c "$(line work.c 'int first')" "Ran: yes" "Call Count: 2" "Order: 2"
	expected second work.c "$(line work.c 'int second')" "Ran: yes" "Call Count: 1" "Order: 3"
	expected helper work.c "$(line work.c 'int helper')" "Ran: yes" "Call Count: 7" "Order: 4"
	expected "geometry::square(int)" area.cc "$(line area.cc 'int square')" "Ran: yes"
	expected "geometry::cube(int)" area.cc "$(line area.cc 'int cube')" "Ran: no"
	expected area area.cc "$(line area.cc 'int area')" "Ran: yes"
	expected never work.c "$(line work.c '^int never(int value)$')" "Ran: no" "Call Count: 0"
	echo '6 of 8 functions ran; raw profiles: 1; calls: 11'
} | sed 's/^ *$//' >"$w/expected"
"$BAREPROF" mip show -p "$w/default.mip" --debug "$w/program" --sort order >"$w/shown"
same() { awk -v RS= '{ print | "sort" }' "$1" >"$w/sorted1" && awk -v RS= '{ print | "sort" }' "$2" >"$w/sorted2" && diff "$w/sorted1" "$w/sorted2"; }
check "show: calls, order, demangled names and lines are right" same "$w/expected" "$w/shown"
check "show --sort order: the functions are in the order of their first calls" test \
	"$(sed -n '/^[a-z]/p' "$w/shown" | head -n 4 | tr '\n' ' ')" = "main first second helper "
names() { "$BAREPROF" mip show "$w/default.mip" "$@" | sed -n '/^[a-z]/p' | tr '\n' ' '; }
check "show --sort count --top" test "$(names --sort count --top 2)" = "helper first "
check "show --function, with a demangled name" test "$(names --function 'geometry::c')" = "geometry::cube(int) "
check "show --not-run" test "$(names --not-run --sort name)" = "geometry::cube(int) never "
check "show --ran" test "$(names --ran | wc -w)" = 6
refuses "show --function without a match" "has 8 functions, but none of those to list matches 'zzz'" \
	"$BAREPROF" mip show "$w/default.mip" --function zzz
refuses "show with the ELF file of another link" "is not the ELF file of the profile, because the build ids differ" \
	"$BAREPROF" mip show "$w/default.mip" --elf "$BAREPROF"
refuses "show without a profile" "name one machine profile" "$BAREPROF" mip show
"$BAREPROF" mip show "$w/default.mip" --elf "$w/program" --json >"$w/show.json"
"$BAREPROF" mip cc --mode calls --exclude first gcc -O1 -g -c $source/work.c -o "$w/left.o"
gcc -no-pie -Wl,--build-id=sha1 -Wl,-T,build/linker/mip.ld "$w/left.o" "$w/area.o" "$w/dump.o" "$w/first.o" \
	$(for f in $runtime; do echo "$w/$f.o"; done) -o "$w/left"
"$BAREPROF" mip show --left-out --elf "$w/left" "$w/left" >"$w/left.out"
check "show --left-out: the function and the reason" sh -c "grep -A2 -x first '$w/left.out' | grep -qx '  Left Out: excluded by name'"
"$BAREPROF" mip show --json "$w/left" >"$w/left.json"
python3 tests/mip/make.py map8 "$w/old.mipmap" kinds=14 blocks=3
"$BAREPROF" mip show --json "$w/old.mipmap" >"$w/old.json"
python3 tests/host/lib/json_schema.py mip "$w/show.json" "$w/left.json" "$w/old.json"

"$BAREPROF" mip report "$w/program" "$w/default.mip" --lcov "$w/lcov" --html "$w/html" >"$w/table"
check "report: the table" sh -c "grep -Eq '^area\.cc +3 +2 +66\.67% +0$' '$w/table' && grep -Eq '^work\.c +5 +4 +80\.00% +0$' '$w/table' &&
	grep -Eq '^TOTAL +8 +6 +75\.00% +0$' '$w/table'"
check "report --lcov: FN and FNDA" sh -c "grep -qx 'FN:$(line work.c 'int helper'),helper' '$w/lcov' && grep -qx 'FNDA:7,helper' '$w/lcov' &&
	grep -qx 'FNDA:0,_ZN8geometry4cubeEi' '$w/lcov' && [ \"\$(grep -c '^SF:' '$w/lcov')\" = 2 ]"
! command -v lcov >/dev/null || check "report --lcov: lcov reads it" sh -c \
	"lcov --summary '$w/lcov' 2>&1 | grep -Eq 'functions.*75\.0% \(6 of 8'"
check "report --html: valid, with names and counts" sh -c "xmllint --noout '$w/html' && grep -q '<h1>Machine profile of program</h1>' '$w/html' &&
	grep -q 'Build id: [0-9a-f]*<br/>Raw profiles: 1<' '$w/html' && grep -q 'geometry::square(int)</td><td>yes</td><td class=\"n\"></td>' '$w/html' &&
	grep -q 'helper</td><td>yes</td><td class=\"n\">7</td><td class=\"n\">4</td>' '$w/html' && grep -q 'never</td><td>no</td>' '$w/html' &&
	grep -q 'TOTAL</td><td class=\"n\">8</td><td class=\"n\">6</td><td class=\"n\">75.00%</td>' '$w/html'"
"$BAREPROF" mip report "$w/program" "$w/default.mip" --fail-under 75.1 >/dev/null 2>&1
check "report --fail-under: status 6" test $? = 6
refuses "report of a profile without runs" "has no raw profile yet: add one with 'bareprof mip merge'" \
	"$BAREPROF" mip report "$w/program" "$w/left"
cp "$w/default.mip" "$w/twice.mip"
"$w/program" "$w/two.mipraw" "$w/two.log" && "$BAREPROF" mip merge -p "$w/twice.mip" "$w/two.mipraw"
check "two runs: counts are added, orders keep their mean" sh -c "'$BAREPROF' mip show '$w/twice.mip' --function '^helper$' |
	tr -s '\n ' ' ' | grep -q 'helper Ran: in 2 of 2 raw profiles Call Count: 14 Order: 4 '"

# Each of the two files has its own copy of the function twice().
echo '__attribute__((noinline)) static int twice(int value) { return 2 * value; }' >"$w/twice.h"
printf '#include "twice.h"\nint area(int side);\nint area(int side) { return twice(side); }\n' >"$w/twice_a.c"
printf '#include "twice.h"\nint area(int), dump(const char *, const char *);\nint main(int argc, char **argv) { area(argc); return twice(argc) + dump(argv[1], argv[2]) - 6; }\n' >"$w/twice_b.c"
copies() {
	for f in twice_a twice_b; do "$BAREPROF" mip cc --mode coverage gcc -O1 -g -c "$w/$f.c" -o "$w/$f.o" || return 1; done
	gcc -no-pie -Wl,--build-id=sha1 -Wl,-T,build/linker/mip.ld "$w/twice_a.o" "$w/twice_b.o" "$w/dump.o" "$w/first.o" \
		$(for f in $runtime; do echo "$w/$f.o"; done) -o "$w/copies" && "$w/copies" "$w/copies.mipraw" "$w/copies.log" &&
		"$BAREPROF" mip merge "$w/copies" "$w/copies.mipraw" -o "$w/copies.mip" &&
		"$BAREPROF" mip report "$w/copies" "$w/copies.mip" --html "$w/copies.html" >"$w/copies.out" 2>&1
}
check "report of a program with copies of a function" copies
check "report names the number of copies, and show lists them" sh -c "grep -Eq '^TOTAL +3 +3 ' '$w/copies.out' &&
	grep -q '^bareprof: note: 1 function has the name and line of another function' '$w/copies.out' &&
	grep -q 'without a row of their own: 1<' '$w/copies.html' && xmllint --noout '$w/copies.html' &&
	[ \"\$('$BAREPROF' mip show '$w/copies.mip' | grep -cx twice)\" = 2 ] && ! grep -q 'row' '$w/table' && ! grep -q 'without a row' '$w/html'"

# In an object, as in a module of Linux, no relocation has been applied yet.
for compiler in gcc "gcc -gz" "clang-$(clang_releases | head -n 1)" "clang-$(newest_clang)" "arm-none-eabi-gcc -mcpu=cortex-m3" aarch64-linux-gnu-gcc; do
	object() {
		"$BAREPROF" mip cc --mode calls $compiler -O1 -g -c "$w/twice_a.c" -o "$w/object.o" &&
			"$BAREPROF" mip show --elf "$w/object.o" "$w/object.o" >"$w/object.out" && cat "$w/object.out" &&
			grep -qx '  Source Info: .*twice\.h:1' "$w/object.out" && grep -qx '  Source Info: .*twice_a\.c:3' "$w/object.out"
	}
	check "$compiler: the lines of functions of an object" object
done
