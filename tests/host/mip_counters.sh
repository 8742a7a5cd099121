#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_counters.sh: tests `bareprof mip convert --to mip --elf`, which makes machine profiles from counters of clang, and
# `bareprof mip merge`, which joins such profiles with those of `bareprof mip cc`. The functions and calls of the
# program are known.
. "$(dirname "$0")/../lib.sh"

w=$WORK
make -s drop-in DIR="$w/drop" >"$w/made" 2>&1
cat >"$w/p.c" <<'END'
#define FUNCTION __attribute__((noinline))
volatile int sum;
FUNCTION static int helper(int n) { sum += n; return n * 3; }
FUNCTION int first(int n) { for (int i = 0; i < 5; i++) sum += helper(i); return n; }
FUNCTION int second(int n) { sum += n; return n * 7; }
FUNCTION int never(int n) { sum += n; return n * 9; }
static inline __attribute__((always_inline)) int inlined(int n) { return n * n; }
void dump(const char *path);
int main(int argc, char **argv)
{
	second(argc);
	first(argc);
	sum += inlined(argc);
	if (argc > 9)
		never(argc);
#ifdef DUMP
	dump(argv[1]);
#endif
	return argv[0] == 0;
}
END
# shown MIP: prints the functions of a machine profile with their counts, each on one line.
shown() {
	"$BAREPROF" mip show --sort name "$1" | sed '$d' | awk -v RS= '{ $1 = $1; gsub(/ (Call Count|Order|Ran): /, ","); gsub(/,in /, ","); gsub(/ of . raw profiles/, ""); print }' | tr '\n' ' '
}
# converts RELEASE NAME EXPECTED OPTION...: compiles with the options, runs, and converts the raw and the indexed
# profile.
converts() {
	release=$1
	program=$w/$2-$1
	expected=$3
	shift 3
	rm -f "$program.profraw"
	"clang-$release" -O1 -Wl,--build-id=sha1 "$@" "$w/p.c" -o "$program" && LLVM_PROFILE_FILE=$program.profraw "$program" &&
		"llvm-profdata-$release" merge "$program.profraw" -o "$program.profdata" &&
		"$BAREPROF" mip convert --to mip --elf "$program" "$program.profraw" -o "$program.mip" 2>"$w/said" &&
		"$BAREPROF" mip convert --to mip --elf "$program" "$program.profdata" -o "$program.again" 2>"$w/said" &&
		[ "$(shown "$program.mip")" = "$expected" ] && cmp "$program.mip" "$program.again" && return
	cat "$w/said"
	shown "$program.mip"
	return 1
}
ran='first,yes helper,yes main,yes never,no second,yes '
called='first,yes,1,not known helper,yes,5,not known main,yes,1,not known never,no,0 second,yes,1,not known '
ordered='first,yes,at least 1,3 helper,yes,at least 1,4 main,yes,at least 1,1 never,no,0 second,yes,at least 1,2 '
for release in 14 19 22; do
	check "clang $release, coverage of function entries" converts $release entry "$ran" -fprofile-generate -mllvm -pgo-function-entry-coverage
	[ $release -eq 14 ] || {
		check "clang $release, coverage of blocks" converts $release block "$ran" -fprofile-generate -mllvm -pgo-block-coverage
		check "clang $release, timestamps" converts $release temporal "$ordered" -fprofile-generate -mllvm -pgo-temporal-instrumentation
	}
done
for release in 14 22; do
	check "clang $release, counters of edges" converts $release edges "$ran" -fprofile-generate
	check "clang $release, counters of edges and entries" converts $release calls "$called" -fprofile-generate -mllvm -pgo-instrument-entry
	check "clang $release, counters of the source" converts $release source "$called" -fprofile-instr-generate
done
mip="$w/entry-22"
check "a note says which functions the program lacks" grep -qx ".*: note: the program lacks 1 of 6 functions, because the compiler inlined them or the linker dropped them; 1 of these ran" \
	"$w/said"
check "a function's address and size are those of its symbol" sh -c \
	"'$BAREPROF' mip show --json '$mip.mip' >'$w/json' && set -- \$(nm -S '$mip' | grep ' first\$') && python3 -c \"
import json, sys
function = next(f for f in json.load(open('$w/json'))['functions'] if f['name'] == 'first')
assert [int(function['address'], 16), function['size']] == [0x\$1, 0x\$2], function\""

