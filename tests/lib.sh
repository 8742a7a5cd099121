# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - what every test script shares. A test says what it saw, one line a
# case: "ok - ...", "not ok - ..." or "skip - ...: reason"; run.sh counts them.
# Scripts run from the top of the tree, with a scratch directory of their own.
# shellcheck shell=sh

ROOT=$(cd "$(dirname "$0")" && while [ ! -e tests/run.sh ] && [ "$PWD" != / ]; do cd ..; done && pwd)
TEST=$(cd "$(dirname "$0")" && pwd)/$(basename "$0" .sh)
TEST=${TEST#"$ROOT/tests/"}
WORK=${BAREPROF_TEST_WORK:-$ROOT/build/tests}/${TEST%/test}
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$ROOT" || exit 1

ok() { echo "ok - $*"; }
not_ok() { echo "not ok - $*"; }
skip() { echo "skip - $*"; }

# check WHAT COMMAND...: a case that holds if the command succeeds. Its output
# is shown only if it does not.
check() {
	what=$1
	shift
	if "$@" >"$WORK/check.log" 2>&1; then
		ok "$what"
	else
		not_ok "$what"
		sed 's/^/    /' "$WORK/check.log"
	fi
}

# refuses WHAT PATTERN COMMAND...: a case that holds if the command fails, with
# one line on standard error that matches the pattern.
refuses() {
	what=$1
	pattern=$2
	shift 2
	if "$@" >"$WORK/refuses.out" 2>"$WORK/refuses.err"; then
		not_ok "$what: succeeded, should have been refused"
	elif [ "$(wc -l <"$WORK/refuses.err")" -eq 1 ] && grep -Eq -- "$pattern" "$WORK/refuses.err"; then
		ok "$what"
	else
		not_ok "$what: refused, but not with one line like '$pattern':"
		sed 's/^/    /' "$WORK/refuses.err"
	fi
}
