#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# watch.sh: tests `bareprof pull --watch`. A kernel in QEMU is poked while bareprof watches it: on a terminal (tmux) with a
# source from outside, through a console that loses blocks, and through the files of a folder like debugfs. What is shown must
# be the difference of reports of the dumps before and after.
. "$(dirname "$0")/../lib.sh"
compare=tests/host/lib/watch_compare.py
work=$(cd "$WORK" && pwd -P)
tmux="tmux -L bareprof-watch-$$ -f /dev/null"
qemu=
helper=
trap '[ -z "$qemu" ] || kill $qemu 2>/dev/null; [ -z "$helper" ] || kill $helper 2>/dev/null; $tmux kill-server 2>/dev/null' EXIT

# within SECONDS COMMAND...: waits until COMMAND succeeds.
within() {
	left=$(($1 * 10))
	shift
	until "$@" 2>/dev/null; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.1
	done
}
# boot BOARD: builds the demo kernel, and starts it with its console at the socket guest, and QEMU's monitor at qmp.
boot() {
	elf=$work/$1/kernel.elf
	[ -e "$elf" ] || make -s image BOARD="$1" OUT="$work/$1" DROPIN="$DROP_IN" >"$work/$1.log" 2>&1 || cat "$work/$1.log"
	command=$(sed -n '/^qemu = /,$p' "qemu/$1/board.conf" | sed 's/^qemu = //; s/\\$//' | tr '\n' ' ' |
		sed "s|{elf}|$elf|; s|{dump}|$work/save|; s|-serial stdio|-serial unix:$work/guest,server=on,wait=off|")
	rm -f "$work/guest" "$work/qmp" "$work/gdb"
	$command -qmp "unix:$work/qmp,server=on,wait=off" -gdb "unix:$work/gdb,server=on,wait=off" >"$work/qemu" 2>&1 &
	qemu=$!
	within 20 test -S "$work/gdb"
	# The kernel has printed its prompt.
	within 20 poke ""
}
down() {
	kill $qemu
	wait $qemu 2>/dev/null
	qemu=
}
# poke COMMAND...: types each command into the guest's console, and waits for the prompt.
poke() {
	python3 - "$work/guest" "$@" <<-'END'
		import socket, sys
		console = socket.socket(socket.AF_UNIX)
		console.connect(sys.argv[1])
		console.settimeout(20)
		for command in sys.argv[2:]:
		    console.sendall(command.encode() + b"\n")
		    said = b""
		    while not said.endswith(b"\n> "):
		        said += console.recv(4096)
	END
}
# report PROFILE: makes PROFILE.info.
report() { "$BAREPROF" report "$elf" "$1" --lcov "$1.info" >"$work/report.log" 2>&1 || cat "$work/report.log"; }
outside() { "$BAREPROF" pull --from "$from" --elf "$elf" -o "$1" 2>"$work/pull.log" && report "$1"; }
# pane: prints what is on the terminal, and what was scrolled away.
pane() { $tmux capture-pane -p -J -S - -t watch; }
pane_has() { pane | grep -q -- "$1"; }
# look_number: prints the number of the last look in the line with totals.
look_number() { pane | sed -n 's/^look \([0-9]*\)[ ;].*/\1/p' | tail -n 1; }
looked_since() { [ "$(look_number)" -ge $(($1 + 2)) ]; }
# next_look: waits until a look has begun and ended after this call.
next_look() { within 30 looked_since "$(look_number)"; }

# terminal BOARD FROM: watches the kernel from outside, on a terminal, and pokes it.
terminal() {
	from=$2
	boot "$1"
	kind="$1, ${2%%:*}"
	outside "$work/before"
	rm -f "$work/last"
	# shellcheck disable=SC2016
	$tmux new-session -d -s watch -x 90 -y 20 "'$BAREPROF' pull --watch 0.3 --from '$from' --elf '$elf' -o '$work/last'
		echo status \$?; sleep 1000"
	check "$kind: the first look is the base line" within 30 pane_has 'base line: [0-9]* of [0-9]* functions'
	poke help
	next_look
	poke "test ring" "test strings"
	next_look
	outside "$work/after"
	check "$kind: the guest still runs" poke memory
	next_look
	outside "$work/reset.before"
	poke "cov reset" "test format"
	check "$kind: a reset is noticed" within 30 pane_has "the counters were reset; since then ran"
	next_look
	outside "$work/reset.after"
	$tmux send-keys -t watch C-c
	check "$kind: Ctrl-C ends it with status 0" within 20 pane_has '^status 0$'
	pane >"$work/pane"
	check "$kind: what is shown is the difference of the dumps" python3 $compare "$work/pane" \
		"$work/before.info" "$work/reset.before.info" - "$work/reset.after.info"
	check "$kind: the line with totals is there once, as the last one" sh -c \
		"grep -c '^look [0-9]' '$work/pane' | grep -qx 1 && grep -A 1 '^look [0-9]' '$work/pane' | tail -n 1 | grep -q 'bytes from the last look'"
	"$BAREPROF" report "$elf" "$work/reset.after" --lcov - 2>/dev/null | awk -F : '
		$1 == "LF" { lf += $2 } $1 == "FNF" { ff += $2 } $1 == "FNH" { fh += $2 }
		END { print fh " of " ff " functions" }' >"$work/totals"
	check "$kind: the totals are those of report ($(cat "$work/totals"))" grep -q "^look [0-9]*; $(cat "$work/totals") (" "$work/pane"
	check "$kind: -o has the profile of the last look" cmp "$work/last" "$work/reset.after"
	check "$kind: the guest still runs at the end" poke memory
	$tmux kill-server
	down
}
if command -v tmux >/dev/null; then
	terminal x86_64 "qmp:$work/qmp"
	[ -z "${BAREPROF_WIDE-}" ] || for board in aarch64 mps2-an385; do
		terminal $board "qmp:$work/qmp"
		terminal $board "gdb:unix:$work/gdb"
	done
