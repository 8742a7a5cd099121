#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# outputs.sh: tests outputs to links, devices and pipes. Outputs that would destroy an input must be refused. After a
# signal, no file may be left over. Streams that are closed or never end are tested, too.
. "$(dirname "$0")/../lib.sh"
emit=$ROOT/build/tests/bin/emit
[ -x "$emit" ] || { not_ok "build/tests/bin/emit is built: run 'make test-programs'" && exit 1; }
cd "$WORK" || exit 1

"$emit" text -1 1 expected >log
"$BAREPROF" pull log -o good.profraw 2>/dev/null
elf=$BAREPROF
nothing_left() { ! ls -A | grep -E '\.[0-9a-f]{8}$'; }
# refused WHAT PATTERN COMMAND...: COMMAND must fail with status 2 and one line that matches PATTERN, and no file may
# change.
refused() {
	find . -maxdepth 1 -type f ! -name 'refuse*' ! -name check.log -exec sha256sum {} + | sort >"$WORK/../outputs.before"
	refuses "$@"
	shift 2
	"$@" >/dev/null 2>&1
	check "$what: status 2" test $? -eq 2
	find . -maxdepth 1 -type f ! -name 'refuse*' ! -name check.log -exec sha256sum {} + | sort >"$WORK/../outputs.after"
	check "$what: nothing was changed" cmp "$WORK/../outputs.before" "$WORK/../outputs.after"
}

# --- Links, devices and pipes. ---
ln -s target.profraw link
echo old >target.profraw
check "a link: the file that it points to is written" sh -c "'$BAREPROF' pull log -o link && [ -L link ] && cmp target.profraw expected"
ln -s new.profraw dangling
check "a link to a file that does not exist: the file is created" sh -c "'$BAREPROF' pull log -o dangling && [ -L dangling ] && cmp new.profraw expected"
mkdir folder
ln -s ../over.profraw folder/up
check "a link into another folder" sh -c "'$BAREPROF' pull log -o folder/up && [ -L folder/up ] && cmp over.profraw expected"
ln -s chain folder/../first && ln -s link chain
check "a link to a link" sh -c "'$BAREPROF' pull log -o first && [ -L first ] && [ -L chain ] && [ -L link ]"
ln -s circle circle
refuses "a link to itself" '^bareprof: circle: cannot be opened for writing: Too many levels' "$BAREPROF" pull log -o circle

# The devices are in a copy of /dev, so that a failing test does no damage to the real /dev.
mkdir dev
ln -s /proc/self/fd/1 dev/stdout
check "/dev/stdout sent to a file" sh -c "'$BAREPROF' pull log -o dev/stdout >file && [ -L dev/stdout ] && cmp file expected"
check "/dev/fd/3 sent to a file" sh -c "'$BAREPROF' pull log -o /dev/fd/3 3>file3 && cmp file3 expected"
check "/dev/stdout appended to a file" sh -c "echo first >file; '$BAREPROF' convert --to text good.profraw -o dev/stdout >>file &&
	head -n 1 file | grep -qx first && [ \$(wc -l <file) -gt 5 ]"
refuses "a descriptor that is not open" 'cannot be opened for writing: Bad file descriptor' "$BAREPROF" pull log -o /dev/fd/77
mkfifo fifo
cat fifo >from-fifo &
check "a named pipe" sh -c "'$BAREPROF' pull log -o fifo && wait && [ -p fifo ]"
wait
check "a named pipe: its reader gets all" cmp from-fifo expected
check "a device" sh -c "'$BAREPROF' pull log -o /dev/null && [ -c /dev/null ]"

