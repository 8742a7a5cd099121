#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# live.sh: tests `bareprof pull` from live targets: a terminal that emulates baud rates, sockets, and a guest in QEMU.
# It also tests the ways in which pull ends, and several dumps in one stream. line.sh tests bad serial lines.
. "$(dirname "$0")/lib/live.sh"
# A target that is silent, while the other tests run
$feed unix socket "$WORK/silent" await nothing -- "$BAREPROF" pull unix:{} --send 'x\n' --timeout 11 -o "$WORK/none" \
	</dev/null >/dev/null 2>"$WORK/silent.err" &
silent=$!
printf '\033\t\\\\zz\\xg1go' >"$WORK/escapes"
cp "$WORK/mixed" "$WORK/input"
for kind in pty tcp unix; do
	live 0 "$kind" $kind "" ""
	written "$kind"
	one_line "$kind"
	starts_as_console "$kind"
	live 0 "$kind, typed to first" $kind "await go typed $WORK/typed" '--send \x1b\t\\\\zz\\xg1go\r\n'
	written "$kind, typed to first"
	check "$kind: --send's escapes" sh -c "head -c 12 '$WORK/typed' | cmp - '$WORK/escapes'"
	live 1 "$kind unplugged" $kind "stop 4000" ""
	has "$kind unplugged: the message says what is missing" \
		'went away.*: the dump [0-9a-f]{8} is incomplete: it ends after block [0-9]+ of [0-9]+ \(END'
	one_line "$kind unplugged"
	not_written "$kind unplugged"
done

# A terminal server with 80 columns cuts lines of the dump. The target pauses in the middle of one of these lines.
{
	echo hello
	echo between
	fold -b -w 80 "$WORK/text"
	echo bye
} >"$WORK/input"
for kind in pty tcp unix; do
	pause=
	[ $kind != unix ] || pause="pause 1000"
	live 0 "lines cut at 80 columns by $kind" $kind "$pause" "--until bye"
	written "lines cut at 80 columns by $kind"
	check "lines cut at 80 columns by $kind: the console without the dump" \
		sh -c "{ cat '$WORK/console'; echo bye; } | cmp - '$WORK/out'"
done
sed -i '$d' "$WORK/input"
live 0 "lines cut at 80 columns, and nothing after them" unix "" "--timeout 9"
written "lines cut at 80 columns, and nothing after them"
{
	sed '7s/[A-Za-z0-9+/]\r*$//' "$WORK/text" | fold -b -w 80
	printf 'login: '
} >"$WORK/input"
live 1 "a damaged line that was cut, and a prompt" unix "" "--until login:"
has "a damaged line that was cut, and a prompt: what is missing" 'block 6 of [0-9]+ is missing; 1 damaged line was dropped'
not_written "a damaged line that was cut, and a prompt"
cp "$WORK/mixed" "$WORK/input"

start=$(date +%s%N)
live 0 "pty at 115200 baud, progress on a terminal" pty "rate 115200 terminal $WORK/terminal" ""
took=$((($(date +%s%N) - start) / 1000000))
check "pty at 115200 baud: takes the time of that rate ($took ms)" test $took -ge $(($(wc -c <"$WORK/input") * 1000 / 11520 - 50))
written "pty at 115200 baud"
check "pty at 115200 baud: progress shows blocks, bytes, rate and time" \
	grep -Eq "[0-9]+ of $blocks blocks, [0-9.]+ KB, [0-9.]+ KB/s, [0-9]+ s left" "$WORK/terminal"
live 0 "a line at another rate is set to it" pty "rate 115200" "--log $WORK/log"
check "--log: the console goes there" sh -c "head -n 2 '$WORK/log' | cmp - '$WORK/console' && [ ! -s '$WORK/out' ]"
# The console prints a lot between the blocks and after the last block.
awk '{ print; for (i = 0; i < 3000; i++) print "[  " NR "." i "] a kernel that talks a lot" }' "$WORK/text" >"$WORK/input"
for kind in pty unix; do
	live 0 "$(($(wc -c <"$WORK/input") / 1000000)) MB by $kind" $kind "" ""
	written "many MB by $kind"
done
# Some blocks of this dump stand for several blocks. pull must notice that the dump is complete.
python3 tests/capture/make.py - "$WORK/uniform" form=text whole="$WORK/expected" span=8 uniform=yes \
	id="$("$BAREPROF" show "$WORK/expected" | sed -n 's/^build id: *//p')"
lines=$(wc -l <"$WORK/uniform")
check "a dump of $lines lines has more blocks than lines" test "$lines" -lt $(($(wc -c <"$WORK/expected") / 8))
cat "$WORK/console" "$WORK/uniform" >"$WORK/input"
live 0 "uniform blocks" unix "" "--timeout 60"
written "uniform blocks"

