#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh: tests `bareprof run`. In place of QEMU, it starts a shell script that prints and does what each case needs.
# tests/images/boards.sh runs real guests.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/guest.sh

elf=$BAREPROF # any ELF file of this machine
machine=$(uname -m)
boards=$WORK/boards
BAREPROF_BOARDS=$boards
export BAREPROF_BOARDS
build/tests/bin/emit text -1 1 "$WORK/expected" >"$WORK/text"
build/tests/bin/emit frames >"$WORK/frames"

# board NAME EXIT SCRIPT: makes a board that runs SCRIPT as its QEMU. EXIT is the value of the key `exit` in its
# board.conf.
board() {
	mkdir -p "$boards/$1"
	printf '#!/bin/sh\n%s\n' "$3" >"$boards/$1/qemu"
	chmod +x "$boards/$1/qemu"
	printf '# test\nmachine = %s\nexit = %s\npackage = qemu-pretend\nqemu = {board}/qemu \\\n\t{elf} {dump}\n' \
		"$machine" "$2" >"$boards/$1/board.conf"
}
# runs STATUS WHAT BOARD [OPTION...]: `bareprof run` with BOARD must exit with STATUS.
runs() {
	want=$1
	what=$2
	name=$3
	shift 3
	rm -f "$WORK/out.profraw"
	"$BAREPROF" run -b "$name" -o "$WORK/out.profraw" "$@" "$elf" >"$WORK/out" 2>"$WORK/err" </dev/null
	got=$?
	if [ $got -eq "$want" ]; then
		ok "$what: status $want"
	else
		not_ok "$what: status $got, not $want"
		sed 's/^/    /' "$WORK/err"
	fi
}
has() { check "$1" grep -Eq "$2" "$WORK/err"; }
written() { check "$1: profile written" cmp "$WORK/out.profraw" "$WORK/expected"; }
not_written() { check "$1: no profile" test ! -e "$WORK/out.profraw"; }

board good plain "echo hello; cat '$WORK/text'; echo bye"
runs 0 "dump on the console" good
written "dump on the console"
printf 'hello\nbye\n' >"$WORK/lines"
check "dump on the console: the console without the dump" cmp "$WORK/out" "$WORK/lines"
has "dump on the console: a summary" '^bareprof: .*/out.profraw: [0-9]+ bytes from the dump [0-9a-f]{8}'
check "dump on the console: one line of messages" test "$(wc -l <"$WORK/err")" -eq 1
runs 0 "with --log" good --log "$WORK/log"
check "with --log: the log has the dump" cmp "$WORK/log" - <<EOF
hello
$(cat "$WORK/text")
bye
EOF

board side plain "echo quiet; cat '$WORK/frames' >\"\$2\""
runs 0 "dump by the side channel" side
written "dump by the side channel"
board failing plain "cat '$WORK/text'; exit 7"
runs 7 "guest that fails after its dump" failing
written "guest that fails after its dump"
has "guest that fails after its dump: the message says so" 'ended with status 7; its profile had already arrived'
board debug isa-debug-exit "cat '$WORK/text'; exit 7"
runs 3 "isa-debug-exit" debug
board reset isa-debug-exit "cat '$WORK/text'; exit 0"
runs 4 "guest that is reset" reset
written "guest that is reset"
board broken isa-debug-exit "echo 'qemu: no such machine' >&2; exit 1"
runs 3 "QEMU that does not start" broken
has "QEMU that does not start: the message says so" 'could not be run: QEMU failed, see its messages above'
board unloadable isa-debug-exit "echo 'qemu: error while loading shared libraries' >&2; exit 127"
runs 3 "QEMU that cannot be loaded" unloadable
has "QEMU that cannot be loaded: the message says so" 'could not be run: QEMU failed, see its messages above'
board silent plain "echo no dump"
runs 1 "guest that never dumps" silent
has "guest that never dumps: the message says so" 'sent no dump; check that it calls bareprof'
not_written "guest that never dumps"
sed -i 's/^machine = .*/machine = other/' "$boards/silent/board.conf"
runs 1 "a board for another machine" silent
has "a board for another machine: the message says so" "sent no dump; the board silent is for other programs, but this program is for $machine: choose another board with --board"
for out in "$WORK" "$WORK/none/out"; do
	runs 3 "OUT that cannot be written" good -o "$out"
	has "OUT that cannot be written: the message" "^bareprof: $out: (is a folder; name a file in it|cannot be created: .*check the folder)"
	check "OUT that cannot be written: the guest is not booted" test ! -s "$WORK/out"
