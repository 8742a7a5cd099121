#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh TEST...: runs test scripts or programs, and counts their cases. BAREPROF_JOBS is the number of tests that run
# at the same time. By default it is the number of CPUs plus 1, because some tests mostly wait. The output of each test
# is shown when the test ends. The last line is "N passed, N failed, N skipped". A test has failed if it exits with an
# error or prints no case.
#
# With BAREPROF_RESUME=1, a test does not run again if it passed before for exactly this tree and skipped nothing. Its
# earlier output, which is stored in build/tests/passed, counts instead.
log=build/tests/log
times=build/tests/times
BAREPROF_PASSED=
BAREPROF_TREE=
export BAREPROF_PASSED BAREPROF_TREE
mkdir -p build/tests
: >"$log"
: >"$times.new"
. tests/path.sh

if [ "${BAREPROF_RESUME:-0}" = 1 ]; then
	BAREPROF_PASSED=build/tests/passed
	BAREPROF_TREE=$(sh tests/tree.sh)
	[ "$(cat $BAREPROF_PASSED/tree 2>/dev/null)" = "$BAREPROF_TREE" ] || rm -rf $BAREPROF_PASSED
	mkdir -p $BAREPROF_PASSED
	echo "$BAREPROF_TREE" >$BAREPROF_PASSED/tree
	over=
	for test; do
		shift
		name=$(sh tests/run_one.sh --name "$test")
		if [ -e "$BAREPROF_PASSED/$name.said" ]; then
			cat "$BAREPROF_PASSED/$name.said" >>"$log"
			over="$over $name"
		else
			set -- "$@" "$test"
		fi
	done
	[ -z "$over" ] || echo "== passed before for this tree, $(grep -a -c '^ok - ' "$log") cases:$over"
fi

# The longest tests run first, so that no CPU idles at the end. Tests that never ran come before all others, in the
# caller's order, because their times are not known.
touch "$times"
for test; do echo "$(sh tests/run_one.sh --name "$test") $test"; done |
	awk 'FILENAME != "-" { took[$1] = $2; next } { print ($1 in took ? took[$1] : 1000000 - FNR), $2 }' "$times" - |
	sort -s -k1,1nr | cut -d' ' -f2 |
	xargs -r -P "${BAREPROF_JOBS:-$(($(nproc) + 1))}" -I TEST sh tests/run_one.sh TEST "$log" ||
	echo "not ok - a test was interrupted" | tee -a "$log"

if [ -s "$times.new" ]; then
	echo "== slowest:"
	sort -k2,2nr "$times.new" | awk 'NR <= 12 { printf "   %-28s %4d s, %4d s of CPU\n", $1, $2, $3 }
		{ cpu += $3 } END { printf "   all %d: %d s of CPU\n", NR, cpu }'
fi
awk '{ took[$1] = $0 } END { for (name in took) print took[name] }' "$times" "$times.new" | sort >"$times.all" &&
	mv "$times.all" "$times"
passed=$(grep -a -c '^ok - ' "$log")
failed=$(grep -a -c '^not ok - ' "$log")
skipped=$(grep -a -c '^skip - ' "$log")
if [ "$failed" -ne 0 ]; then
	echo "== failed:"
	grep -a '^not ok - ' "$log"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
