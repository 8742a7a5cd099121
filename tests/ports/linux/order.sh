#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# order.sh: tests that a Linux kernel (x86_64, clang, lld) executes code in fewer pages of text until it starts init if
# lld gets the list of `bareprof mip order`. A kernel of the same configuration, but with machine profiles, gives the
# list: it boots, and init saves its machine profile. A plugin of QEMU counts the pages, without and with the list.
# KUnit's tests are left out of the configuration, because they would run before init.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

unset BAREPROF_MIP MAKEFLAGS MAKEOVERRIDES
PERCENT_MAX=70
LINUX_TIME=600
export BAREPROF_PROGRAM="$BAREPROF"
OPTIONS=$(echo "$LINUX_X86" | tr -s ' \n\t' '\n' | grep -v -e KUNIT -e RUNTIME_TESTING)
plain=$WORK/plain
calls=$WORK/calls
qemu_plugin mip/pages || exit
linux_source "$WORK/linux" || exit
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"

linux_root "$WORK/root"
echo 'test ! -d /sys/kernel/debug/bareprof || cp /sys/kernel/debug/bareprof/vmlinux/mipraw /out/' >"$WORK/root/test/run"
linux_initramfs "$WORK/root" "$WORK/initramfs"

# Each function has a section of its own. The macro makes the linker script of Linux select these sections.
build() {
	linux_make "$@" KCFLAGS=-ffunction-sections KCPPFLAGS=-DCONFIG_LD_DEAD_CODE_DATA_ELIMINATION bzImage
}
boot() { linux_boot "$1/arch/x86/boot/bzImage" "$WORK/initramfs" "$2" nokaslr; }
symbol() { awk -v name="$1" '$3 == name { print $1; exit }' "$WORK/symbols"; }
# pages NAME: boots the kernel $plain, and stores the addresses of the pages in NAME.
pages() {
	nm "$plain/vmlinux" >"$WORK/symbols"
	rm -f "$1"
	LINUX_QEMU="-plugin $WORK/plugin.so,start=$(symbol _stext),end=$(symbol _etext),stop=$(symbol run_init_process),out=$1" \
		boot "$plain" "$1.out" && [ -s "$1" ]
}
# number NAME: prints the number of pages.
number() { wc -l <"$1"; }

# shellcheck disable=SC2086
check "a kernel with machine profiles is configured" linux_config "$calls" $OPTIONS BAREPROF=y BAREPROF_PROFILE_ALL=y \
	BAREPROF_NO_COUNTERS=y BAREPROF_MACHINE_CALLS=y
check "it builds" build "$calls"
check "it boots" boot "$calls" "$calls.out"
check "its raw machine profile becomes a machine profile" \
	"$BAREPROF" mip merge --elf "$calls/vmlinux" "$calls.out/mipraw" -o "$WORK/kernel.mip"

# shellcheck disable=SC2086
check "the same kernel without bareprof is configured" linux_config "$plain" $OPTIONS
check "it builds" build "$plain"
check "functions have sections of their own" test "$(readelf -SW "$plain/kernel/fork.o" | grep -c ' \.text\.')" -gt 20
check "the linker script selects all sections" not grep 'is being placed in' "$plain.log"
check "it boots" pages "$WORK/before"
check "the machine profile becomes a list" \
	"$BAREPROF" mip order --callees --elf "$plain/vmlinux" "$WORK/kernel.mip" -o "$WORK/list"
sed 's/^/    /' "$WORK/check.log"
check "lld takes the list" build "$plain" LD="ld.lld-$LINUX_LLVM --symbol-ordering-file $WORK/list --no-warn-symbol-ordering"
check "the kernel boots" pages "$WORK/after"

percent=$(($(number "$WORK/after") * 100 / $(number "$WORK/before")))
# The shell's numbers have 64 bits with a sign, so the upper half of the addresses is cut off.
low() { symbol "$1" | cut -c 9-; }
all=$(((0x$(low _etext) - 0x$(low _stext) + 4095) / 4096))
check "pages of kernel text until init, of $all: $(number "$WORK/before"), with the list $(number "$WORK/after") ($percent %)" \
	test $percent -le $PERCENT_MAX