# The other side resets the connection, or a terminal hangs up. After a hang-up, the next pull from the terminal must
# work.
cp "$WORK/mixed" "$WORK/input"
for kind in tcp unix; do
	live 1 "$kind reset within a dump" $kind "abort 4000" ""
	has "$kind reset within a dump: the message says so" 'went away.*: the dump .* ends after block'
	not_written "$kind reset within a dump"
done
has "reset within a dump: the message has the reason" 'went away( \(Connection reset by peer\))?:'
live 1 "a terminal that hangs up" pty "stop 4000" ""
has "a terminal that hangs up: the message says so" 'went away.*: the dump .* ends after block'
live 0 "it comes back" pty "" ""
written "it comes back"
live 1 "unplugged before anything came" pty "stop 0" ""
has "unplugged before anything came: the message says so" "went away.*: no dump arrived"
one_line "unplugged before anything came"

# Tests the ways in which pull ends.
cp "$WORK/mixed" "$WORK/input"
live 0 "--until" unix "" "--until by"
check "--until: the console up to that line" grep -q '^bye' "$WORK/out"
written "--until"
live 1 "--until, seen before the dump" pty "rate 115200" "--until hello"
not_written "--until, seen before the dump"
live 1 "--until, but it goes away" unix "" "--until never"
has "--until, but it goes away: the message says so" "went away before a line with 'never' arrived"
written "--until, but it goes away"
live 0 "Ctrl-C after a dump" pty "int 99999" "--until never"
written "Ctrl-C after a dump"
live 1 "Ctrl-C within a dump" pty "int 4000" ""
has "Ctrl-C within a dump: the message says what is missing" 'was interrupted: the dump .* ends after block'
not_written "Ctrl-C within a dump"
head -n 30 "$WORK/mixed" >"$WORK/input"
live 5 "--timeout" pty "" "--timeout 0.3"
has "--timeout: the message says what is missing" 'timed out after 0.3 s: the dump .* ends after block'
not_written "--timeout"
refuses "a folder that does not exist, before pull listens" 'no/folder: cannot be created' \
	"$BAREPROF" pull "unix:$WORK/none" -o "$WORK/no/folder"
if [ -e /dev/full ]; then
	cp "$WORK/mixed" "$WORK/input"
	live 3 "disk full" pty "" "-o /dev/full"
	has "disk full: the message says so" 'cannot be written: No space'
	live 3 "disk full: log" pty "" "--log /dev/full"
	has "disk full: log: the message says so" '/dev/full: cannot be written: No space'
	written "disk full: log"
fi
cat "$WORK/second" "$WORK/mixed" >"$WORK/input"
rm -f "$out"*
$feed unix socket "$WORK/socket" -- sh -c "trap '' XFSZ; ulimit -f 1; exec '$BAREPROF' pull unix:{} -o '$out' --until bye" \
	<"$WORK/input" >/dev/null 2>"$WORK/err"
check "a disk that fills up: status 3" test $? -eq 3
has "a disk that fills up: the message says so" 'cannot be written: File too large; the output file was not created or changed'
not_written "a disk that fills up"
cat "$WORK/mixed" >"$WORK/input"

# Tests streams with several dumps.
cat "$WORK/second" "$WORK/mixed" >"$WORK/input"
live 0 "two dumps, --until" unix "" "--until bye"
written "two dumps"
check "two dumps: the older is kept" sh -c "cmp '$out'.[0-9a-f]* '$WORK/expected'"
tag=$(basename "$(ls "$out".*)" | sed 's/.*\.//')
live 0 "two dumps, one of them wanted" unix "" "--dump $tag"
has "two dumps: the message names the last one" "from the dump $tag"
{
	cat "$WORK/text"
	sed 9d "$WORK/second"
	echo bye
} >"$WORK/input"
live 1 "the last dump incomplete" unix "" "--until bye"
has "the last dump incomplete: the message names it" 'the dump [0-9a-f]{8} is incomplete: block 8 of'
check "the last dump incomplete: the older one is kept under another name" sh -c \
	"[ ! -e '$out' ] && cmp '$out'.[0-9a-f]* '$WORK/expected'"
