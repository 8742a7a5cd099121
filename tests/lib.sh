# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - functions and variables that all test scripts share. A test prints one line for each case: "ok - ...", "not
# ok - ..." or "skip - ...: reason". run.sh counts these lines. Scripts run from the top of the tree, and each has its
# own scratch directory.
# shellcheck shell=sh

ROOT=$(cd "$(dirname "$0")" && while [ ! -e tests/run.sh ] && [ "$PWD" != / ]; do cd ..; done && pwd)
TEST=$(cd "$(dirname "$0")" && pwd)/$(basename "$0" .sh)
TEST=${TEST#"$ROOT/tests/"}
WORK=${BAREPROF_TEST_WORK:-$ROOT/build/tests}/${TEST%/test}
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
# Most images of the tests use these drop-in files (tests.mk makes them). The runtime is then one file to compile instead
# of thirty, and with one folder for all tests, ccache finds the objects that another test compiled. The tests `boards`
# and `vtables` link the runtime file by file.
DROP_IN=build/tests/drop-in
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$ROOT" || exit 1

ok() { echo "ok - $*"; }
not_ok() { echo "not ok - $*"; }
skip() { echo "skip - $*"; }

# check WHAT COMMAND...: the case WHAT passes if COMMAND succeeds. The output of COMMAND is shown only if it fails.
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

# refuses WHAT PATTERN COMMAND...: the case WHAT passes if COMMAND fails and prints one line on standard error, which
# matches PATTERN.
refuses() {
	what=$1
	pattern=$2
	shift 2
	if "$@" >"$WORK/refuses.out" 2>"$WORK/refuses.err"; then
		not_ok "$what: the command succeeded, but should have failed"
	elif [ "$(wc -l <"$WORK/refuses.err")" -eq 1 ] && grep -Eq -- "$pattern" "$WORK/refuses.err"; then
		ok "$what"
	else
		not_ok "$what: the command failed, but not with one line like '$pattern':"
		sed 's/^/    /' "$WORK/refuses.err"
	fi
}

# trap_llvm COMMAND: makes llvm-cov and llvm-profdata of all releases in $WORK/traps, which run this COMMAND of the shell.
trap_llvm() {
	mkdir -p "$WORK/traps"
	printf '#!/bin/sh\n%s\n' "$1" >"$WORK/traps/llvm-cov"
	chmod +x "$WORK/traps/llvm-cov"
	major=10
	while [ $major -lt 45 ]; do
		for tool in llvm-cov llvm-profdata; do ln -s llvm-cov "$WORK/traps/$tool-$major"; done
		major=$((major + 1))
	done
}

# qemu_plugin FOLDER/NAME: compiles the plugin for QEMU tests/FOLDER/NAME_plugin.c to $WORK/plugin.so.
qemu_plugin() { gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared "tests/$1_plugin.c" -o "$WORK/plugin.so"; }

# fails WHAT FILE...: reports that the case WHAT failed, and prints the content of the FILEs.
fails() {
	not_ok "$1"
	shift
	for file; do [ ! -s "$file" ] || sed 's/^/    /' "$file"; done
}

# clang_releases: prints the installed releases of clang, the oldest first. newest_clang: prints the newest of them.
# some_clang_releases: prints all of them with BAREPROF_WIDE=1, otherwise one release for each raw version.
clang_releases() { ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n; }
newest_clang() { clang_releases | tail -n 1; }
some_clang_releases() {
	if [ -n "${BAREPROF_WIDE-}" ]; then
		clang_releases
	else
		printf '%s\n' 13 16 22
	fi
}
