#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh TEST...: run test scripts or programs one after the other, show what
# they say, and count: the last line is "N passed, N failed, N skipped". A test
# that exits with an error, or that says nothing, has failed.
log=build/tests/log
mkdir -p build/tests
: >"$log"
for test; do
	name=$(basename "$test" .sh)
	echo "== $name"
	start=$(date +%s)
	case $test in
	*.sh) set -- sh "$test" ;;
	*) set -- "$test" ;;
	esac
	"$@" >build/tests/one 2>&1
	status=$?
	cat build/tests/one
	cat build/tests/one >>"$log"
	if [ $status -ne 0 ]; then
		echo "not ok - $name ended with status $status" | tee -a "$log"
	elif ! grep -aEq '^(ok|not ok|skip) - ' build/tests/one; then
		echo "not ok - $name tested nothing" | tee -a "$log"
	fi
	echo "   $(($(date +%s) - start)) s"
done
passed=$(grep -a -c '^ok - ' "$log")
failed=$(grep -a -c '^not ok - ' "$log")
skipped=$(grep -a -c '^skip - ' "$log")
if [ "$failed" -ne 0 ]; then
	echo "== failed:"
	grep -a '^not ok - ' "$log"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
