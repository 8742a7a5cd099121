#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# runner.sh: run.sh itself, on three tests in a tree of their own: what it counts, what it
# shows, and what of a run that was broken off it does not do again.
. "$(dirname "$0")/lib.sh"
unset BAREPROF_RESUME BAREPROF_PASSED BAREPROF_TREE BAREPROF_JOBS

tree=$WORK/tree
mkdir -p "$tree/tests/some"
cp tests/run.sh tests/run_one.sh tests/path.sh tests/tree.sh "$tree/tests"
cd "$tree" || exit 1
git init -q . && printf '/build/\n' >.gitignore
# Each tells that it ran. What it says is in a file that is not part of the tree.
mkdir -p build
for name in passes fails skips; do
	mkdir -p "tests/some/$name"
	printf 'echo %s >>build/ran\ncat build/%s\n' $name $name >"tests/some/$name/test.sh"
done
printf 'ok - one\nok - two\n' >build/passes
printf 'ok - three\nnot ok - four\n' >build/fails
printf 'ok - five\nskip - six: no room\n' >build/skips

# run [TEST...]: all three, or these; in build/said is what it says, in $ran what did run.
run() {
	rm -f build/ran
	[ $# -gt 0 ] || set -- tests/some/passes/test.sh tests/some/fails/test.sh tests/some/skips/test.sh
	sh tests/run.sh "$@" >build/said 2>&1
	status=$?
	ran=$(sort build/ran 2>/dev/null | tr '\n' ' ')
	last=$(tail -n 1 build/said)
}
is() { check "$1" test "$2" = "$3"; }

run
is "three tests are counted, in the last line" "$last" "4 passed, 1 failed, 1 skipped"
is "a failure ends with 1" $status 1
check "what failed is named" grep -q '^not ok - four$' build/said
check "how long each took is said" grep -Eq '^   some/passes +[0-9]+ s, +[0-9]+ s of CPU$' build/said
printf 'exit 3\n' >tests/some/ends.sh
run tests/some/ends.sh
is "one that ends with an error has failed" "$last" "0 passed, 1 failed, 0 skipped"
printf 'true\n' >tests/some/ends.sh
run tests/some/ends.sh
is "one that says nothing has failed" "$last" "0 passed, 1 failed, 0 skipped"
rm tests/some/ends.sh

BAREPROF_RESUME=1
export BAREPROF_RESUME
run
is "all of a new tree are run" "$ran" "fails passes skips "
run
is "once more: what failed and what skipped something" "$ran" "fails skips "
is "what passed before counts" "$last" "4 passed, 1 failed, 1 skipped"
check "and is named" grep -Eq '^== passed before, for this very tree, 2 cases: some/passes$' build/said
printf 'ok - three\nok - four\n' >build/fails
printf 'ok - five\nok - six\n' >build/skips
run
is "the rest passes" "$last" "6 passed, 0 failed, 0 skipped"
run
is "then nothing is left to run" "$ran$last" "6 passed, 0 failed, 0 skipped"
is "which is a success" $status 0
BAREPROF_WIDE=$((1 - ${BAREPROF_WIDE:-0})) run
is "with other variables all are run again" "$ran" "fails passes skips "
printf '# changed\n' >>tests/some/fails/test.sh
run
is "another tree: all are run again" "$ran" "fails passes skips "
printf 'echo passes >>build/ran\necho >new\ncat build/passes\n' >tests/some/passes/test.sh
run
rm new
run
check "what passed while the tree changed did not pass for it" expr "$ran" : '.*passes'
