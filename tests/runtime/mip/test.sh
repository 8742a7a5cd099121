# SPDX-License-Identifier: BSD-2-Clause
# mip - tests the runtime of machine profiles.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../../lib.sh"

here=tests/runtime/mip
newest=$(newest_clang)

# first NAME RUN COMPILER...: compiles the function for first calls with COMPILER, and runs the cases of first.c with
# the command RUN.
first() {
	name=$1
	run=$2
	shift 2
	case $name in x86_64*) arch=x86_64 ;; *) arch=arm ;; esac
	"$@" -O2 -g -std=gnu99 -ffreestanding -fno-stack-protector -Iinclude -nostdlib -static -Wl,-z,noexecstack \
		$here/first.c $here/first.S arch/$arch/mip_first.c -o "$WORK/$name" && $run "$WORK/$name" && return
	echo "status $?: the number of the case in first.c, or 100 more if a register was changed"
	return 1
}
for at in "" -DAT; do
	mode=${at:+, atomic}
	check "first calls: x86_64, gcc$mode" first x86_64-gcc "" gcc -fno-pie -no-pie $at
	check "first calls: x86_64, clang-$newest$mode" first x86_64-clang "" clang-$newest -fuse-ld=lld-$newest -fno-pie -no-pie $at
	check "first calls: AArch64, gcc$mode" first aarch64-gcc qemu-aarch64 aarch64-linux-gnu-gcc -no-pie $at
	check "first calls: AArch64, clang-$newest$mode" first aarch64-clang qemu-aarch64 \
		clang-$newest --target=aarch64-linux-gnu -fuse-ld=lld-$newest -no-pie $at
	check "first calls: Arm, gcc$mode" first arm-gcc qemu-arm arm-none-eabi-gcc -march=armv7-a -marm $at
	check "first calls: Thumb-2, gcc$mode" first thumb-gcc qemu-arm arm-none-eabi-gcc -march=armv7-a -mthumb $at
	check "first calls: Thumb-2, clang-$newest$mode" first thumb-clang qemu-arm \
		clang-$newest --target=armv7a-linux-gnueabi -mthumb -fuse-ld=lld-$newest $at
done
microbit="qemu-system-arm -machine microbit -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel"
check "first calls: Armv6-M, gcc" first armv6-m-gcc "$microbit" arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb \
	-Wl,--section-start=.vectors=0,-Ttext=0x100,-Tdata=0x20001000,-Tbss=0x20001100
