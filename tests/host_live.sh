#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# host_live.sh: `bareprof pull` from targets that are talking: a serial line of
# emulated rates, sockets, a guest in QEMU; damage, silence, and pulled plugs.
. "$(dirname "$0")/lib.sh"
feed=build/tests/bin/host_feed
out=$WORK/out.profraw
build/tests/bin/host_emit text -1 1 "$WORK/expected" >"$WORK/text"
build/tests/bin/host_emit text -1 2 >"$WORK/second"
blocks=$(wc -l <"$WORK/text")
{
	echo "hello"
	sed -n '1,20p' "$WORK/text"
	echo "between"
	sed -n '21,$p' "$WORK/text"
	echo "bye"
} >"$WORK/mixed"
printf 'hello\nbetween\n' >"$WORK/console"

# live STATUS WHAT KIND FEED-OPTIONS PULL-OPTIONS: the target says $WORK/input.
live() {
	case $3 in
	pty) where=tty:{}@115200 ;;
	*) where=$3:{} ;;
	esac
	rm -f "$out" "$out".*
	# shellcheck disable=SC2086 # options are words
	$feed "$3" socket "$WORK/socket" $4 -- "$BAREPROF" pull "$where" -o "$out" $5 \
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
one_line() { check "$1: one sentence" test "$(wc -l <"$WORK/err")" -eq 1; }
written() { check "$1: the profile" cmp "$out" "$WORK/expected"; }
not_written() { check "$1: no profile" sh -c "! ls '$out'* 2>/dev/null"; }
starts_as_console() { check "$1: the console without the dump" sh -c "head -n 2 '$WORK/out' | cmp - '$WORK/console'"; }

cp "$WORK/mixed" "$WORK/input"
for kind in pty tcp unix; do
	live 0 "$kind" $kind "" ""
	written "$kind"
	one_line "$kind"
	starts_as_console "$kind"
	live 0 "$kind, typed to first" $kind "await go" '--send go\n'
	written "$kind, typed to first"
	live 1 "$kind unplugged" $kind "stop 4000" ""
	has "$kind unplugged: says what is missing" \
		'went away.*: the dump [0-9a-f]{8} is incomplete: it breaks off after block [0-9]+ of [0-9]+ \(END'
	one_line "$kind unplugged"
	not_written "$kind unplugged"
done

start=$(date +%s%N)
live 0 "pty at 115200 baud, progress on a terminal" pty "rate 115200 terminal $WORK/terminal" ""
took=$((($(date +%s%N) - start) / 1000000))
check "it takes the time of 115200 baud: $took ms" test $took -ge $(($(wc -c <"$WORK/input") * 1000 / 11520 - 50))
written "pty at 115200 baud"
check "progress: blocks, bytes, rate, time" \
	grep -Eq "[0-9]+ of $blocks blocks, [0-9.]+ KB, [0-9.]+ KB/s, [0-9]+ s left" "$WORK/terminal"
live 0 "a line at another rate is set to it" pty "rate 115200" "--log $WORK/log"
check "--log: the console goes there" sh -c "head -n 2 '$WORK/log' | cmp - '$WORK/console' && [ ! -s '$WORK/out' ]"
live 5 "wrong baud rate" pty "rate 921600" "--timeout 0.5"
has "wrong baud rate: says so" 'this looks like another baud rate than 115200$'
not_written "wrong baud rate"
for word in Zeile Größe строка 行番号です; do i=0; while [ $i -lt 99 ]; do echo $word $word; i=$((i + 1)); done; done \
	>"$WORK/input"
live 5 "text in other scripts" pty "" "--timeout 0.3"
check "text in other scripts is no wrong baud rate" sh -c "! grep baud '$WORK/err'"

# Lots of console among the blocks, and more of it after the last one.
awk '{ print; for (i = 0; i < 3000; i++) print "[  " NR "." i "] a kernel that talks a lot" }' "$WORK/text" >"$WORK/input"
for kind in pty unix; do
	live 0 "$(($(wc -c <"$WORK/input") / 1000000)) MB by $kind" $kind "" ""
	written "many MB by $kind"
