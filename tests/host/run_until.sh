#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_until.sh: tests `bareprof run --until-dump` and `--until`, for programs that never end. In place of QEMU, it
# starts a shell script. tests/images/flat.sh runs real guests.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/guest.sh

elf=$BAREPROF # any ELF file of this machine
boards=$WORK/boards
BAREPROF_BOARDS=$boards
export BAREPROF_BOARDS
build/tests/bin/emit text -1 1 "$WORK/expected" >"$WORK/text"
build/tests/bin/emit frames >"$WORK/frames"
build/tests/bin/emit text -1 2 "$WORK/expected2" >"$WORK/text2"

# guest SCRIPT: makes the board that runs SCRIPT as its QEMU.
guest() {
	mkdir -p "$boards/guest"
	printf '#!/bin/sh\necho $$ >%s\n%s\n' "'$WORK/pid'" "$1" >"$boards/guest/qemu"
	chmod +x "$boards/guest/qemu"
	printf 'machine = %s\nqemu = {board}/qemu {elf} {dump}\n' "${2-$(uname -m)}" >"$boards/guest/board.conf"
}
# runs STATUS WHAT OPTION...: `bareprof run` with these options must exit with STATUS and stop the guest.
runs() {
	want=$1
	name=$2
	shift 2
	rm -f "$WORK/out.profraw"
	"$BAREPROF" run -b guest -o "$WORK/out.profraw" "$@" "$elf" >"$WORK/out" 2>"$WORK/err" </dev/null
	got=$?
	if [ $got -eq "$want" ]; then
		ok "$name: status $want"
	else
		fails "$name: status $got, not $want" "$WORK/err"
	fi
	check "$name: the guest was stopped" gone
}
has() { check "$name: the message" grep -Eq "$1" "$WORK/err"; }
written() { check "$name: the profile is written" cmp "$WORK/out.profraw" "${1-$WORK/expected}"; }
not_written() { check "$name: no profile" test ! -e "$WORK/out.profraw"; }
seconds() { echo $(($(date +%s) - $1)); }

forever='exec sleep 1000'
start=$(date +%s)
guest "echo hello; cat '$WORK/text'; echo bye; exec sleep 1000"
runs 0 "a program that never ends" --until-dump
written
check "the console is shown, also after the dump" test "$(cat "$WORK/out")" = "hello
bye"
check "one line of messages" test "$(wc -l <"$WORK/err")" -eq 1
guest "echo quiet; cat '$WORK/frames' >\"\$2\"; exec sleep 1000"
runs 0 "a dump in the side channel" --until-dump
written
guest "while :; do cat '$WORK/frames'; done >\"\$2\""
runs 0 "a side channel that is never silent" --until-dump --timeout 10
written
# The guest sends a complete dump and the start of a second dump. So the second dump has already begun when run finds
# the first dump.
guest "cat '$WORK/text'; head -n 3 '$WORK/text2'; exec sleep 1000"
runs 0 "a second dump that has begun" --until-dump
written
guest "cat '$WORK/text' '$WORK/text2'; exec sleep 1000"
runs 0 "two dumps" --until-dump --log "$WORK/log"
written
check "two dumps: the log has both" test "$("$BAREPROF" pull --list "$WORK/log" | grep -c complete)" -eq 2
# A damaged dump comes first. The program sends it again.
guest "sed 3d '$WORK/text'; sleep 0.2; cat '$WORK/text2'; exec sleep 1000"
runs 0 "a damaged dump and then a whole one" --until-dump
written "$WORK/expected2"
check "these runs took $(seconds "$start") s, below their time limits" test "$(seconds "$start")" -lt 30

# If the guest ends by itself, its status determines the status of run.
guest "cat '$WORK/text'; exit 7"
runs 7 "a failure right after the dump" --until-dump
written
has 'ended with status 7; its profile had already arrived'
guest "cat '$WORK/frames' >\"\$2\""
runs 0 "an end right after the dump" --until-dump
written
guest "echo no dump"
runs 1 "an end without a dump" --until-dump
has 'sent no dump, only 8 bytes of other output, whose last line is .no dump.; check that it calls bareprof'

# No complete dump arrives.
guest "$forever"
runs 5 "a program without output" --until-dump --timeout 0.3
has 'sent no complete dump within 0.3 seconds and was stopped: no block of a dump arrived, and no other output, neither on its console nor in the side channel; check that it calls bareprof'
not_written
guest "echo Hello; printf 'assertion failed: x > 0\r\n\r\n'; $forever"
runs 5 "a program with other output" --until-dump --timeout 0.8
has "no block of a dump arrived, only 33 bytes of other output, whose last line is 'assertion failed: x > 0'; check"
guest "echo 12345 >\"\$2\"; $forever"
runs 5 "a program with other bytes in the side channel" --until-dump --timeout 0.8
has "only 6 bytes of other output; check"
guest "head -n 20 '$WORK/text'; $forever"
runs 5 "a program that stops in its dump" --until-dump --timeout 0.8
has 'sent no complete dump within 0.8 seconds and was stopped: the dump [0-9a-f]{8} is incomplete: .*ends after block 19'
not_written
guest "sed 3d '$WORK/text'; $forever"
runs 1 "a dump that lost a line" --until-dump --timeout 30
has 'sent no more blocks for 3 seconds after the end of its dump: the dump [0-9a-f]{8} is incomplete: .*block 2 of [0-9]+ is missing$'
not_written
guest "$forever" none
runs 5 "a board for another machine" --until-dump --timeout 0.3
has 'the board guest is for none programs, but this program is for .*: choose another board with --board'
guest "cat '$WORK/text'; $forever"
runs 5 "without the option" --timeout 0.8
written
has 'did not end within 0.8 seconds and was stopped; its profile had already arrived and is written, use --until-dump if'
guest 'echo "again" >>"$0.tries"; [ "$(wc -l <"$0.tries")" -lt 2 ] || cat '"'$WORK/text'; $forever"
runs 0 "a second try" --until-dump --timeout 1.5 --retries 1 --junit "$WORK/junit.xml"
written
check "a second try: the JUnit report has the timeout" grep -q 'type="timeout"' "$WORK/junit.xml"

guest "cat '$WORK/text' '$WORK/text2'; printf 'all tests '; sleep 0.1; echo done; cat '$WORK/text'; exec sleep 1000"
runs 0 "--until" --until 'all tests done'
written "$WORK/expected2"
guest "cat '$WORK/text'; $forever"
runs 5 "--until without that line" --until 'all tests done' --timeout 0.8
written
has "wrote no line with 'all tests done' within 0.8 seconds and was stopped; its profile had already arrived"
guest "cat '$WORK/text'"
runs 1 "--until and an end before that line" --until 'all tests done'
written
has "ended before a line with 'all tests done' arrived; its profile had already arrived"
guest "echo all tests done; $forever"
runs 1 "--until and no dump" --until 'all tests done'
has "sent no dump; check that it calls bareprof"

refuses "--until-dump with --until" '--until-dump and --until cannot be combined: use --until alone, with text that the guest prints after its dump' \
	"$BAREPROF" run --until-dump --until x "$elf"
refuses "--until-dump with --each" '--each and --until-dump cannot be combined' \
	"$BAREPROF" run --until-dump --each /dev/null "$elf"
refuses "--until with --each" '--each and --until cannot be combined' "$BAREPROF" run -u x --each /dev/null "$elf"
