# SPDX-License-Identifier: BSD-2-Clause
# guest.sh - a function for tests of `bareprof run` in which a script pretends to be QEMU. The script writes its process
# id to the file $WORK/pid.
# shellcheck shell=sh

# gone: succeeds if the process whose id is in the file pid has ended or is a zombie.
gone() {
	state=$(sed 's/.*) //' "/proc/$(cat "$WORK/pid")/stat" 2>/dev/null | cut -c1)
	[ -z "$state" ] || [ "$state" = Z ]
}
