# SPDX-License-Identifier: BSD-2-Clause
# guest.sh - functions for scripts that run in domains. They print cases as lines for the test outside of the guest.
# shellcheck shell=sh
b=/test/bareprof
ok() { echo "ok - guest: $*"; }
check() {
	what=$1
	shift
	if "$@" >/tmp/log 2>&1; then ok "$what"; else echo "not ok - guest: $what" && sed 's/^/    /' /tmp/log; fi
}
# refused WHAT STATUS PATTERN WORD...: bareprof with these arguments must exit with STATUS and print one line that
# matches PATTERN.
refused() {
	what=$1
	status=$2
	pattern=$3
	shift 3
	"$b" "$@" >/tmp/log 2>&1
	got=$?
	if [ $got -eq "$status" ] && [ "$(wc -l </tmp/log)" -eq 1 ] && grep -Eq "$pattern" /tmp/log; then
		ok "$what"
	else
		echo "not ok - guest: $what: status $got" && sed 's/^/    /' /tmp/log
	fi
}
