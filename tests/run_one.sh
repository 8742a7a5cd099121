#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_one.sh TEST LOG: a test of run.sh's. What it says goes to standard output and behind
# LOG in one piece, whatever other tests do meanwhile; how long it took, to build/tests/times.new.
# With BAREPROF_PASSED, a folder, one that passed is remembered there, if the tree is still
# the one of BAREPROF_TREE. run_one.sh --name TEST: what it is called.
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
# Its second line is of the children, user and system: 0m1.5s 0m0.25s
times >"$said.times"
cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "$said.times")
if [ $status -ne 0 ]; then
	echo "not ok - $name ended with status $status" >>"$said"
elif ! grep -aEq '^(ok|not ok|skip) - ' "$said"; then
	echo "not ok - $name tested nothing" >>"$said"
fi
if [ -n "$BAREPROF_PASSED" ] && ! grep -aEq '^(not ok|skip) - ' "$said" && [ "$(sh tests/tree.sh)" = "$BAREPROF_TREE" ]; then
	mkdir -p "$(dirname "$BAREPROF_PASSED/$name")"
	# In one step: what is there is whole.
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