else
	skip "watching on a terminal: tmux is not installed"
fi

# A console: each look types a command. One dump loses a block, one does not come at all within a look's time, and then the
# connection ends.
boot x86_64
python3 tests/host/lib/watch_target.py "$work/guest" "$work/here" "$work/sent" help "test ring" lose "cov reset" \
	"test strings" end &
helper=$!
within 20 test -S "$work/here"
"$BAREPROF" pull "unix:$work/here" --watch 0.2 --json --send 'cov counters\n' --elf "$elf" -o "$work/last" \
	--log "$work/log" >"$work/looks" 2>"$work/err"
check "console: the target goes away: status 1" test $? -eq 1
wait $helper
helper=
down
# The dumps have the same tag, so that each is taken from the log alone.
awk -v out="$work/dump" '/@bp:/ { if (!amid) n++; amid = 1; print >(out n) } /^> / { amid = 0 }' "$work/sent"
for n in 1 2 4 5; do
	"$BAREPROF" pull "$work/dump$n" --elf "$elf" -o "$work/dump$n.profraw" 2>"$work/pull.log" || cat "$work/pull.log"
	report "$work/dump$n.profraw"
done
check "console: what is shown is the difference of the dumps" python3 $compare "$work/looks" \
	"$work/dump1.profraw.info" "$work/dump2.profraw.info" - "$work/dump5.profraw.info"
check "console: the look that lost a block failed, and names it" grep -q '"look": 3, .*"kind": "failed", "error": ".*block 2 of [0-9]* is missing' \
	"$work/looks"
check "console: there is a look for each dump" test "$(wc -l <"$work/looks")" -eq 5
check "console: -o has the profile of the last look" cmp "$work/last" "$work/dump5.profraw"
check "console: the messages tell what went wrong" sh -c \
	"[ \$(wc -l <'$work/err') -eq 3 ] && sed -n 1p '$work/err' | grep -q 'is missing' && sed -n 2p '$work/err' | grep -q 'went away'"
check "console: the log has the text, and no block" sh -c "grep -q 'pass ring' '$work/log' && ! grep -q '@bp:' '$work/log'"

# A target that dumps by itself: without --send, each dump is a look.
cat "$work/dump1" >"$work/input"
echo "the console says something" >>"$work/input"
cat "$work/dump2" >>"$work/input"
check "a target that dumps by itself" sh -c "build/tests/bin/feed unix socket '$work/feed' -- '$BAREPROF' pull unix:{} --watch 9 --elf '$elf' \
	<'$work/input' >'$work/looks' 2>'$work/err'; [ \$? -eq 1 ] && grep -q 'went away' '$work/err'"
check "a target that dumps by itself: what is shown is the difference" python3 $compare "$work/looks" \
	"$work/dump1.profraw.info" "$work/dump2.profraw.info"

# The middle one of three dumps loses a block. All have the same tag, but its gap must not be filled from the next one.
{
	cat "$work/dump1"
	sed 3d "$work/dump1"
	cat "$work/dump2"
} >"$work/input"
check "a dump after one with a gap" sh -c "build/tests/bin/feed unix socket '$work/feed' -- '$BAREPROF' pull unix:{} --watch 9 --json --elf '$elf' \
	<'$work/input' >'$work/looks' 2>'$work/err'; [ \$? -eq 1 ]"
check "a dump after one with a gap: there are three looks, and one failed" sh -c \
	"sed 's/.*\"kind\": \"\([a-z]*\).*/\1/' '$work/looks' | sort | tr '\\n' ' ' | grep -qx 'base failed new '"
check "a dump after one with a gap: what is shown is the difference" python3 $compare "$work/looks" \
	"$work/dump1.profraw.info" "$work/dump2.profraw.info"