# Blocks of two dumps alternate, as if two CPUs sent them. The first dump is complete before the last block of the
# second dump. Between these two points, the console prints other text. At 115200 baud this text takes 0.7 s, so that
# even on a busy machine, pull ends before the second dump is complete.
paste -d '\n' "$WORK/text" "$WORK/second" >"$WORK/turns"
{
	sed '$d' "$WORK/turns"
	for _ in $(seq 100); do echo "other text, other text, other text, other text, other text, other text, other text"; done
	tail -n 1 "$WORK/turns"
} >"$WORK/input"
live 0 "two dumps in turns" pty "rate 115200" ""
written "two dumps in turns"
has "two dumps in turns: the message names the other" "ends after block $((blocks - 2)) of .*; to wait for it, use --until or --all"
live 0 "two dumps in turns, one by --dump" pty "" "--dump $tag"
written "two dumps in turns, one by --dump"
has "two dumps in turns, one by --dump: the message names it" "from the dump $tag"

# --all writes each dump to a file named after its tag, from live targets and from a file.
all=$WORK/all
# each WHAT: the folder must contain both dumps and nothing else.
each() {
	check "$1: both dumps are written" sh -c "[ \$(ls '$all' | wc -l) -eq 2 ] && for f in '$all'/*; do cmp \$f '$WORK/expected'; done"
	check "$1: their names have their tags" test -f "$all/$tag.profraw"
	rm -rf "$all"
}
to="--all $all"
for kind in pty tcp; do
	live 0 "--all, in turns, by $kind" $kind "" ""
	each "--all, in turns, by $kind"
done
cat "$WORK/second" "$WORK/mixed" >"$WORK/input"
live 0 "--all --until" unix "" "--until bye"
each "--all --until"
check "--all of a file" "$BAREPROF" pull --all "$all" "$WORK/input"
each "--all of a file"
{
	head -n 20 "$WORK/second"
	echo "reset"
	cat "$WORK/mixed"
} >"$WORK/reset"
cp "$WORK/reset" "$WORK/input"
live 1 "--all with a reset in the middle" unix "" "--until bye"
has "--all with a reset in the middle: the message names the incomplete dump" 'the dump [0-9a-f]{8} is incomplete: it ends after block 19 of'
check "--all with a reset in the middle: the complete dump is written" sh -c "[ \$(ls '$all' | wc -l) -eq 1 ] && cmp '$all'/* '$WORK/expected'"
rm -rf "$all"
refuses "--all of a file with a reset" 'incomplete: it ends after block 19' \
	sh -c "'$BAREPROF' pull --all '$all' '$WORK/input' 2>'$WORK/all.err' && exit 0; grep -v 'all of them arrived' '$WORK/all.err' >&2; exit 1"
rm -rf "$all"
live 1 "--all without a dump" unix "stop 6" ""
check "--all without a dump: no folder" test ! -e "$all"
build/tests/bin/emit text -1 1 /dev/null 7 >"$WORK/image7"
cat "$WORK/text" "$WORK/image7" >"$WORK/images"
cp "$WORK/images" "$WORK/input"
live 0 "--all of two images with one tag" unix "" ""
each2=$(basename "$(ls "$all"/*.7.profraw)" .7.profraw)
check "--all of two images with one tag: both are written" sh -c \
	"cmp '$all/$each2.profraw' '$WORK/expected' && cmp '$all/$each2.7.profraw' '$WORK/expected'"
rm -rf "$all"
refuses "--all into a folder that cannot be created" 'no/all: cannot be created' "$BAREPROF" pull --all "$WORK/no/all" "$WORK/input"
refuses "--all and -o" 'cannot be combined with --output' "$BAREPROF" pull --all "$all" -o "$out" "$WORK/input"
to="-o $out"
refuses "two images with one tag, --dump without an image" 'of image 0 and another of image 7; choose one, such as --dump' \
	"$BAREPROF" pull --dump "$each2" -o "$out" "$WORK/images"
check "two images with one tag, --dump with an image" "$BAREPROF" pull --dump "$each2.7" -o "$out" "$WORK/images"
head -n 5 "$WORK/image7" | cat "$WORK/text" - >"$WORK/input"
live 0 "two images with one tag, without --until" unix "" ""
written "two images with one tag, without --until"
# Without --until, pull ends at the first complete dump, and reports the incomplete dump.
cp "$WORK/reset" "$WORK/input"
live 0 "a reset in the middle" pty "" ""
written "a reset in the middle"
has "a reset in the middle: the message names the incomplete dump" 'the dump [0-9a-f]{8} is incomplete: it ends after block 19 of'

cp "$WORK/mixed" "$WORK/input"
live 0 "--list" unix "" "--list --until hello"
live 1 "--list without a dump" unix "stop 6" "--list"
not_written "--list"

