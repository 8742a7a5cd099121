# SPDX-License-Identifier: BSD-2-Clause
# sample_guest.sh - runs in a guest: samples a load, and lets perf sample the same load. Both take turns, because the speed
# of an emulated CPU changes with the other work of the host. It stores in /out what the host compares.
s=/sys/kernel/debug/bareprof/vmlinux/sample
wanted=100000
seconds=3
set -e
interrupts() { sed -n 's/^interrupts: //p' $s/info; }
grep -v '\[' /proc/kallsyms >/out/kallsyms
cat /sys/kernel/notes >/out/notes
# perf must not lower its rate when the emulated CPU is slow.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 9973 >$s/rate
echo timer >$s/source
sh ./load $seconds
round=0
while [ "$(interrupts)" -lt $wanted ]; do
	round=$((round + 1))
	echo 1 >$s/enable
	sh ./load $seconds
	echo 0 >$s/enable
	/usr/bin/perf record -q -e cpu-clock -F 9973 -a -m 4M -o /out/perf.$round -- sh ./load $seconds
done
cat $s/info >/out/info
cat $s/capture >/out/all.load

# A CPU goes and comes back while samples are taken and two processes read them.
echo auto >$s/source
echo 1 >$s/enable
for i in 1 2 3; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	cat $s/capture >/out/all.$i.1
	echo 1 >/sys/devices/system/cpu/cpu1/online
	cat $s/capture >/out/all.$i.2 &
	cat $s/capture >/out/all.$i.3
	wait
done
sh ./load $seconds
cat $s/info >/out/on
echo 0 >$s/enable
cat $s/capture >/out/all.last
cat $s/info >/out/off

# refused WHAT COMMAND: the command must fail.
refused() { if sh -c "$2" 2>/dev/null; then echo "$1"; fi; }
{
	refused "a rate of 0" "echo 0 >$s/rate"
	refused "a rate of 50001" "echo 50001 >$s/rate"
	refused "an unknown source" "echo clock >$s/source"
	refused "a long word" "echo 01234567890123456789 >$s/source"
	refused "enable 2" "echo 2 >$s/enable"
	refused "writing to info" "echo 1 >$s/info"
	echo 1 >$s/enable
	refused "a new rate while samples are on" "echo 5 >$s/rate"
	refused "a new source while samples are on" "echo auto >$s/source"
	echo 1 >$s/reset
} >/out/accepted
