#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_order.sh: tests `bareprof mip order` with a program whose calls are known. Both linkers must place its functions
# in the order of the list. tests/mip/pages.sh counts pages of a kernel before and after.
. "$(dirname "$0")/../lib.sh"

w=$WORK
make -s linker drop-in DIR="$w/drop" >"$w/made" 2>&1
clang=clang-$(newest_clang)
lld=$(command -v "ld.lld-$(newest_clang)")

# The sources are in the opposite of the order in which the functions run. Two static functions have one name.
cat >"$w/one.c" <<'END'
#define FUNCTION __attribute__((noinline))
int third(int n), second(int n), often(int n), plain(int n), rest(int n);
volatile int sum;
FUNCTION int never(int n) { sum += n; return rest(n) * 5; }
FUNCTION int often(int n) { sum += n; return n * 3; }
FUNCTION int third(int n) { for (int i = 0; i < 9; i++) sum += often(i); return n + 7; }
FUNCTION static int shared(int n) { sum += n; return n * 2; }
FUNCTION int second(int n) { sum += n; return plain(n) + third(n) + shared(n) + shared(n + 1); }
FUNCTION __attribute__((cold)) int rare(int n) { sum += n; return n * 11; }
END
cat >"$w/main.c" <<'END'
#define FUNCTION __attribute__((noinline))
#include "bareprof.h"
#include <stdio.h>
int second(int n), rare(int n), never(int n);
extern volatile int sum;
BAREPROF_STATE;
FUNCTION static int shared(int n) { sum += n; return n * 13; }
static int put(void *file, const void *data, size_t size) { return fwrite(data, 1, size, file) != size; }
int main(int argc, char **argv)
{
	static struct bareprof_image image;
	static struct bareprof_capture capture;
	static char block[512];
	FILE *file = argc > 1 ? fopen(argv[1], "w") : 0;

	second(argc);
	shared(argc);
	rare(argc);
	if (argc > 9)
		never(argc);
	if (!file)
		return 0;
	if (bareprof_mip_image_self(&image) || bareprof_capture_open(&capture, &image, 1, block, sizeof(block)) ||
		bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, file))
		return 1;
	return fclose(file) != 0;
}
END
# This file has no machine-profile code.
cat >"$w/plain.c" <<'END'
#define FUNCTION __attribute__((noinline))
extern volatile int sum;
int plain(int n);
int rest(int n);
int last(int n);
FUNCTION int last(int n) { sum += n; return n * 17; }
FUNCTION int rest(int n) { sum += n; return n * 19; }
FUNCTION static int deep(int n) { sum += n; return last(n + 1); }
FUNCTION static int first(int n) { sum += n; return n * 23; }
int more(int n);
FUNCTION int plain(int n) { sum += first(n); return deep(n) + more(n); }
END
cat >"$w/more.c" <<'END'
extern volatile int sum;
int more(int n);
__attribute__((noinline)) static int deep(int n) { sum += n; return n * 29; }
__attribute__((noinline)) int more(int n) { sum += n; return deep(n + 2) + 1; }
END
# objects MODE: makes the objects in the folder MODE. The runtime has no machine-profile code either.
objects() {
	mkdir -p "$w/$1"
	for source in one main; do
		"$BAREPROF" mip cc --mode "$1" --exclude put "$clang" -O2 -fno-pic -ffunction-sections -I"$w/drop" -c "$w/$source.c" -o "$w/$1/$source.o" || return
	done
	mkdir -p "$w/$1/plain" && for source in drop/bareprof plain more; do
		"$clang" -O1 -fno-pic -ffunction-sections -DBAREPROF_MIP -DBAREPROF_MIP_CALLS_MODE -c "$w/$source.c" -o "$w/$1/plain/$(basename $source).o" || return
	done
}
# linked MODE OUT FLAG...: links the objects of the folder MODE.
linked() {
	mode=$1
	out=$2
	shift 2
	"$clang" -no-pie -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-T,"$w/drop/mip.ld" "$@" "$w/$mode"/*.o "$w/$mode"/plain/*.o -o "$out"
}
# profile MODE: makes the machine profile MODE.mip.
profile() { objects "$1" && linked "$1" "$w/$1.elf" && "$w/$1.elf" "$w/$1.log" && "$BAREPROF" mip merge --elf "$w/$1.elf" "$w/$1.log" -o "$w/$1.mip"; }
check "a program is profiled in mode calls" profile calls
check "a program is profiled in mode coverage" profile coverage
names() { sed '/^[#\/]/d; s/.*\.//; s/)$//' "$1" | tr '\n' ' '; }
# lists EXPECTED OPTION...: the order has these functions, in the lists for both linkers.
lists() {
	expected=$1
	shift
	"$BAREPROF" mip order "$@" -o "$w/list" >"$w/said" && [ "$(names "$w/list")" = "$expected" ] &&
		"$BAREPROF" mip order --for ld "$@" -o "$w/list.ld" >"$w/said" && [ "$(names "$w/list.ld")" = "$expected" ] && return
	cat "$w/said" "$w/list" "$w/list.ld"
	return 1
}
start='main second third often shared rare '
check "the order of first calls" lists "$start" "$w/calls.mip"
check "the functions with most calls first, those with equal counts by address" \
	lists "often shared $(nm -n "$w/calls.elf" | sed -n 's/.* T \(third\|second\|rare\|main\)$/\1/p' | tr '\n' ' ')" --by calls "$w/calls.mip"
check "without orders of first calls, functions are sorted by address, and a note says so" sh -c \
	"'$BAREPROF' mip order -p '$w/coverage.mip' -o '$w/list' >'$w/said' 2>&1 && grep -q 'note: has no orders of first calls' '$w/said' &&
	nm -n '$w/coverage.elf' | sed -n 's/.* [tT] \(main\|second\|third\|often\|rare\)$/\1/p' >'$w/by-address' &&
	sed '/^#/d; /^shared$/d' '$w/list' | diff '$w/by-address' -"
check "the message has the numbers of functions, bytes and pages" sh -c \
	"'$BAREPROF' mip order '$w/calls.mip' -o '$w/list' | tee '$w/said' | grep -qx '6 of 8 functions are in the list; their [0-9]* bytes are in [12] pages* of 4 KiB, and fit into 1'"
"$BAREPROF" mip order "$w/calls.mip" -o "$w/list" >/dev/null
"$BAREPROF" mip order --for ld "$w/calls.mip" -o "$w/list.ld" >/dev/null
check "standard output has only the list" sh -c "'$BAREPROF' mip order '$w/calls.mip' -o - | cmp - '$w/list'"
check "the list is the same each time" sh -c "'$BAREPROF' mip order -p '$w/calls.mip' -o '$w/again' >/dev/null && cmp '$w/list' '$w/again'"

# placed ELF: in the program, the functions of the list come in this order, and the one that did not run comes last.
placed() {
	placed=$(nm -n "$1" | sed -n 's/.* [tT] \(main\|second\|third\|often\|shared\|rare\|never\)$/\1/p' | uniq | tr '\n' ' ')
	[ "$placed" = "${start}never " ] && "$1" && return
	echo "$placed"
	return 1
}
not_placed() { ! placed "$1"; }
ordered() { linked "$@" && placed "$2"; }
check "without the list, the order differs" not_placed "$w/calls.elf"
# Both linkers get GNU ld's own script, because lld has no script of its own, and mip.ld needs one. lld sorts only the
# sections that one pattern of the script selects, so for lld the first pattern selects all of them.
ld --verbose | sed '1,/^=====/d; /^=====/,$d' >"$w/own.ld"
sed "/^  \.text  /,/{/s|{|{ *(.text .text.*)|" "$w/own.ld" >"$w/plain.ld"
check "lld places the functions in this order" \
	ordered calls "$w/lld.elf" -fuse-ld="$lld" -Wl,-T,"$w/plain.ld" -Wl,--symbol-ordering-file,"$w/list"
sed "/^  \.text  /,/{/s|{|{ INCLUDE $w/list.ld|" "$w/own.ld" >"$w/ordered.ld"
check "GNU ld places the functions in this order" ordered calls "$w/ld.elf" -fuse-ld=bfd -Wl,-T,"$w/ordered.ld"

# Functions that the program lacks are left out. It was compiled without machine profiles, and inlines a function.
sed 's/^FUNCTION static int shared/__attribute__((always_inline)) static inline int shared/' "$w/one.c" >"$w/inlined.c"
"$clang" -O2 -fno-pic -ffunction-sections -c "$w/inlined.c" -o "$w/inlined.o"
check "--elf leaves out functions that the program does not have" sh -c \
	"'$BAREPROF' mip order --elf '$w/inlined.o' '$w/calls.mip' -o '$w/list' >'$w/said' 2>&1 && grep -q 'note: lacks 3 functions that ran' '$w/said' &&
	[ \"\$(sed 1d '$w/list' | tr '\\n' ' ')\" = 'second third often rare ' ]"

# Functions without machine-profile code are listed if a function of the list calls them, but not rest(), which only
# never() calls.
callees() {
	for linker in lld ld; do
		"$BAREPROF" mip order --callees --elf "$w/calls.elf" --for $linker "$w/calls.mip" -o "$w/callees.$linker" >"$w/said" || return
		names "$w/callees.$linker" | tr ' ' '\n' | grep -x "_start\|main\|second\|plain\|first\|deep\|last\|more\|rest\|third\|often\|shared\|rare\|never\|bareprof_send" |
			tr '\n' ' ' | grep -qx "_start main bareprof_send second plain first deep last more third often shared rare " || return
	done
	cat "$w/said"
	grep -qx "$(($(grep -vc '^#' "$w/callees.lld") - 6)) functions that do not record are in the list too" "$w/said"
}
check "--callees lists functions that do not record, behind their callers" callees
check "lld takes this list, in which each name comes once" linked calls "$w/lld.elf" -fuse-ld="$lld" -Wl,--fatal-warnings -Wl,-T,"$w/plain.ld" -Wl,--symbol-ordering-file,"$w/callees.lld"
check "lld places these functions in this order" sh -c "nm -n '$w/lld.elf' | sed -n 's/.* [tT] \(main\|second\|plain\|first\|deep\|last\|third\|rest\|never\)$/\1/p' |
	uniq | tr '\n' ' ' | grep -x 'main second plain first deep last third \(never rest\|rest never\) '"

refuses "--callees without a program" "name it, with --elf ELF" "$BAREPROF" mip order --callees "$w/calls.mip" -o "$w/x"
refuses "--callees with an object" "inlined.o: is not linked" "$BAREPROF" mip order --callees --elf "$w/inlined.o" "$w/calls.mip" -o "$w/x"
refuses "no profile" "name one machine profile" "$BAREPROF" mip order -o "$w/x"
refuses "two profiles" "name one machine profile" "$BAREPROF" mip order -p "$w/calls.mip" "$w/calls.mip" -o "$w/x"
refuses "no output" "name the list to write, with -o OUT" "$BAREPROF" mip order "$w/calls.mip"
refuses "an unknown key" "size" "$BAREPROF" mip order --by size "$w/calls.mip" -o "$w/x"
refuses "a file that is no profile" "is neither an ELF file nor a map" "$BAREPROF" mip order "$w/one.c" -o "$w/x"
refuses "a profile without runs" "has no raw profile yet: add one with .bareprof mip merge." "$BAREPROF" mip order "$w/calls.elf" -o "$w/x"
refuses "a program that is no ELF file" "one.c" "$BAREPROF" mip order --elf "$w/one.c" "$w/calls.mip" -o "$w/x"
refuses "an output that cannot be written" "no/x" "$BAREPROF" mip order "$w/calls.mip" -o "$w/no/x"
check "after an error, there is no list" test ! -e "$w/x"