done

# Ends.
cp "$WORK/mixed" "$WORK/input"
live 0 "--until" unix "" "--until by"
check "--until: the console up to there" grep -q '^bye' "$WORK/out"
written "--until"
live 1 "--until, but it goes away" unix "" "--until never"
has "--until, but it goes away: says so" "went away before a line with 'never' came"
written "--until, but it goes away"
live 0 "Ctrl-C after a dump" pty "int 99999" "--until never"
written "Ctrl-C after a dump"
live 1 "Ctrl-C within a dump" pty "int 4000" ""
has "Ctrl-C within a dump: says what is missing" 'was interrupted: the dump .* breaks off after block'
not_written "Ctrl-C within a dump"
head -n 30 "$WORK/mixed" >"$WORK/input"
live 5 "--timeout" pty "" "--timeout 0.3"
has "--timeout: says what is missing" 'time was up after 0.3 s: the dump .* breaks off after block'
not_written "--timeout"
refuses "a folder that is not there, before it listens" 'no/folder: cannot be created' \
	"$BAREPROF" pull "unix:$WORK/none" -o "$WORK/no/folder"
if [ -e /dev/full ]; then
	cp "$WORK/mixed" "$WORK/input"
	live 3 "disk full" pty "" "-o /dev/full"
	has "disk full: says so" 'cannot be written: No space'
	live 3 "disk full: log" pty "" "--log /dev/full"
fi

# Several dumps in one stream.
cat "$WORK/second" "$WORK/mixed" >"$WORK/input"
live 0 "two dumps, --until" unix "" "--until bye"
written "two dumps"
check "two dumps: the older is kept" sh -c "cmp '$out'.[0-9a-f]* '$WORK/expected'"
tag=$(basename "$(ls "$out".*)" | sed 's/.*\.//')
live 0 "two dumps, one of them wanted" unix "" "--session $tag"
has "two dumps: the one wanted" "from the dump $tag"
{
	cat "$WORK/text"
	sed 9d "$WORK/second"
	echo bye
} >"$WORK/input"
live 1 "the last dump incomplete" unix "" "--until bye"
has "the last dump incomplete: named" 'the dump [0-9a-f]{8} is incomplete: block 8 of'
check "the last dump incomplete: the older kept, not in its place" sh -c \
	"[ ! -e '$out' ] && cmp '$out'.[0-9a-f]* '$WORK/expected'"
# In turns, as from two CPUs.
paste -d '\n' "$WORK/text" "$WORK/second" >"$WORK/input"
live 0 "two dumps in turns" unix "" ""
written "two dumps in turns"

live 0 "--list" unix "" "--list --until hello"
live 1 "--list of nothing" unix "stop 6" "--list"
not_written "--list"

