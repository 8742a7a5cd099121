# SPDX-License-Identifier: BSD-2-Clause
# sample_load.sh - runs in a guest: a load that works with files, directories and processes for $1 seconds. Each of two
# CPUs has its own program, because the scheduler places programs differently each time.
rm -f /tmp/stop
cat >/tmp/again <<'END'
while ! test -e /tmp/stop; do
	dd if=/dev/zero of=/tmp/file.$1 bs=4k count=2000
	dd if=/tmp/file.$1 bs=256 of=/dev/null
	find /bin /proc/1 /sys/kernel/mm /sys/class
done >/dev/null 2>&1
END
taskset 1 sh /tmp/again 1 &
taskset 2 sh /tmp/again 2 &
sleep "$1"
touch /tmp/stop
killall dd find 2>/dev/null
wait
