#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mcdc.sh: tests a kernel in which lib/ and fs/ are compiled by the newest clang with MC/DC. KUnit must pass, and
# llvm-cov's report must have conditions of decisions.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

LINUX_LLVM=22
linux_source "$WORK/linux" || exit
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
O=$WORK/O
# shellcheck disable=SC2086
check "it is configured" linux_config "$O" $LINUX_X86 BAREPROF=y BAREPROF_MCDC=y 'BAREPROF_PROFILE_DIRS="lib fs"'
check "a kernel builds" linux_make "$O" bzImage
guest=$WORK/root
linux_root "$guest"
cat >"$guest/test/run" <<'END_OF_RUN'
mkdir /mnt && mke2fs /dev/ram0 && mount -t ext2 /dev/ram0 /mnt && cp -R /bin /mnt/ && umount /mnt || exit
cd /sys/kernel/debug/bareprof/vmlinux && cp info profraw capture /out/
END_OF_RUN
linux_initramfs "$guest" "$WORK/initramfs"
OUT=$WORK/out
check "the kernel boots, and its profile is read" linux_boot "$O/arch/x86/boot/bzImage" "$WORK/initramfs" "$OUT"
check "KUnit: $(kunit)" kunit_passed
check "info: MC/DC" test "$(says info kind)" = "coverage, MC/DC" -a "$(says info 'bitmap bytes')" -gt 1000
check "llvm-cov makes a report" reported "$O/vmlinux" profraw --show-mcdc-summary
check "llvm-cov: $(functions profraw) functions, and $(ran profraw) of them ran" test "$(functions profraw)" -gt 3000 -a "$(ran profraw)" -gt 500
conditions=$(awk '/^TOTAL/ { print $(NF - 2), $(NF - 2) - $(NF - 1) }' "$OUT/profraw.report")
check "llvm-cov: ${conditions% *} conditions, of which ${conditions#* } are covered" test "${conditions% *}" -gt 3000 -a "${conditions#* }" -gt 100
check "ext2 was mounted once" test "$(count ext2_fill_super profraw)" = 1
check "the capture and vmlinux make a profile" "$BAREPROF" pull "$OUT/capture" --elf "$O/vmlinux" -o "$OUT/pulled"
check "llvm-cov makes a report of it" reported "$O/vmlinux" pulled --show-mcdc-summary
check "it has as many functions" test "$(functions pulled)" = "$(functions profraw)"