# --- An output that is also an input, or two equal outputs. ---
refused "the output is the log" '^bareprof: log: --output would overwrite the input log; name another file$' "$BAREPROF" pull log -o log
ln log hard
ln -s log soft
refused "the output is a hard link to the log" 'hard: --output would overwrite the input log;' "$BAREPROF" pull log -o hard
refused "the output is a link to the log" 'soft: --output would overwrite the input log;' "$BAREPROF" pull log -o soft
refused "the output is the log by another path" 'folder/../log: --output would' "$BAREPROF" pull log -o folder/../log
refused "--log is the input" '^bareprof: log: --log would overwrite the input log;' "$BAREPROF" pull log -o out --log log
refused "two outputs are one file" '^bareprof: out: --output and --log would write the same file;' "$BAREPROF" pull log -o out --log ./out
refused "two outputs are one file that exists" 'good.profraw: --output and --log would' "$BAREPROF" pull log -o good.profraw --log folder/../good.profraw
refuses "two outputs are standard output" '^bareprof: --output and --log would both go to standard output' "$BAREPROF" pull log -o - --log /dev/stdout
check "two devices may be the same" "$BAREPROF" pull log -o /dev/null --log /dev/null
cp "$elf" program
refused "--elf is the output" '^bareprof: program: --output would overwrite the input program;' "$BAREPROF" pull log -o program --elf program
refused "the output of merge is one of its inputs" 'good.profraw: --output would overwrite' "$BAREPROF" merge target.profraw good.profraw -o good.profraw
echo good.profraw >list
refused "the output of merge is an input from a list" 'good.profraw: --output would overwrite' "$BAREPROF" merge -f list -o good.profraw
mkdir many
cp good.profraw many/1.profraw
refused "the output of merge is an input from a folder" 'many/1.profraw: --output would overwrite' "$BAREPROF" merge many -o many/1.profraw
refused "the list is the output" 'list: --output would overwrite' "$BAREPROF" merge -f list -o list
refused "convert onto its input" 'good.profraw: --output would overwrite' "$BAREPROF" convert --to text good.profraw -o good.profraw
refused "a report's file is the profile" '--lcov would overwrite the input good.profraw' "$BAREPROF" report program good.profraw --lcov good.profraw
refused "a report's file is the program" '--json would overwrite the input program' "$BAREPROF" report program good.profraw --json program
refused "two files of a report are one" '--lcov and --json would write' "$BAREPROF" report program good.profraw --lcov x --json x
refused "standard output is the input" '--output would overwrite the input list' sh -c "'$BAREPROF' merge -f list -o - >>list"
"$BAREPROF" --version >/dev/null
"$emit" file -1 1 >joined.capture
cat joined.capture joined.capture >j.capture
cp j.capture before
"$BAREPROF" pull j.capture >/dev/null 2>&1
check "pull does not overwrite a capture with the default name" cmp j.capture before

# --- Empty names and long names of outputs. ---
refuses "an empty name" '^bareprof: --output takes the name of a file, which cannot be empty$' "$BAREPROF" pull log -o ''
long=$(printf '%0255d' 0)
check "a name of 255 bytes" sh -c "'$BAREPROF' pull log -o $long && cmp $long expected"
check "a name of 255 bytes in a folder" sh -c "'$BAREPROF' pull log -o folder/$long && cmp folder/$long expected"
refuses "a name of 256 bytes" 'cannot be created: File name too long' "$BAREPROF" pull log -o "${long}0"
check "no temporary file is left over" nothing_left

# --- Signals. ---
# The input is a pipe that stays open. Therefore the command still waits, with a temporary file, when the signal
# arrives.
for name in INT TERM HUP QUIT XCPU; do
	mkfifo "slow.$name"
	(ulimit -c 0; exec env --default-signal="$name" "$BAREPROF" merge -o "made.$name" - <"slow.$name") 2>/dev/null &
	child=$!
	exec 3>"slow.$name"
	sleep 0.1
	kill -s "$name" $child
	wait $child 2>/dev/null
	check "SIG$name ends merge, and no file is left over" sh -c "[ $? -gt 128 ] && [ ! -e made.$name ]"
	exec 3>&-
done
check "signals leave no temporary file" nothing_left

# SIGKILL ends `run`, which therefore cannot clean up, and leaves its temporary folder in $TMPDIR. The guest must end
# nevertheless.
mkdir "$WORK/temporary"
kernel=$WORK/image/kernel.elf
check "makes an image" make -s -C "$ROOT" image BOARD=mps2-an385 DROPIN="$DROP_IN" OUT="$WORK/image"
guests() { pgrep -f "^qemu-system-arm .*$kernel"; }
TMPDIR=$WORK/temporary "$BAREPROF" run --board mps2-an385 --send 'hang\n' --timeout 60 "$kernel" >/dev/null 2>&1 &
child=$!
for _ in $(seq 100); do
	guests >/dev/null && break
	sleep 0.1
done
check "a guest runs" guests
kill -9 $child
wait $child 2>/dev/null
ended() {
	for _ in $(seq 50); do
		guests >/dev/null || return 0
		sleep 0.1
	done
	return 1
}
check "the guest ends when run is killed" ended

# --- Streams. ---
refuses "standard output is closed" '^bareprof: standard output: is closed; send it to a file, or to /dev/null$' sh -c "'$BAREPROF' show good.profraw >&-"
sh -c "'$BAREPROF' pull log -o closed.profraw 2>&-"
check "standard error is closed: the profile is right" cmp closed.profraw expected
refuses "standard input is closed" 'standard input: cannot be read: Bad file descriptor|standard input: is empty' sh -c "'$BAREPROF' show - <&-"
for command in "show --counts good.profraw" "merge --text good.profraw -o -" "help report"; do
	# shellcheck disable=SC2086
	(sleep 0.2; "$BAREPROF" $command; echo $? >status) 2>quiet | true
	check "${command%% *}: ends without a message if its reader ends" test ! -s quiet -a "$(cat status)" -eq 141
done
(ulimit -v 4000000; timeout 60 "$BAREPROF" show /dev/zero) >/dev/null 2>endless
check "a file without an end is refused" grep -Eq '^bareprof: /dev/zero: is not a regular file, and more than [0-9]+ MiB were read from it; save it to a file and give that file' endless