# Images on this machine. The folder has the same files as debugfs. `other` is not instrumented, and has no profile.
clang=clang-$(newest_clang)
elf=$work/program
$clang -O1 -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 tests/host/samples/program.c \
	tests/host/samples/other.c -o "$elf" 2>"$work/clang.log"
for n in 1 0 3; do
	LLVM_PROFILE_FILE=$work/run$n "$elf" $n >/dev/null
	report "$work/run$n"
done
place=$work/debug/bareprof
mkdir -p "$place/program" "$place/other"
printf 'state: live\nprofraw bytes: 1\n' | tee "$place/program/info" >"$place/other/info"
# image N: lets the image have the profile of run N. Readers see either the old or the new one.
image() { cp "$work/run$1" "$place/program/new" && mv "$place/program/new" "$place/program/profraw"; }
# looks N: waits for N more looks.
looks() {
	wanted=$(($(wc -l <"$work/looks") + $1))
	within 30 enough
}
enough() { [ "$(wc -l <"$work/looks")" -ge "$wanted" ]; }
image 0
"$BAREPROF" pull --watch 0.2 --json --from "debugfs:$place" --elf "$elf" -o "$work/last" >"$work/looks" 2>"$work/err" &
helper=$!
within 20 test -s "$work/looks"
looks 1
image 3
looks 2
mv "$place/program" "$work/gone"
looks 2
mv "$work/gone" "$place/program"
looks 2
image 1
looks 2
# The shell lets background processes ignore SIGINT.
kill $helper
wait $helper
check "debugfs: a signal ends it with status 0" test $? -eq 0
helper=
check "debugfs: what is shown is the difference of the profiles" python3 $compare "$work/looks" \
	"$work/run0.info" "$work/run3.info" - "$work/run1.info"
check "debugfs: -o has the profile of the last look" cmp "$work/last" "$work/run1"
check "debugfs: looks without the image fail" grep -q '"kind": "failed", "error": ".*other' "$work/looks"
check "debugfs: a message that does not change is printed once" sh -c \
	"[ \$(grep -c 'other/profraw' '$work/err') -le 2 ] && grep -q 'bytes from the last look' '$work/err'"
# One line of each kind, with something new if there is such a line.
for kind in base new reset failed; do
	{ grep "\"kind\": \"$kind\".*\"ranges\"" "$work/looks" || grep "\"kind\": \"$kind\"" "$work/looks"; } | head -n 1 >"$work/$kind.json"
done
python3 tests/host/lib/json_schema.py watch "$work/base.json" "$work/new.json" "$work/reset.json" "$work/failed.json"

# Output that nobody reads any more ends it, and so does a first look that fails.
{
	timeout 20 "$BAREPROF" pull --watch 0.2 --from "debugfs:$place" --elf "$elf" 2>"$work/err"
	echo $? >"$work/status"
} | head -n 1 >/dev/null
check "a closed pipe ends it: status $(cat "$work/status")" grep -qx 0 "$work/status"
check "the first look fails: status 1" sh -c "timeout 20 '$BAREPROF' pull --watch 1 --from debugfs:$place --elf '$elf' other >/dev/null 2>'$work/err'; [ \$? -eq 1 ]"
# A watch that waits does next to nothing.
check "waiting takes no time of the CPU" python3 -c '
import resource, subprocess, sys
subprocess.run(["timeout", "-s", "INT", "3", *sys.argv[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.exit(used.ru_utime + used.ru_stime > 0.5)
' "$BAREPROF" pull --watch 60 --from "debugfs:$place" --elf "$elf" program

# refused PATTERN ARGUMENT...: pull refuses these arguments with status 2.
refused() {
	pattern=$1
	shift
	refuses "refused: $*" "$pattern" "$BAREPROF" pull --watch 1 "$@"
}
refused 'needs --elf or --elf-dir' --from "debugfs:$place"
refused '--dump cannot be combined with --watch' --dump 12345678 --elf "$elf" unix:x
refused '--reset cannot be combined with --watch' --reset --elf "$elf" --from gdb:x
refused 'because such a file does not change' --from core:x --elf "$elf"
refused 'is not a live source' --elf "$elf" "$work/log"
refused 'needs one live source' --elf "$elf"
refused '--send cannot be combined with --watch and --from' --send x --from "debugfs:$place" --elf "$elf"
refused '--slide cannot be combined with --watch of a live source' --slide 1 --elf "$elf" unix:x
refused 'has no coverage mapping' --elf "$BAREPROF" unix:x
refuses "--json needs --watch" '--json needs --watch' "$BAREPROF" pull --json "$work/log"
refuses "too often" 'at least 0.1 seconds' "$BAREPROF" pull --watch 0.01 --elf "$elf" unix:x