# A program with both kinds of code. Each kind has its own dump. bareprof.c defines the symbol by which compiler-rt
# becomes a part of a program, so the program calls compiler-rt itself.
cat >"$w/dump.c" <<'END'
#include "bareprof.h"
#include <stdio.h>
BAREPROF_STATE;
void dump(const char *path);
void __llvm_profile_initialize_file(void);
int __llvm_profile_write_file(void);
static int put(void *file, const void *data, size_t size) { return fwrite(data, 1, size, file) != size; }
void dump(const char *path)
{
	static struct bareprof_image image;
	static struct bareprof_capture capture;
	static char block[512];
	FILE *file = fopen(path, "w");

	if (!bareprof_mip_image_self(&image) && !bareprof_capture_open(&capture, &image, 1, block, sizeof(block)))
		bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, file);
	fclose(file);
	__llvm_profile_initialize_file();
	__llvm_profile_write_file();
}
END
both() {
	clang="clang-22 -O1 -fno-pic -ffunction-sections"
	# shellcheck disable=SC2086
	"$BAREPROF" mip cc --mode "$1" $clang -DDUMP -fprofile-generate -mllvm -pgo-function-entry-coverage -c "$w/p.c" -o "$w/p.o" &&
		$clang -I"$w/drop" -c "$w/dump.c" -o "$w/dump.o" &&
		$clang -DBAREPROF_MIP -DBAREPROF_MIP_CALLS_MODE -I"$w/drop" -c "$w/drop/bareprof.c" -o "$w/bareprof.o" &&
		$clang -no-pie -fprofile-generate -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-T,"$w/drop/mip-beside.ld" -Wl,-T,"$w/drop/bareprof.ld" "$w/p.o" "$w/dump.o" "$w/bareprof.o" -o "$w/both" &&
		LLVM_PROFILE_FILE="$w/both.profraw" "$w/both" "$w/both.log" &&
		"$BAREPROF" mip convert --to mip --elf "$w/both" "$w/both.profraw" -o "$w/clang.mip" 2>"$w/said" &&
		"$BAREPROF" mip merge --elf "$w/both" "$w/both.log" -o "$w/own.mip"
}
check "a program with both kinds of code runs" both calls
# joins EXPECTED FILE...: the joined profile has the expected counts.
joins() {
	expected=$1
	shift
	"$BAREPROF" mip merge "$@" -o "$w/joined.mip" && [ "$(shown "$w/joined.mip")" = "$expected" ] &&
		"$BAREPROF" mip show "$w/joined.mip" | grep -q '4 of 5 functions ran; raw profiles: 2' && return
	shown "$w/joined.mip"
	return 1
}
joined='first,2,at least 2,3 helper,2,at least 6,4 main,2,at least 2,1 never,0,0 second,2,at least 2,2 '
check "profiles with different kinds are joined" joins "$joined" "$w/own.mip" "$w/clang.mip"
check "they are joined in the other direction" joins "$joined" "$w/clang.mip" "$w/own.mip"
check "a joined profile can be merged again" sh -c "'$BAREPROF' mip merge '$w/joined.mip' '$w/own.mip' -o '$w/more.mip' &&
	'$BAREPROF' mip show '$w/more.mip' | grep -q 'raw profiles: 3; calls: 20'"
check "two profiles of clang's counters are added up" sh -c "'$BAREPROF' mip merge '$w/clang.mip' '$w/clang.mip' -o '$w/more.mip' &&
	'$BAREPROF' mip show '$w/more.mip' | grep -q '4 of 5 functions ran; raw profiles: 2\$'"
check "the joined profile gives an order" sh -c "'$BAREPROF' mip order '$w/joined.mip' -o - | sed 1d | tr '\n' ' ' | grep -qx 'main second first helper '"
both coverage
check "profiles with the same kinds are joined" joins 'first,2 helper,2 main,2 never,0 second,2 ' "$w/own.mip" "$w/clang.mip"

refuses "a raw machine profile for a profile of clang's counters" "make another machine profile from the raw one" \
	"$BAREPROF" mip merge -p "$w/clang.mip" "$w/both.log" -o "$w/x"
refuses "a map from clang's counters" "has no map; make the map from the ELF file" "$BAREPROF" mip convert --to mipmap "$w/clang.mip" -o "$w/x"
refuses "version 8 from clang's counters" "version 8" "$BAREPROF" mip convert --to mip:8 "$w/clang.mip" -o "$w/x"
refuses "profiles of two programs" "build id" "$BAREPROF" mip merge "$w/own.mip" "$w/source-22.mip" -o "$w/x"
refuses "the program of another build" "comes from another build" "$BAREPROF" mip convert --to mip --elf "$w/both" "$w/source-22.profraw" -o "$w/x"
refuses "a file that is no profile" "p.c" "$BAREPROF" mip convert --to mip --elf "$w/both" "$w/p.c" -o "$w/x"
"llvm-objcopy-22" --strip-all "$w/both" "$w/stripped"
refuses "a program without symbols" "the program has none of them; give the ELF file that was run, with its symbols" \
	"$BAREPROF" mip convert --to mip --elf "$w/stripped" "$w/both.profraw" -o "$w/x"
check "after an error, there is no file" test ! -e "$w/x"
