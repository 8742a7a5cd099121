#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# warm - tests that a tool behaves the same with a keeper as without one. (A keeper is a started tool that forks a child
# for each call, see warm.h.) The output, status, streams, folder, variables and file mode must be the same. If the
# caller dies, the child must notice it. If the child dies, the caller must notice it.
. "$(dirname "$0")/../lib.sh"

warm=$ROOT/build/warm
clang=clang-$(newest_clang)
BAREPROF_WARM=bareprof-test-$$
BAREPROF_WARM_FOLDER=$warm
export BAREPROF_WARM BAREPROF_WARM_FOLDER
cd "$WORK" || exit 1
echo 'int twice(int x) { return 2 * x + VALUE; }' >twice.c

keepers() { pgrep -f "^$(realpath "/usr/bin/$clang")\$" | while read -r pid; do
	! grep -zq "^BAREPROF_WARM_SOCKET=$BAREPROF_WARM/" "/proc/$pid/environ" 2>/dev/null || echo "$pid"
done; }
check "there is a link for $clang" [ -x "$warm/tools/$clang" ]

same() { "/usr/bin/$clang" "$@" -o cold.o && "$warm/tools/$clang" "$@" -o warm.o && cmp cold.o warm.o; }
check "the same object is made" same -O2 -g -DVALUE=1 -c twice.c
cp cold.o first.o
check "a keeper is running" sh -c "[ -n '$(keepers)' ]"
check "the same object is made again, with other options" same -O0 -DVALUE=2 -c twice.c
check "warm works as a prefix, with the tool's path" sh -c "'$warm/warm' /usr/bin/$clang -DVALUE=1 -O2 -g -c twice.c -o prefix.o && cmp prefix.o first.o"

linked() {
	echo 'int main(void) { return 0; }' >main.c
	echo 'other: .byte 1' >other.S
	"$warm/tools/$clang" main.c other.S -o linked && ./linked
}
check "a program is made in several steps" linked

streams() {
	echo 'int read_from_a_pipe;' | "$warm/tools/$clang" -x c -E - >out 2>err && grep -q read_from_a_pipe out && [ ! -s err ] &&
		! "$warm/tools/$clang" -c nosuch.c >out 2>err && [ ! -s out ] && grep -q nosuch.c err
}
check "the tool has the caller's streams, and returns the status of an error" streams

around() {
	mkdir -p folder && cp twice.c folder && echo 'int from_here;' >folder/here.h &&
		(cd folder && umask 077 && CPATH=. C_INCLUDE_PATH=$PWD "$warm/tools/$clang" -DVALUE=1 -include here.h -c twice.c) &&
		[ "$(stat -c %a folder/twice.o)" = 600 ]
}
check "the tool has the caller's folder, variables and file mode" around

# A compiler waits for its standard input until it or its caller is killed.
mkfifo never
waits() {
	"$warm/tools/$clang" -x c -c - -o never.o <never &
	caller=$!
	exec 3>never
	for _ in $(seq 100); do
		child=$(keepers | xargs -r -n 1 pgrep -P)
		[ -z "$child" ] || return 0
		sleep 0.1
	done
	return 1
}
killed_caller() {
	waits && kill -9 "$caller" || return
	for _ in $(seq 100); do
		[ -d "/proc/$child" ] || return 0
		sleep 0.1
	done
	return 1
}
check "the tool ends with its caller" killed_caller
exec 3>&-
killed_tool() {
	waits && kill -KILL "$child" || return
	wait "$caller"
	[ $? -eq 137 ]
}
check "the caller ends with the tool's signal" killed_tool
exec 3>&-

alone() { BAREPROF_WARM=bareprof-none-$$ BAREPROF_WARM_FOLDER=/dev/null same -O2 -g -DVALUE=3 -c twice.c; }
check "without a keeper the tool runs as usual" alone
if [ "$(id -u)" -eq 0 ]; then
	foreign() {
		python3 - "$BAREPROF_WARM-foreign$(realpath "/usr/bin/$clang")" <<'END' &
import os, socket, sys, time
os.setuid(65534)
listening = socket.socket(socket.AF_UNIX)
listening.bind(b"\0" + sys.argv[1].encode())
listening.listen(1000)
time.sleep(60)
END
		sleep 1
		BAREPROF_WARM=$BAREPROF_WARM-foreign same -O2 -g -DVALUE=4 -c twice.c
		status=$?
		kill $!
		return $status
	}
	check "a keeper of another user is not used" foreign
else
	skip "a keeper of another user is not used: run this test as root"
fi
keepers | xargs -r kill
