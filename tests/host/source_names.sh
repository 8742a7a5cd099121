#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# source_names.sh: tests what `bareprof pull` does if the name of a live source does not have the documented form. If
# no file can have this name, pull reads from the source, or prints the right form of the name.
. "$(dirname "$0")/lib/live.sh"
cp "$WORK/mixed" "$WORK/input"

# from WHAT KIND COMMAND: runs COMMAND on a source of KIND. In COMMAND, {} stands for the path or address of the
# source.
from() {
	rm -f "$out"
	# shellcheck disable=SC2016 # the inner shell expands the variables
	timeout 20 $feed "$2" socket "$WORK/socket" -- sh -c "$3" "$BAREPROF" {} "$out" "$WORK/link" \
		<"$WORK/input" >"$WORK/said" 2>"$WORK/err"
	check "$1: status 0" test $? -eq 0
	written "$1"
}
# shellcheck disable=SC2016 # the inner shell expands the variables
{
	from "a serial line by its path" pty '"$0" pull "$1" -o "$2"'
	from "... and rate" pty '"$0" pull "$1@115200" -o "$2"'
	from "... by a link" pty 'ln -sf "$1" "$3" && "$0" pull "$3" -o "$2"'
	from "tty: and a name in /dev" pty '"$0" pull "tty:${1#/dev/}@115200" -o "$2"'
	from "tcp://" tcp '"$0" pull "tcp://$1" -o "$2"'
	from "tcp:// with a slash" tcp '"$0" pull "tcp://$1/" -o "$2"'
	from "unix://" unix '"$0" pull "unix://$1" -o "$2"'
	from "a socket by its path" unix '"$0" pull "$1" -o "$2"'
}

# named NAME PATTERN: pull must refuse the source NAME with status 2 and a message that matches PATTERN, which
# proposes the right name. It must write no file.
cd "$WORK" || exit 1
case $BAREPROF in /*) ;; *) BAREPROF=$ROOT/$BAREPROF ;; esac
rm -f "$out"
named() {
	refuses "$1" "$2" "$BAREPROF" pull "$1" -o "$out"
	"$BAREPROF" pull "$1" -o "$out" >/dev/null 2>&1
	check "$1: status 2, no file" test $? -eq 2 -a ! -e "$out"
}
named COM3 '^bareprof: COM3: does not exist; if this is a live source, use tty:/dev/ttyS2, or tty:/dev/ttyUSB0'
named com12@9600 'use tty:/dev/ttyS11@9600, or tty:/dev/ttyUSB0@9600 '
named COM3:115200 'use tty:/dev/ttyS2@115200, or'
named '\\.\COM12' 'use tty:/dev/ttyS11, or'
named ttyUSB7 'use tty:/dev/ttyUSB7$'
named ttyACM7@9600 'use tty:/dev/ttyACM7@9600$'
named localhost:4444 'use tcp:localhost:4444$'
named 10.0.0.7:23 'use tcp:10.0.0.7:23$'
named telnet:board:23 'use tcp:board:23$'
refuses "a device that is not plugged in" 'tty:/dev/ttyUSB77@9600: cannot be opened' \
	"$BAREPROF" pull /dev/ttyUSB77@9600 -o "$out"
refuses "a device with a prefix only" 'cannot be opened' "$BAREPROF" pull tty:ttyUSB77 -o "$out"

# If files with such names exist, pull must read them as files.
for name in COM3 ttyUSB7 localhost:4444 log@9600; do
	cp text "$name"
	check "a file $name" "$BAREPROF" pull "$name" -o "$out"
	check "a file $name: the profile" cmp "$out" expected
done
check "/dev/stdin is not a live source" sh -c "'$BAREPROF' pull /dev/stdin -o '$out' <text && cmp '$out' expected"
refuses "/dev/null is not a live source" 'contains no dump' "$BAREPROF" pull /dev/null -o "$out"
refuses "a file that does not exist" 'none.log: cannot be opened' "$BAREPROF" pull none.log -o "$out"
