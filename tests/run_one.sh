#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_one.sh TEST LOG: a test of run.sh's. What it says goes to standard output and behind
# LOG in one piece, whatever other tests do meanwhile.
name=${1#build/}
name=${name#tests/}
name=${name%.sh}
name=${name%/test}
said=build/tests/$name.said
mkdir -p "$(dirname "$said")"
start=$(date +%s)
case $1 in
*.sh) sh "$1" ;;
*) "$1" ;;
esac >"$said" 2>&1 </dev/null
status=$?
if [ $status -ne 0 ]; then
	echo "not ok - $name ended with status $status" >>"$said"
elif ! grep -aEq '^(ok|not ok|skip) - ' "$said"; then
	echo "not ok - $name tested nothing" >>"$said"
fi
(
	flock 9
	echo "== $name"
	cat "$said"
	cat "$said" >>"$2"
	echo "   $(($(date +%s) - start)) s"
) 9>build/tests/lock
