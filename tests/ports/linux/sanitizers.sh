#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sanitizers.sh: tests kernels that detect invalid memory accesses (KASAN) and data races (KCSAN). All code of these
# kernels is instrumented, and the KASAN kernel also records values. A module is loaded, unloaded and reset. At the same
# time, the counters of the kernel are reset, and all profiles are read. The kernels must not complain.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

TURNS=20
LINUX_TIME=600
# KUnit is left out, because KASAN has KUnit tests of its own that fail on purpose.
OPTIONS=$(echo "$LINUX_X86" | sed 's/RUNTIME_TESTING_MENU=y//; s/KUNIT[A-Z_]*=y//g')

linux_source "$WORK/linux" || exit
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
guest=$WORK/root
linux_root "$guest"
truncate -s 4M "$guest/test/minix.image"
check "a file system for the module is made" /sbin/mkfs.minix "$guest/test/minix.image"
cat >"$guest/test/run" <<END_OF_RUN
b=/sys/kernel/debug/bareprof
for reader in 1 2; do
	(while :; do for file in \$b/*/profraw \$b/*/capture \$b/*/info; do cat \$file; done; done >/dev/null 2>&1) &
done
cat minix.image >/dev/ram0 && mkdir /mnt || exit
turns=0
while [ \$turns -lt $TURNS ]; do
	insmod ./minix.ko && mount -t minix /dev/ram0 /mnt && cp run /mnt/ && umount /mnt && rmmod minix || exit
	echo 1 >\$b/vmlinux/reset || exit
	[ \$((turns % 2)) -eq 0 ] || echo 1 >\$b/minix/reset || exit
	turns=\$((turns + 1))
done
kill %1 %2
ls \$b >/out/left
cp \$b/vmlinux/info \$b/vmlinux/profraw \$b/vmlinux/capture /out/
END_OF_RUN

# sanitized NAME OPTION...: builds and tests a kernel with these options.
sanitized() {
	name=$1
	shift
	O=$WORK/$name
	OUT=$WORK/$name.out
	# shellcheck disable=SC2086
	check "$name: it is configured" linux_config "$O" $OPTIONS BAREPROF=y BAREPROF_PROFILE_ALL=y "$@"
	check "$name: a kernel builds" linux_make "$O" bzImage modules
	cp "$O/fs/minix/minix.ko" "$guest/test/"
	linux_initramfs "$guest" "$WORK/initramfs"
	check "$name: it boots, and does not complain" linux_boot "$O/arch/x86/boot/bzImage" "$WORK/initramfs" "$OUT"
	check "$name: the sanitizer is in the kernel" grep -aqi "$name" "$O/System.map"
	check "$name: $TURNS resets" test "$(says info resets)" = $TURNS
	check "$name: the directory of the module is gone after its reset" test "$(cat "$OUT/left")" = vmlinux
	check "$name: LLVM reads the profile" "llvm-profdata-$LINUX_LLVM" show "$OUT/profraw"
	check "$name: bareprof reads the capture" "$BAREPROF" pull "$OUT/capture" --elf "$O/vmlinux" -o "$OUT/pulled"
}
sanitized KASAN KASAN=y KASAN_GENERIC=y STACKTRACE=y BAREPROF_PGO=y
sanitized KCSAN KCSAN=y
