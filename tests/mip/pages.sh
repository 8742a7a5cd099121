#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pages.sh - counts in how many 4-KiB pages of text the demo kernel with newlib runs before its prompt, without and with
# the order of `bareprof mip order --callees`. A plugin of QEMU counts. Start-up code, drivers and the runtime are not
# in the machine profile, but the functions of the list call them. The kernel has the machine profile alone, or source
# coverage too, which needs more of the runtime.
. "$(dirname "$0")/../lib.sh"

PAGES_MAX=2
board=mps2-an385
llvm=$(newest_clang)
qemu_plugin mip/pages || exit

# image ARGUMENT...: builds the kernel in $out. Only the link depends on the arguments.
image() { make -s -j2 image BOARD=$board LLVM="$llvm" KIND=$kind MIP=calls CONFIG=newlib OUT="$out" "$@"; }
# pages NAME: boots the kernel, and stores the addresses of the pages in NAME.
pages() {
	cp "$out/kernel.elf" "$1.elf"
	set -- "$1" "$(readelf -SW "$1.elf" | sed -n 's/.* \.text  *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p')"
	text=$(printf '%x' "0x${2% *}")
	end=$(printf '%x' $((0x${2% *} + 0x${2#* })))
	prompt=$(printf '%x' $((0x$(nm "$1.elf" | sed -n 's/ T console_line$//p') & ~1)))
	rm -f "$1"
	timeout 120 "$BAREPROF" run --board $board "$1.elf" --send 'mip dump\nexit\n' --log "$1.log" -o "$1.dump" -- \
		-plugin "$WORK/plugin.so,start=$text,end=$end,stop=$prompt,out=$1" && [ -s "$1" ]
}
fewer() { [ "$(wc -l <"$1")" -le $PAGES_MAX ] && [ "$(wc -l <"$1")" -lt "$(wc -l <"$WORK/before")" ]; }

# lists: makes the lists for both linkers.
lists() {
	"$BAREPROF" mip merge --elf "$out/kernel.elf" "$WORK/before.log" -o "$WORK/kernel.mip" || return
	for linker in lld ld; do
		"$BAREPROF" mip order --callees --elf "$out/kernel.elf" --for $linker "$WORK/kernel.mip" -o "$WORK/list.$linker" || return
	done
}

for kind in none coverage; do
	out=$WORK/$kind
	check "$kind: the kernel is built" image
	check "$kind: it boots" pages "$WORK/before"
	check "$kind: its machine profile becomes lists" lists
	tail -n 2 "$WORK/check.log" | sed 's/^/    /'
	check "$kind: lld takes the list" image IMAGE_LD="ld.lld-$llvm --symbol-ordering-file $WORK/list.lld --no-warn-symbol-ordering"
	check "$kind: the kernel boots" pages "$WORK/lld"
	check "$kind: pages of text before the prompt: $(wc -l <"$WORK/before"), with lld's list $(wc -l <"$WORK/lld")" fewer "$WORK/lld"

	check "$kind: the kernel is linked by GNU ld" image LINKER=gnu
	check "$kind: it boots" pages "$WORK/before"
	sed "s|KEEP(.*vectors.*|& INCLUDE $WORK/list.ld|" qemu/cortex-m/board.ld >"$WORK/board.ld"
	check "$kind: GNU ld takes the list" image LINKER=gnu BOARD_SCRIPTS="qemu/$board/memory.ld $ROOT/build/linker/bareprof-rom.ld $WORK/board.ld"
	check "$kind: the kernel boots" pages "$WORK/gnu"
	check "$kind: pages of text before the prompt: $(wc -l <"$WORK/before"), with GNU ld's list $(wc -l <"$WORK/gnu")" fewer "$WORK/gnu"
done
