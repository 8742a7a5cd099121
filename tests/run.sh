#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh TEST...: run test scripts or programs, as many at a time as there are CPUs or
# BAREPROF_JOBS says, show what each says when it ends, and count: the last line is
# "N passed, N failed, N skipped". A test that exits with an error, or that says nothing,
# has failed.
#
# With BAREPROF_RESUME=1 a test is not run again that passed before, nothing of it skipped,
# for this very tree; what it said then is counted. build/tests/passed remembers it.
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
	[ -z "$over" ] || echo "== passed before, for this very tree, $(grep -a -c '^ok - ' "$log") cases:$over"
fi

# Longest first, as far as it is known, so that no processor idles at the end. What never
# ran is as the caller has it, and before the others.
touch "$times"
for test; do echo "$(sh tests/run_one.sh --name "$test") $test"; done |
	awk 'FILENAME != "-" { took[$1] = $2; next } { print ($1 in took ? took[$1] : 1000000 - FNR), $2 }' "$times" - |
	sort -s -k1,1nr | cut -d' ' -f2 |
	xargs -r -P "${BAREPROF_JOBS:-$(nproc)}" -I TEST sh tests/run_one.sh TEST "$log" ||
	echo "not ok - a test did not come to its end" | tee -a "$log"

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
