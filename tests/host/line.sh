#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# line.sh: tests `bareprof pull` from bad serial lines. The tests cover random damage with fixed
# seeds, wrong baud rates, lines of text that never end, zero bytes, and frames.
. "$(dirname "$0")/lib/live.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
rounds=build/tests/bin/rounds

# Some profiles come from guests. Others were recorded with various compilers. The program `rounds`
# generates more profiles.
set --
for board in x86_64 mps2-an385; do
	check "an image for $board" make -s image BOARD=$board DROPIN="$DROP_IN" "OUT=build/tests/host/line/$board"
	check "a profile from $board" "$BAREPROF" run --board $board --send 'test\ncov dump\nexit\n' \
		-o "$WORK/$board.profraw" "build/tests/host/line/$board/kernel.elf"
	set -- "$@" "$WORK/$board.profraw"
done
set -- "$@" "$vectors"/bigendian/*.profraw "$vectors"/clang-*/fe.profraw "$vectors"/clang-*/m32-*.profraw \
	"$vectors"/clang-*/mcdc*.profraw
many=${BAREPROF_WIDE:+500}
$rounds "$BAREPROF" "$WORK" 1 ${many:-120} 10 "$@"
$rounds "$BAREPROF" "$WORK" 1001 $((${many:-120} / 5)) 100 "$@"

# Tests wrong baud rates. pull gets the bytes that a UART receives if its rate differs from the sender's rate. pull must
# propose the sender's rate.
cat "$WORK/mixed" >"$WORK/input"
# wrong SENT HEARD ZEROS: a target sends at the rate SENT, and pull listens at the rate HEARD. With
# ZEROS, pull receives a zero byte for each framing error.
wrong() {
	$feed pty rate "$1" ${3:+zeros 1} -- "$BAREPROF" pull "tty:{}@$2" -o "$out" --timeout "$4" \
		<"$WORK/input" >"$WORK/out" 2>"$WORK/err"
	check "$1 baud heard at $2: status 5" test $? -eq 5
	has "$1 baud heard at $2: pull proposes $1" "the console seems to have another baud rate than $2; try (.*[ ,])?$1(,| |$)"
	not_written "$1 baud heard at $2"
}
wrong 115200 9600 "" 1.2
wrong 115200 57600 "" 1
wrong 57600 115200 "" 1
wrong 57600 115200 zeros 1
wrong 115200 230400 "" 1
wrong 115200 921600 "" 1
wrong 9600 921600 "" 1
check "the warning about a wrong rate comes while pull runs" sh -c "head -n 1 '$WORK/err' | grep baud | grep -qv 'no dump'"
for word in Zeile Größe строка 行番号です; do
	i=0
	while [ $i -lt 99 ]; do
		echo $word $word
		i=$((i + 1))
	done
done >"$WORK/input"
live 5 "text in other scripts" pty "" "--timeout 0.3"
check "text in other scripts is not taken for a wrong baud rate" sh -c "! grep baud '$WORK/err'"

# Tests frames from a live channel. The input has only frames, frames among text, or damaged frames.
build/tests/bin/emit frames -1 1 >"$WORK/frames"
cp "$WORK/frames" "$WORK/input"
for kind in pty tcp unix; do
	live 0 "frames by $kind" $kind "" ""
	written "frames by $kind"
	one_line "frames by $kind"
	check "frames by $kind: the console has no bytes of them" test ! -s "$WORK/out"
done
live 0 "frames at 115200 baud" pty "rate 115200" ""
written "frames at 115200 baud"
live 0 "frames after a silence within one" unix "pause 1000" "--timeout 5"
{
	printf 'hello\r\nprompt> '
	head -c 4000 "$WORK/frames"
	printf '\0between\n\0\001\002 odd bytes\n'
	tail -c +4001 "$WORK/frames"
	printf 'bye\n'
} >"$WORK/input"
live 1 "frames with one of them cut by text" unix "" "--until bye"
has "frames, one of them cut by text: that block is missing" 'incomplete: block [0-9]+ of [0-9]+ is missing; [1-9] damaged frames were'
check "frames, one of them cut by text: the console" sh -c "tr -d '\r' <'$WORK/out' | grep -qa '^prompt> ' && grep -qa 'between$' '$WORK/out'"
{
	printf 'hello\n'
	cat "$WORK/frames"
	cat "$WORK/second"
	echo bye
} >"$WORK/input"
live 0 "frames and lines" pty "" "--until bye"
written "frames and lines"
check "frames and lines: the other dump as well" sh -c "cmp '$out'.* '$WORK/expected'"
{
	printf 'boot\0\0\377\0\002\001\001 odd bytes\n'
	cat "$WORK/mixed"
} >"$WORK/input"
live 0 "bytes that look like the start of a frame" pty "" ""
written "bytes that look like the start of a frame"
build/tests/bin/emit frames 0 1 /dev/null 0 2000 >"$WORK/input"
live 5 "a long frame without a BEGIN before it" pty "rate 115200" "--timeout 1"
check "a long frame is not taken for a wrong baud rate" sh -c "! grep baud '$WORK/err'"
# Text that only begins like a frame must be shown, even if no more input arrives.
#
# prompt WHAT MILLISECONDS: pull must show the text before MILLISECONDS have passed.
prompt() {
	start=$(date +%s%N)
	live 1 "$1" pty "" "--timeout 9 --until waits"
	took=$((($(date +%s%N) - start) / 1000000))
	check "$1: shown within $2 ms" test $took -le "$2"
}
printf 'login: \0\011\002\001\001\001\001\001\001 waits\n' >"$WORK/input"
prompt "the start of a frame, and then silence" 6000
printf 'login: \0\015\002\001\001\001\001\001\001\377\377\377\177 waits\n' >"$WORK/input"
prompt "a frame that would be too long, and then silence" 2000
printf 'login: \0\011\002\001\001\001\001\001\001\005 it waits\nwaits\n' >"$WORK/input"
prompt "a frame that should have ended, and then silence" 2000

# Tests endless input: a line that never ends, a line that never ends and has a marker, and zero bytes. The memory that
# pull uses must stay below a limit.
#
# flood WHAT: runs pull with 64 MB of address space. pull must read the flood and then a dump.
flood() {
	cat "$WORK/mixed" >>"$WORK/input"
	rm -f "$out"
	$feed unix socket "$WORK/socket" -- sh -c "ulimit -v 65536; exec '$BAREPROF' pull unix:{} -o '$out' --until bye" \
		<"$WORK/input" >"$WORK/out" 2>"$WORK/err"
	check "$1: status 0" test $? -eq 0
	written "$1"
}
{ head -c 80000000 /dev/zero | tr '\0' A && echo; } >"$WORK/input"
flood "80 MB without a line end"
check "80 MB without a line end: shown" test "$(wc -c <"$WORK/out")" -ge 80000000
{ printf '@bp:' && head -c 80000000 /dev/zero | tr '\0' A && echo; } >"$WORK/input"
flood "80 MB after a marker"
head -c 50000000 /dev/zero >"$WORK/input"
flood "50 MB of zero bytes"
{ printf '\0' && head -c 50000000 /dev/zero | tr '\0' '\377' && echo; } >"$WORK/input"
flood "50 MB of one byte after a zero byte"
rm -f "$WORK/input" "$WORK/out"
