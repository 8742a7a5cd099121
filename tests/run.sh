#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh TEST...: run test scripts or programs, as many at a time as there are CPUs or
# BAREPROF_JOBS says, show what each says when it ends, and count: the last line is
# "N passed, N failed, N skipped". A test that exits with an error, or that says nothing,
# has failed.
log=build/tests/log
mkdir -p build/tests
: >"$log"
for test; do echo "$test"; done | xargs -P "${BAREPROF_JOBS:-$(nproc)}" -I TEST sh tests/run_one.sh TEST "$log" ||
	echo "not ok - a test did not come to its end" | tee -a "$log"
passed=$(grep -a -c '^ok - ' "$log")
failed=$(grep -a -c '^not ok - ' "$log")
skipped=$(grep -a -c '^skip - ' "$log")
if [ "$failed" -ne 0 ]; then
	echo "== failed:"
	grep -a '^not ok - ' "$log"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
