#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# arm64.sh: tests a kernel for arm64 on QEMU's virt machine, in which lib/ and fs/ are instrumented. KUnit must pass,
# and the guest must be able to read the profile and the capture from debugfs. Debian has busybox only for the
# architecture of the host, so the guest's first program is tests/ports/linux/init.c.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

LINUX_ARCH=ARCH=arm64
LINUX_MACHINE=aarch64
linux_source "$WORK/linux" || exit
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
O=$WORK/O
# shellcheck disable=SC2086
check "it is configured" linux_config "$O" $LINUX_ARM64 BAREPROF=y 'BAREPROF_PROFILE_DIRS="lib fs"'
check "a kernel builds" linux_make "$O" Image headers

mkdir "$WORK/root"
check "a first program builds" "clang-$LINUX_LLVM" --target=aarch64-linux-gnu -Os -Wall -Werror -static -nostdlib -nostdlibinc -fuse-ld=lld \
	-fno-stack-protector -isystem "$O/usr/include" -include "$LINUX_TREE/tools/include/nolibc/nolibc.h" \
	tests/ports/linux/init.c -o "$WORK/root/init"
mkdir "$WORK/root/dev" "$WORK/root/sys"
linux_initramfs "$WORK/root" "$WORK/initramfs"
OUT=$WORK/out
check "the kernel boots, and its profile is read" linux_boot "$O/arch/arm64/boot/Image" "$WORK/initramfs" "$OUT"
check "KUnit: $(kunit)" kunit_passed
check "info: live" test "$(says info state) $(says info kind)" = "live coverage"
check "llvm-cov makes a report" reported "$O/vmlinux" profraw
check "llvm-cov: $(functions profraw) functions, and $(ran profraw) of them ran" test "$(functions profraw)" -gt 3000 -a "$(ran profraw)" -gt 500
grep -oE '^[^ ]*\.c ' "$OUT/profraw.report" >"$OUT/sources"
# Code of libfdt is also instrumented, because files of lib/ include its sources.
check "only files of lib/ and fs/ count: $(wc -l <"$OUT/sources") files" not grep -vE '(^|/)(lib|fs|libfdt)/' "$OUT/sources"
check "list_sort() ran" test "$(count list_sort profraw)" -gt 0
check "the capture and vmlinux make a profile" "$BAREPROF" pull "$OUT/capture" --elf "$O/vmlinux" -o "$OUT/pulled"
check "llvm-cov makes a report of it" reported "$O/vmlinux" pulled
check "it has as many functions" test "$(functions pulled)" = "$(functions profraw)"
