#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kernel.sh: tests a whole kernel (x86_64, two CPUs, lockdep). If bareprof is installed in the tree and not enabled in
# the configuration, vmlinux must stay the same. If all code is instrumented, the build must take only a little longer,
# and the kernel must boot and pass KUnit. The profiles of the kernel and of a module are read from debugfs, as raw
# profile and as capture. The profile of the module is read before and after the module is unloaded. The script prints
# the costs.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

FUNCTIONS_MIN=20000
CPU_MAX=1.15

linux_source "$WORK/linux" || exit
# Every kernel contains the user, the host and the time of its build. These variables set all three, so that they are
# the same in all kernels.
export KBUILD_BUILD_TIMESTAMP=1 KBUILD_BUILD_USER=bareprof KBUILD_BUILD_HOST=bareprof KBUILD_BUILD_VERSION=1

sections() { "llvm-readelf-$LINUX_LLVM" -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' | awk -v name="$2" '$1 == name { print $5; found = 1 } END { if (!found) print 0 }'; }

BASE=$WORK/base
COVERAGE=$WORK/coverage
PLAIN=$LINUX_TREE
cp -al "$PLAIN" "$WORK/installed"
LINUX_TREE=$WORK/installed
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
# shellcheck disable=SC2086
check "it is configured, with all code counting" linux_config "$COVERAGE" $LINUX_X86 $LINUX_LOCKDEP BAREPROF=y BAREPROF_PROFILE_ALL=y

# Both kernels are built at the same time, so that other work on this machine slows down both builds.
timed "$WORK/coverage.cpu" linux_make "$COVERAGE" bzImage modules >"$WORK/coverage.said" 2>&1 &
LINUX_TREE=$PLAIN
# shellcheck disable=SC2086
check "a kernel without bareprof is configured" linux_config "$BASE" $LINUX_X86 $LINUX_LOCKDEP
check "a kernel without bareprof builds" timed "$WORK/base.cpu" linux_make "$BASE" bzImage modules
check "a kernel that counts builds" wait $!
cat "$WORK/coverage.said"
warnings "$BASE"
warnings "$COVERAGE"
check "there are no additional warnings" not sh -c "grep . '$COVERAGE.warnings' | grep -vxF -f '$BASE.warnings'"
ratio=$(awk -v a="$(cat "$WORK/base.cpu")" -v b="$(cat "$WORK/coverage.cpu")" 'BEGIN { printf "%.3f", a ? b / a : 99 }')
check "CPU time to build: $ratio of that without bareprof" awk -v r="$ratio" -v max="$CPU_MAX" 'BEGIN { exit !(r > 0.5 && r <= max) }'

# Installs bareprof into the source tree and builds the kernel again, without enabling bareprof. vmlinux must not
# change.
cp "$BASE/vmlinux" "$WORK/vmlinux"
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
check "a kernel with bareprof that is not enabled builds" linux_make "$BASE" olddefconfig bzImage modules
check "its linker script is new" test "$BASE/arch/x86/kernel/vmlinux.lds" -nt "$WORK/vmlinux"
check "vmlinux is the same, byte for byte" cmp "$BASE/vmlinux" "$WORK/vmlinux"

# The script for the guest. After KUnit, it loads a module with a file system, uses it, unloads it, and reads all
# profiles.
cat >"$WORK/run" <<'END_OF_RUN'
b=/sys/kernel/debug/bareprof
# took NAME COMMAND...: runs COMMAND, and stores the number of seconds that it took by the guest's clock.
took() {
	name=$1
	shift
	start=$(cut -d ' ' -f 1 /proc/uptime)
	"$@" || exit
	awk -v name="$name" -v a="$start" '{ printf "%s %.2f\n", name, $1 - a }' /proc/uptime >>/out/took
}
awk '{ print "boot", $1 }' /proc/uptime >/out/took
# In the kernel without bareprof, only the time of the boot is measured.
test -d $b || exit 0
ls $b >/out/first
cat $b/vmlinux/info >/out/info
took profraw cp $b/vmlinux/profraw /out/vmlinux.profraw
took capture cp $b/vmlinux/capture /out/vmlinux.capture

insmod ./minix.ko && ls $b >/out/second || exit
cat minix.image >/dev/ram0 && mkdir /mnt && mount -t minix /dev/ram0 /mnt && cp /init run /mnt/ && cat /mnt/run >/dev/null && sync && umount /mnt || exit
cp $b/minix/profraw /out/minix.profraw && cp $b/minix/capture /out/minix.capture && cp $b/minix/info /out/minix.info || exit
rmmod minix && cp $b/minix/profraw /out/gone.profraw && cp $b/minix/info /out/gone.info || exit
echo 1 >$b/minix/reset && ls $b >/out/third || exit

took reset eval "echo 1 >$b/vmlinux/reset"
mke2fs /dev/ram0 && mount -t ext2 /dev/ram0 /mnt && cp -R /bin /mnt/ && find /mnt | sort >/dev/null && umount /mnt || exit
cp $b/vmlinux/profraw /out/ext2.profraw || exit
END_OF_RUN
guest=$WORK/root
linux_root "$guest"
cp "$WORK/run" "$guest/test/run"
cp "$COVERAGE/fs/minix/minix.ko" "$guest/test/"
truncate -s 4M "$guest/test/minix.image"
check "a file system for the module is made" /sbin/mkfs.minix "$guest/test/minix.image"
linux_initramfs "$guest" "$WORK/initramfs"
OUT=$WORK/out
check "the kernel boots, passes KUnit, and its profile is read; lockdep and all else are silent" linux_boot "$COVERAGE/arch/x86/boot/bzImage" "$WORK/initramfs" "$OUT"
OTHER=$WORK/other
check "the kernel without bareprof boots" linux_boot "$BASE/arch/x86/boot/bzImage" "$WORK/initramfs" "$OTHER"
check "lockdep was on" grep -aq 'Lock dependency validator' "$OUT/console.log"

# Checks the output of the guest.
check "KUnit: $(kunit)" kunit_passed
check "debugfs has only vmlinux at first" test "$(cat "$OUT/first")" = vmlinux
check "debugfs has the module when it is loaded" test "$(tr '\n' ' ' <"$OUT/second")" = "minix vmlinux "
check "debugfs does not have it after it is unloaded and reset" test "$(cat "$OUT/third")" = vmlinux
check "info: vmlinux is live" test "$(says info state) $(says info kind)" = "live coverage"
check "info: the size of the profile" test "$(says info 'profraw bytes')" = "$(size "$OUT/vmlinux.profraw")"
check "info: minix is live" test "$(says minix.info state)" = live
check "info: minix is gone" test "$(says gone.info state) $(says gone.info 'kept loads')" = "gone 1"

check "llvm-cov makes a report" reported "$COVERAGE/vmlinux" vmlinux.profraw
check "llvm-cov: $(functions vmlinux.profraw) functions, and $(ran vmlinux.profraw) of them ran" \
	test "$(functions vmlinux.profraw)" -gt $FUNCTIONS_MIN -a "$(ran vmlinux.profraw)" -gt 5000
check "llvm-cov prints no warnings" not grep -v '^$' "$OUT/vmlinux.profraw.err"
check "start_kernel() ran once" test "$(count start_kernel vmlinux.profraw)" = 1
check "the capture and vmlinux make a profile" "$BAREPROF" pull "$OUT/vmlinux.capture" --elf "$COVERAGE/vmlinux" -o "$OUT/capture.profraw"
check "it has the same size" test "$(size "$OUT/capture.profraw")" = "$(size "$OUT/vmlinux.profraw")"
check "llvm-cov makes a report of it" reported "$COVERAGE/vmlinux" capture.profraw
check "it has as many functions" test "$(functions capture.profraw)" = "$(functions vmlinux.profraw)"
check "start_kernel() ran once in it" test "$(count start_kernel capture.profraw)" = 1
check "llvm-cov makes a report of the time after a reset" reported "$COVERAGE/vmlinux" ext2.profraw
check "start_kernel() did not run in it, ext2 did" test "$(count start_kernel ext2.profraw) $(count ext2_fill_super ext2.profraw)" = "0 1"
check "minix: llvm-cov makes a report" reported "$COVERAGE/fs/minix/minix.ko" minix.profraw
check "minix: $(ran minix.profraw) of $(functions minix.profraw) functions ran" test "$(ran minix.profraw)" -gt 20
check "minix: mounted once" test "$(count minix_fill_super minix.profraw)" = 1
check "minix, unloaded: llvm-cov makes a report" reported "$COVERAGE/fs/minix/minix.ko" gone.profraw
check "minix, unloaded: still mounted once" test "$(count minix_fill_super gone.profraw)" = 1
# CPUs that count at the same time can make impossible counts, which bareprof shows as 0. --compare gives llvm-cov the same.
check "bareprof report prints the same report" \
	"$BAREPROF" report --compare --allow-torn --allow-incomplete "$COVERAGE/vmlinux" "$OUT/vmlinux.profraw"

took() { sed -n "s/^$1 //p" "$OUT/took"; }
row() { printf '    %-34s %14s %14s\n' "$@"; }
row "" without "all counts"
row "build, CPU s" "$(cat "$WORK/base.cpu")" "$(cat "$WORK/coverage.cpu")"
row "bzImage, bytes" "$(size "$BASE/arch/x86/boot/bzImage")" "$(size "$COVERAGE/arch/x86/boot/bzImage")"
row "vmlinux, bytes" "$(size "$BASE/vmlinux")" "$(size "$COVERAGE/vmlinux")"
for section in .text __llvm_prf_cnts __llvm_prf_data __llvm_prf_names; do
	row "$section, bytes" $((0x$(sections "$BASE/vmlinux" $section))) $((0x$(sections "$COVERAGE/vmlinux" $section)))
done
row "profraw, bytes" - "$(size "$OUT/vmlinux.profraw")"
row "capture, bytes" - "$(size "$OUT/vmlinux.capture")"
row "boot with KUnit, s in QEMU" "$(sed -n 's/^boot //p' "$OTHER/took")" "$(took boot)"
row "read profraw, s" - "$(took profraw)"
row "read capture, s" - "$(took capture)"
row "reset, s" - "$(took reset)"