# What a message names as missing, one number a line.
named() {
	sed -n -e 's/.*breaks off after block \([0-9]*\) of \([0-9]*\).*/after \1 \2/p' \
		-e 's/.*incomplete: blocks* \(.*\) of [0-9]* [isare]* missing.*/\1/p' "$WORK/err" | sed 's/(BEGIN)//; s/,//g' |
		awk '$1 == "after" { for (i = $2 + 1; i <= $3; i++) print i; next }
			{ for (k = 1; k <= NF; k++) { if ($k == "to") for (i = $(k - 1) + 1; i < $(k + 1); i++) print i
				else if ($k != "and") print $k } }'
}
# A round: what of the dump, sent $2 times, came neither time is named; else it is written.
round() {
	rm -f "$out"
	$feed pty hurt "$1" lost "$WORK/lost" $3 -- "$BAREPROF" pull "tty:{}" -o "$out" --until '== end' \
		<"$WORK/input" >/dev/null 2>"$WORK/err"
	got=$?
	awk -v n="$blocks" -v times="$2" '++lost[$1 % n] == times { print $1 % n }' "$WORK/lost" | sort -n >"$WORK/missing"
	lost=$((lost + $(wc -l <"$WORK/missing")))
	if [ -s "$WORK/missing" ]; then
		[ $got -eq 1 ] && [ ! -e "$out" ] && named | cmp - "$WORK/missing"
	else
		[ $got -eq 0 ] && cmp "$out" "$WORK/expected"
	fi || { echo "    seed $1, $2 times: $(cat "$WORK/err")" && bad=$((bad + 1)); }
	rounds=$((rounds + 1))
}
rounds=0
bad=0
lost=0
{ cat "$WORK/text" && echo "== end =="; } >"$WORK/input"
for seed in 1 2 3 4 5 6 7 8 9; do for ten in 1 2 3 4; do round $ten$seed 1 ""; done; done
round 5 1 "rate 115200"
{ cat "$WORK/text" "$WORK/text" && echo "== end =="; } >"$WORK/input"
for seed in 1 2 3 4 5 6 7 8 9; do round $seed 2 ""; done
check "$rounds rounds with 1 % of the lines damaged: $lost blocks lost, all named, the rest equal" \
	test $bad -eq 0 -a $lost -gt 9

refuses "rate that is none" "'fast' is no baud rate" "$BAREPROF" pull tty:/dev/null@fast -o "$out"
refuses "device that is no terminal" 'is no terminal' "$BAREPROF" pull tty:/dev/null -o "$out"
refuses "device that is not there" 'cannot be opened' "$BAREPROF" pull tty:/dev/none@9600 -o "$out"
refuses "socket that is not there" 'cannot be reached' "$BAREPROF" pull "unix:$WORK/none" -o "$out"
refuses "port that nobody has" 'cannot be reached' "$BAREPROF" pull tcp:127.0.0.1:1 -o "$out"
refuses "address without a port" 'tcp:HOST:PORT' "$BAREPROF" pull tcp:localhost -o "$out"
refuses "live options with a file" 'is no live source' "$BAREPROF" pull --until x "$WORK/text" -o "$out"

# A guest, by both kinds of serial line that QEMU has for others.
if ! command -v qemu-system-x86_64 >/dev/null; then
	skip "a guest: no qemu-system-x86_64"
	exit 0
fi
check "image" make -s image BOARD=x86_64 OUT=build/tests/host_live/image
elf=build/tests/host_live/image/kernel.elf
# guest WHAT SERIAL: boot it with that serial line, then pull.
guest() {
	qemu-system-x86_64 -machine microvm -m 64 -nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial "$2" -kernel $elf >"$WORK/qemu" 2>&1 &
	qemu=$!
	i=0
	while [ $i -lt 100 ] && ! grep -q /dev/pts "$WORK/qemu" && [ ! -S "$WORK/guest" ]; do
		sleep 0.05
		i=$((i + 1))
	done
	where=unix:$WORK/guest
	[ "$2" != pty ] || where=tty:$(sed -n 's/.*\(\/dev\/pts\/[0-9]*\).*/\1/p' "$WORK/qemu")
	rm -f "$out"
	check "$1: pulled live" "$BAREPROF" pull "$where" --send 'test\ncov dump\n' --timeout 10 -o "$out" --log "$WORK/log"
	kill $qemu
	wait $qemu 2>/dev/null
	rm -f "$WORK/guest"
	check "$1: its functions are there" sh -c "'$BAREPROF' show --counts '$out' | grep -q 'test'"
	check "$1: its console too" grep -Eq '^[1-9][0-9]* passed, 0 failed' "$WORK/log"
	check "$1: without the dump" sh -c "! grep -q '@bp:' '$WORK/log'"
}
guest "a guest by a socket" "unix:$WORK/guest,server=on,wait=on"
guest "a guest by a pseudo terminal" pty