refuses "a baud rate that is not a number" "'fast' is not a baud rate" "$BAREPROF" pull tty:/dev/null@fast -o "$out"
refuses "a device that is not a terminal" 'is not a serial line' "$BAREPROF" pull tty:/dev/null -o "$out"
refuses "a device that does not exist" 'cannot be opened' "$BAREPROF" pull tty:/dev/none@9600 -o "$out"
refuses "a socket that does not exist" 'cannot be reached' "$BAREPROF" pull "unix:$WORK/none" -o "$out"
refuses "a port on which nobody listens" 'cannot be reached' "$BAREPROF" pull tcp:127.0.0.1:1 -o "$out"
refuses "an address without a port" 'tcp:HOST:PORT' "$BAREPROF" pull tcp:localhost -o "$out"
refuses "a port above 65535" "'99999' is not a port" "$BAREPROF" pull tcp:127.0.0.1:99999 -o "$out"
for option in send then; do
	refuses "--$option with a wrong escape" "^bareprof: --$option: '.0.n' is not an escape; use " \
		"$BAREPROF" pull tcp:127.0.0.1:1 --$option 'dump\0\n' -o "$out"
done
echo earlier >"$WORK/kept.log"
refuses "a source that cannot be opened, with --log" 'cannot be reached' \
	"$BAREPROF" pull tcp:127.0.0.1:1 --log "$WORK/kept.log" -o "$out"
check "a source that cannot be opened: the log of an earlier call is kept" grep -q earlier "$WORK/kept.log"
refuses "a folder, before pull listens" 'is a folder; name a file in it' "$BAREPROF" pull tcp:127.0.0.1:1 -o "$WORK"
refuses "--all FILE" 'kept.log: is not a folder; --all writes several files: name a folder' \
	"$BAREPROF" pull --all "$WORK/kept.log" "$WORK/text"
refuses "options of live sources with a file" 'is not a live source' "$BAREPROF" pull --until x "$WORK/text" -o "$out"

wait $silent
check "a silent target: pull tells that the text of --send may be lost" \
	grep -q 'no byte came for 10 seconds; the target may have missed the text of --send: with --ask, pull types it again' \
	"$WORK/silent.err"

# Tests the exit codes that 'bareprof help' lists. The tests above have already caused the exit codes 0, 1, 3 and 5.
for code in 0 1 2 3 5; do
	check "help lists exit code $code" sh -c "'$BAREPROF' help | grep -q '^  $code  '"
done
# exits STATUS ARGUMENT...: pull with these arguments must exit with STATUS.
exits() {
	want=$1
	shift
	"$BAREPROF" pull "$@" >/dev/null 2>&1 </dev/null
	check "exit code $want: $*" test $? -eq "$want"
}
exits 2 tty:/dev/null@fast
exits 2 tty:/dev/null
exits 2 tcp:localhost
exits 2 unix:
exits 2 "unix:$WORK/none" --timeout soon
exits 2 "unix:$WORK/none" --dump last
exits 2 --until x "$WORK/text" -o "$out"
exits 3 tty:/dev/none
exits 3 "unix:$WORK/none" -o "$out"
exits 3 tcp:127.0.0.1:1 -o "$out"
exits 3 tcp:no.such.host.invalid:1 -o "$out"
if [ -e /dev/full ]; then
	cp "$WORK/mixed" "$WORK/input"
	$feed unix socket "$WORK/socket" -- sh -c "exec '$BAREPROF' pull unix:{} -o '$out' >/dev/full" <"$WORK/input" 2>"$WORK/err"
	check "exit code 3: the console cannot be written" test $? -eq 3
	has "the console cannot be written: the message says so" 'standard output: cannot be written'
fi

# QEMU offers two kinds of serial line to other programs. pull reads from a guest over each of them.
if ! command -v qemu-system-x86_64 >/dev/null; then
	skip "a guest: no qemu-system-x86_64"
	exit 0
fi
check "image" make -s image BOARD=x86_64 DROPIN="$DROP_IN" OUT=build/tests/host/live/image
elf=build/tests/host/live/image/kernel.elf
# guest WHAT SERIAL: boots the guest with the serial line SERIAL, then pulls from it.
guest() {
	boot "$2"
	rm -f "$out"
	check "$1: pulled live" "$BAREPROF" pull "$where" --send 'test\ncov dump\n' --timeout 10 -o "$out" --log "$WORK/log"
	down
	check "$1: the profile has its functions" sh -c "'$BAREPROF' show --counts '$out' | grep -q 'test'"
	check "$1: the log has its console" grep -Eq '^[1-9][0-9]* passed, 0 failed' "$WORK/log"
	check "$1: the log does not have the dump" sh -c "! grep -q '@bp:' '$WORK/log'"
}
guest "a guest by a socket" "unix:$WORK/guest,server=on,wait=on"
guest "a guest by a pseudo terminal" pty
