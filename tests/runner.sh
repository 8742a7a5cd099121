#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# runner.sh: tests run.sh itself, with three tests in a tree that this script makes. It checks which cases run.sh
# counts, what it shows, and which tests it skips when it resumes an interrupted run.
. "$(dirname "$0")/lib.sh"
unset BAREPROF_RESUME BAREPROF_PASSED BAREPROF_TREE BAREPROF_JOBS

tree=$WORK/tree
mkdir -p "$tree/tests/some"
cp tests/run.sh tests/run_one.sh tests/path.sh tests/tree.sh "$tree/tests"
cd "$tree" || exit 1
git init -q . && printf '/build/\n' >.gitignore
# Each of the three tests records that it ran. Its output comes from a file in build/, which is not part of the tree.
mkdir -p build
for name in passes fails skips; do
	mkdir -p "tests/some/$name"
	printf 'echo %s >>build/ran\ncat build/%s\n' $name $name >"tests/some/$name/test.sh"
done
printf 'ok - one\nok - two\n' >build/passes
printf 'ok - three\nnot ok - four\n' >build/fails
printf 'ok - five\nskip - six: no room\n' >build/skips

# run [TEST...]: lets run.sh run these tests, or all three if none is given. The output goes to build/said. $ran has
# the names of the tests that ran.
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
is "the last line counts the cases of three tests" "$last" "4 passed, 1 failed, 1 skipped"
is "a failure ends with status 1" $status 1
check "failed cases are named" grep -q '^not ok - four$' build/said
check "the time of each test is shown" grep -Eq '^   some/passes +[0-9]+ s, +[0-9]+ s of CPU$' build/said
printf 'exit 3\n' >tests/some/ends.sh
run tests/some/ends.sh
is "a test that ends with an error has failed" "$last" "0 passed, 1 failed, 0 skipped"
printf 'true\n' >tests/some/ends.sh
run tests/some/ends.sh
is "a test that prints no case has failed" "$last" "0 passed, 1 failed, 0 skipped"
rm tests/some/ends.sh

BAREPROF_RESUME=1
export BAREPROF_RESUME
run
is "in a new tree all tests run" "$ran" "fails passes skips "
run
is "in a second run, tests with failed or skipped cases run again" "$ran" "fails skips "
is "tests that passed before are counted" "$last" "4 passed, 1 failed, 1 skipped"
check "tests that passed before are named" grep -Eq '^== passed before for this tree, 2 cases: some/passes$' build/said
printf 'ok - three\nok - four\n' >build/fails
printf 'ok - five\nok - six\n' >build/skips
run
is "the other tests pass now" "$last" "6 passed, 0 failed, 0 skipped"
run
is "then no test is left to run" "$ran$last" "6 passed, 0 failed, 0 skipped"
is "a run without tests left is a success" $status 0
BAREPROF_WIDE=$((1 - ${BAREPROF_WIDE:-0})) run
is "with other variables all tests run again" "$ran" "fails passes skips "
printf '# changed\n' >>tests/some/fails/test.sh
run
is "in a changed tree all tests run again" "$ran" "fails passes skips "
printf 'echo passes >>build/ran\necho >new\ncat build/passes\n' >tests/some/passes/test.sh
run
rm new
run
check "a test that changes the tree is not stored as passed" expr "$ran" : '.*passes'
