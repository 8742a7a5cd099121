#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_one.sh TEST LOG: runs one test for run.sh. It prints the output of the test and appends it to LOG. The output
# stays in one piece, even if other tests run at the same time. run_one.sh appends the time of the test to
# build/tests/times.new. If BAREPROF_PASSED names a folder, run_one.sh stores the output of a passed test in that
# folder, but not if the tree has changed since BAREPROF_TREE was computed.
#
# run_one.sh --name TEST: prints the name of the test.
if [ "$1" = --name ]; then
	only=1
	shift
fi
name=${1#build/}
name=${name#tests/}
name=${name%.sh}
name=${name%/test}
if [ -n "${only-}" ]; then
	echo "$name"
	exit 0
fi
said=build/tests/$name.said
mkdir -p "$(dirname "$said")"
start=$(date +%s)
case $1 in
*.sh) sh "$1" ;;
*) "$1" ;;
esac >"$said" 2>&1 </dev/null
status=$?
took=$(($(date +%s) - start))
# The second line of the output has the user and system time of child processes, for example: 0m1.5s 0m0.25s
times >"$said.times"
cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "$said.times")
if [ $status -ne 0 ]; then
	echo "not ok - $name ended with status $status" >>"$said"
elif ! grep -aEq '^(ok|not ok|skip) - ' "$said"; then
	echo "not ok - $name printed no case" >>"$said"
fi
if [ -n "$BAREPROF_PASSED" ] && ! grep -aEq '^(not ok|skip) - ' "$said" && [ "$(sh tests/tree.sh)" = "$BAREPROF_TREE" ]; then
	mkdir -p "$(dirname "$BAREPROF_PASSED/$name")"
	# The output is copied first and then renamed in one step, so that a stored output is always complete.
	cp "$said" "$BAREPROF_PASSED/$name.part" && mv "$BAREPROF_PASSED/$name.part" "$BAREPROF_PASSED/$name.said"
fi
(
	flock 9
	echo "== $name"
	cat "$said"
	cat "$said" >>"$2"
	echo "$name $took $cpu" >>build/tests/times.new
	echo "   $took s, $cpu s of CPU"
) 9>build/tests/lock
