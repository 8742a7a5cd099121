#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# each.sh OUT TEST...: runs each program TEST in dom0, and stores the profile of the hypervisor during
# the test in OUT/NAME.profdata. NAME is the file name of the program. If OUT has a profile of the test
# already, both profiles are added up. The status is 1 if a test failed, and 3 if a profile is missing.
bareprof=${BAREPROF:-bareprof}
[ $# -ge 2 ] && mkdir -p "$1" || { echo "usage: each.sh OUT TEST..." >&2; exit 2; }
out=$1
status=0
shift
for test; do
	profile=$out/$(basename "$test").profdata
	earlier=
	[ ! -e "$profile" ] || earlier=$profile
	"$bareprof" reset --from xen xen >/dev/null || exit 3
	"$test" && verdict=passed || { verdict="failed, status $?"; status=1; }
	"$bareprof" pull --from xen -o "$profile.new" xen || exit 3
	"$bareprof" merge -o "$profile.sum" "$profile.new" ${earlier:+"$earlier"} || exit 3
	mv "$profile.sum" "$profile" && rm "$profile.new" || exit 3
	echo "$(basename "$test"): $verdict"
done
exit $status