done
board partial plain "head -n 20 '$WORK/text'"
runs 1 "guest that stops in its dump" partial
has "guest that stops in its dump: the message says so" 'sent no usable dump: .* ends after block'
not_written "guest that stops in its dump"
board hanging plain "cat '$WORK/text'; echo \$\$ >'$WORK/pid'; exec sleep 1000"
runs 5 "guest that hangs" hanging --timeout 0.5
written "guest that hangs"
has "guest that hangs: the message says so" 'did not end within 0.5 seconds and was stopped; its profile had already arrived'
check "guest that hangs: it is stopped" gone
board deaf plain "trap '' TERM; echo \$\$ >'$WORK/pid'; while :; do sleep 1; done"
runs 5 "guest that does not want to end" deaf --timeout 0.5
check "guest that ignores SIGTERM: it is stopped by force" gone

# If a signal ends bareprof, QEMU must end as well.
for signal in TERM INT KILL; do
	rm -f "$WORK/pid"
	# A shell makes programs that it starts with & ignore SIGINT. env restores the default action.
	env --default-signal=INT "$BAREPROF" run -b hanging -o "$WORK/out.profraw" "$elf" >/dev/null 2>&1 </dev/null &
	ours=$!
	for try in 1 2 3 4 5 6 7 8 9 10; do [ -s "$WORK/pid" ] && break || sleep 0.2; done
	kill -$signal $ours
	wait $ours 2>/dev/null
	sleep 0.3
	check "SIG$signal to bareprof ends QEMU" gone
done

# With nohup, the end of the terminal does not end bareprof.
rm -f "$WORK/pid" "$WORK/out.profraw"
(trap '' HUP && exec "$BAREPROF" run -b hanging --timeout 2 -o "$WORK/out.profraw" "$elf" >/dev/null 2>&1 </dev/null) &
ours=$!
for try in 1 2 3 4 5 6 7 8 9 10; do [ -s "$WORK/pid" ] && break || sleep 0.2; done
kill -HUP $ours
wait $ours
check "an ignored SIGHUP: the guest runs on until its timeout" test $? -eq 5
written "an ignored SIGHUP"

board echo plain 'read -r line; echo "got $line"; read -r line; echo "and $line"'
runs 1 "--send" echo --send 'one\ntwo \x41\\\n'
check "--send is typed, escapes decoded" grep -q 'and two A' "$WORK/out"
printf 'alpha\nbeta\n' | "$BAREPROF" run -b echo "$elf" -o "$WORK/o" >"$WORK/out" 2>/dev/null
check "standard input is typed" grep -q 'and beta' "$WORK/out"
board prompt plain 'printf "login: "; sleep 2; echo; printf "@b"; sleep 0.3; echo "p: no dump"'
"$BAREPROF" run -b prompt "$elf" -o "$WORK/o" >"$WORK/out" 2>/dev/null </dev/null &
ours=$!
sleep 1
check "a prompt without a line end appears at once" grep -q '^login: ' "$WORK/out"
wait $ours
check "text that begins like the marker is shown" grep -q '^@bp: no dump' "$WORK/out"

printf 'machine = none\nqemu = qemu-system-nothing {elf}\npackage = qemu-pretend\n' >"$boards/good/board.conf"
refuses "QEMU that is not installed" 'qemu-system-nothing is not installed; install the Debian package qemu-pretend' \
	"$BAREPROF" run -b good "$elf"
refuses "an unknown board" "there is no board 'goood'; choose one of: .*good" "$BAREPROF" run -b goood "$elf"
cp "$elf" "$WORK/strange"
printf '\377\376' | dd of="$WORK/strange" bs=1 seek=18 conv=notrunc 2>/dev/null
refuses "a machine without a board" "there is no default board for unknown programs; choose one with --board: .*good" \
	"$BAREPROF" run "$WORK/strange"
printf 'machine = %s\ndefault = yes\nqemu = {board}/qemu\n' "$machine" >"$boards/side/board.conf"
check "default board of the machine" sh -c "'$BAREPROF' run -o '$WORK/o' '$elf' </dev/null 2>&1 | grep -q quiet"
printf 'machine = x\nquemu = y\n' >"$boards/side/board.conf"
refuses "a misspelt key" "board.conf: line 2: 'quemu = y' is not valid" "$BAREPROF" run -b side "$elf"
printf 'machine = x\n' >"$boards/side/board.conf"
refuses "a board without a command" 'the keys machine and qemu are required' "$BAREPROF" run -b side "$elf"
refuses "a program that is not an ELF file" 'is not an ELF file' "$BAREPROF" run "$WORK/text"
refuses "an invalid timeout" 'takes a number of seconds' "$BAREPROF" run --timeout soon "$elf"
