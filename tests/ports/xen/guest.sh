# SPDX-License-Identifier: BSD-2-Clause
# guest.sh - functions for test scripts that run in a domain of Xen. For each case, a function prints one line with the
# result. The test outside of the domain reads these lines.
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
