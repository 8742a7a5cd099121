#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# order.sh: tests that a small Linux kernel (x86_64, clang, lld) executes code in fewer pages of text until it starts
# init if lld gets a list of the functions in the order of their first calls. A plugin of QEMU counts the pages. It also
# finds the order, because the list of `bareprof mip order` has the same order as what QEMU sees (tests/mip/kernel.sh).
# All functions have sections of their own. Linux places such sections only if CONFIG_LD_DEAD_CODE_DATA_ELIMINATION is
# defined, which needs no other change.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/tree_lib.sh

PERCENT_MAX=70
linux_source "$WORK/linux" || exit
out=$WORK/kernel
gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared tests/mip/pages_plugin.c -o "$WORK/plugin.so" || exit

# The kernel starts this program, which switches the machine off.
mkdir -p "$WORK/root/dev"
cat >"$WORK/init.c" <<'END'
#include <sys/reboot.h>
int main(void) { return reboot(RB_AUTOBOOT); }
END
gcc -static -O1 "$WORK/init.c" -o "$WORK/root/init" || exit
(cd "$WORK/root" && find . | cpio -o -H newc --quiet) >"$WORK/initramfs"

# kernel [WORD...]: builds the kernel.
kernel() { linux_make "$out" KCFLAGS=-ffunction-sections KCPPFLAGS=-DCONFIG_LD_DEAD_CODE_DATA_ELIMINATION "$@" bzImage; }
symbol() { awk -v name="$1" '$3 == name { print $1; exit }' "$WORK/symbols"; }
# pages NAME: boots the kernel, and stores the addresses of the pages in NAME, and the order of functions in NAME.order.
pages() {
	nm "$out/vmlinux" >"$WORK/symbols"
	awk '$2 ~ /^[tT]$/ { print $1, $3 }' "$WORK/symbols" >"$WORK/functions"
	stop=$(symbol run_init_process)
	rm -f "$1"
	timeout 600 qemu-system-x86_64 -machine pc -cpu max -accel tcg -m 256 -nodefaults -no-user-config -no-reboot -display none \
		-monitor none -serial "file:$1.console" -kernel "$out/arch/x86/boot/bzImage" -initrd "$WORK/initramfs" \
		-append "console=ttyS0 panic=-1 nokaslr" \
		-plugin "$WORK/plugin.so,start=$(symbol _stext),end=$(symbol _etext),stop=$stop,out=$1,functions=$WORK/functions"
	[ -s "$1" ] && [ -s "$1.order" ] && grep -aq 'Run /init as init process' "$1.console"
}

# shellcheck disable=SC2086
check "the kernel is configured" linux_config "$out" 64BIT=y SMP=y NR_CPUS=2 PRINTK=y TTY=y SERIAL_8250=y SERIAL_8250_CONSOLE=y \
	UNWINDER_ORC=y BLK_DEV_INITRD=y BINFMT_ELF=y BINFMT_SCRIPT=y PROC_FS=y SYSFS=y DEVTMPFS=y TMPFS=y SHMEM=y MULTIUSER=y \
	FUTEX=y EPOLL=y PANIC_ON_OOPS=y
check "the kernel builds" kernel
check "functions have sections of their own" test "$(readelf -SW "$out/kernel/fork.o" | grep -c ' \.text\.')" -gt 20
check "no section is left over" not grep 'is being placed in' "$out.log"
check "the kernel boots" pages "$WORK/before"
check "lld takes the list" kernel LD="ld.lld-$LINUX_LLVM --symbol-ordering-file $WORK/before.order --no-warn-symbol-ordering"
check "the kernel boots" pages "$WORK/after"
before=$(wc -l <"$WORK/before")
after=$(wc -l <"$WORK/after")
check "pages of kernel text until init: $before, with the list $after" test $((after * 100)) -le $((before * PERCENT_MAX))
