# SPDX-License-Identifier: BSD-2-Clause
# live.sh - code that all tests of `bareprof pull` from live targets share: a dump, a target that sends the file
# $WORK/input, and checks of the result.
# shellcheck shell=sh disable=SC2034,SC2154
. "$(dirname "$0")/../lib.sh"
feed=build/tests/bin/feed
out=$WORK/out.profraw
build/tests/bin/emit text -1 1 "$WORK/expected" >"$WORK/text"
build/tests/bin/emit text -1 2 >"$WORK/second"
blocks=$(wc -l <"$WORK/text")
{
	echo "hello"
	sed -n '1,20p' "$WORK/text"
	echo "between"
	sed -n '21,$p' "$WORK/text"
	echo "bye"
} >"$WORK/mixed"
printf 'hello\nbetween\n' >"$WORK/console"

# live STATUS WHAT KIND FEED-OPTIONS PULL-OPTIONS: pulls from a target that sends $WORK/input over a connection of
# this KIND. pull must exit with STATUS.
to="-o $out"
live() {
	case $3 in
	pty) where=tty:{}@115200 ;;
	*) where=$3:{} ;;
	esac
	rm -f "$out" "$out".*
	# shellcheck disable=SC2086 # each variable holds several options
	$feed "$3" socket "$WORK/socket" $4 -- "$BAREPROF" pull "$where" $to $5 \
		<"$WORK/input" >"$WORK/out" 2>"$WORK/err"
	got=$?
	if [ $got -eq "$1" ]; then
		ok "$2: status $1"
	else
		not_ok "$2: status $got, not $1"
		sed 's/^/    /' "$WORK/err"
	fi
}
has() { check "$1" grep -Eq -- "$2" "$WORK/err"; }
one_line() { check "$1: one line of messages" test "$(wc -l <"$WORK/err")" -eq 1; }
written() { check "$1: the profile is right" cmp "$out" "$WORK/expected"; }
not_written() { check "$1: no profile" sh -c "! ls '$out'* 2>/dev/null"; }
starts_as_console() { check "$1: the console without the dump" sh -c "head -n 2 '$WORK/out' | cmp - '$WORK/console'"; }

# boot SERIAL: starts the guest $elf in QEMU with the serial line SERIAL. Sets $where to the other end of the line.
qemu=
trap '[ -z "$qemu" ] || kill $qemu 2>/dev/null' EXIT
boot() {
	rm -f "$WORK/guest"
	qemu-system-x86_64 -machine microvm -m 64 -nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial "$1" -kernel $elf >"$WORK/qemu" 2>&1 &
	qemu=$!
	i=0
	while [ $i -lt 100 ] && ! grep -qs /dev/pts "$WORK/qemu" && [ ! -S "$WORK/guest" ]; do
		sleep 0.05
		i=$((i + 1))
	done
	where=unix:$WORK/guest
	[ "$1" != pty ] || where=tty:$(sed -n 's/.*\(\/dev\/pts\/[0-9]*\).*/\1/p' "$WORK/qemu")
}
down() {
	kill $qemu
	wait $qemu 2>/dev/null
	qemu=
}
