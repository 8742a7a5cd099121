# SPDX-License-Identifier: BSD-2-Clause
# mip_guest.sh - runs in the guest of mip_kernel.sh, after KUnit. It saves the machine profile of the boot. Then it
# resets the machine profile, starts the kernel's function profiler if the kernel has one, works, and saves both.
b=/sys/kernel/debug/bareprof/vmlinux
t=/sys/kernel/debug/tracing
test -d $b || exit 0
set -e
cp $b/info /out/info
cp $b/mipraw /out/boot.mipraw
cp $b/capture /out/boot.capture

work() {
	find /sys/kernel /proc/sys -type f >/dev/null
	mkdir -p /tmp/a/b
	for i in 1 2 3; do
		dd if=/dev/zero of=/tmp/a/file bs=4k count=100
		cat /tmp/a/file >/tmp/a/b/copy
		sh -c 'echo hello | cat | wc -c' >/dev/null
	done
	ln -s /tmp/a/file /tmp/a/link
	cat /tmp/a/link >/dev/null
	rm -rf /tmp/a
	mount -t tmpfs none /tmp
	umount /tmp
	cat $b/info $b/mipraw >/dev/null
	sleep 1
}
# What runs between the reset and the start of the profiler, or between the ends of both, also runs during the work.
both() {
	test ! -e $t/function_profile_enabled || echo 1 >$t/function_profile_enabled
	echo 1 >$b/reset
	work
	cat $b/mipraw >/tmp/work.mipraw
	test ! -e $t/function_profile_enabled || echo 0 >$t/function_profile_enabled
}
mount -t tmpfs none /tmp
both
both
cp /tmp/work.mipraw /out/
test ! -e $t/function_profile_enabled || for i in 0 1; do cp $t/trace_stat/function$i /out/hits$i; done
