#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# boards.sh: on every board in QEMU, tests `bareprof run` with guests that behave well and with guests that do not.
. "$(dirname "$0")/../lib.sh"

# guest STATUS WHAT SEND [OPTION...]: runs the kernel and types the commands SEND. bareprof must exit with STATUS. The
# console goes to the file out, and messages go to the file err.
guest() {
	status=$1
	what=$2
	send=$3
	shift 3
	rm -f "$WORK/out.profraw"
	"$BAREPROF" run --board "$board" --send "$send" -o "$WORK/out.profraw" "$@" "$elf" \
		>"$WORK/out" 2>"$WORK/err" </dev/null
	got=$?
	if [ $got -eq "$status" ]; then
		ok "$board: $what ends with $status"
	else
		not_ok "$board: $what ended with $got, not $status"
		sed 's/^/    /' "$WORK/err"
	fi
}
gone() {
	for process in /proc/[0-9]*; do
		! tr '\0' ' ' <"$process/cmdline" | grep -q "^qemu-system.* .*$elf" || return 1
	done 2>/dev/null
}
has() { check "$board: $1" grep -Eq "$2" "$WORK/$3"; }
lacks() { check "$board: $1" sh -c "! grep -Eq '$2' '$WORK/$3'"; }

for conf in qemu/*/board.conf; do
	board=$(basename "$(dirname "$conf")")
	# On two boards, the runtime is linked file by file.
	case $board in x86_64 | mps2-an385) drop_in= ;; *) drop_in=$DROP_IN ;; esac
	make -s image BOARD="$board" DROPIN="$drop_in" OUT="build/tests/images/boards/$board" >"$WORK/make.log" 2>&1 || {
		not_ok "$board: image does not build"
		cat "$WORK/make.log"
		continue
	}
	elf=build/tests/images/boards/$board/kernel.elf

	guest 0 "a test run with a dump" 'test\ncov dump\nexit\n'
	has "all self tests pass" '^[1-9][0-9]* passed, 0 failed' out
	lacks "dump lines do not reach the console" '@bp:' out
	check "$board: a profile is written" test -s "$WORK/out.profraw"
	"$BAREPROF" show --counts "$WORK/out.profraw" >"$WORK/dump.show" 2>&1

	guest 0 "a dump through the binary channel" 'test\ncov save\nexit\n'
	check "$board: the profile came through the binary channel" test -s "$WORK/out.profraw"
	"$BAREPROF" show "$WORK/out.profraw" >"$WORK/save.show" 2>&1
	check "$board: both channels carry the same functions" sh -c \
		"grep -E '^(functions|build id)' '$WORK/dump.show' >'$WORK/a'; grep -E '^(functions|build id)' '$WORK/save.show' | cmp - '$WORK/a'"

	guest 7 "a guest's own status" 'cov dump\nexit 7\n'
	check "$board: its profile is kept" test -s "$WORK/out.profraw"

	# These two machines can load the kernel as a raw binary, in place of the ELF file.
	case $board in aarch64 | mps2-an385)
		mkdir -p "$WORK/boards/$board"
		sed 's/-kernel {elf}/-kernel {bin}/' "$conf" >"$WORK/boards/$board/board.conf"
		BAREPROF_BOARDS=$WORK/boards
		export BAREPROF_BOARDS
		guest 0 "a raw binary" 'test\ncov dump\nexit\n'
		has "all self tests pass from the raw binary" '^[1-9][0-9]* passed, 0 failed' out
		check "$board: a profile of the raw binary is written" test -s "$WORK/out.profraw"
		unset BAREPROF_BOARDS
		;;
	esac

	guest 3 "a fault" 'fault\n'
	has "a fault shows the registers" '(rip|pc)[ =:]' out
	check "$board: a fault leaves no profile" test ! -e "$WORK/out.profraw"

	# Without BAREPROF_WIDE=1, the rest is tested on two boards. It depends less on the board, and a guest that
	# hangs keeps a CPU busy until the timeout.
	case ${BAREPROF_WIDE:+wide}$board in wide* | x86_64 | mps2-an385) ;; *) continue ;; esac

	guest 0 "a reset" 'test\ncov reset\ncov dump\nexit\n'
	"$BAREPROF" show --counts "$WORK/out.profraw" >"$WORK/reset.show" 2>&1
	check "$board: a reset sets counters to zero" sh -c "! cmp -s '$WORK/reset.show' '$WORK/dump.show'"

	# The kernel runs on after its dump, so bareprof must stop it.
	guest 0 "a run until the dump" 'test\ncov dump\n' --until-dump
	check "$board: its profile is written" test -s "$WORK/out.profraw"
	check "$board: its guest is stopped" gone

	guest 1 "a guest that never dumps" 'test\nexit\n'
	check "$board: no profile is written in this case" test ! -e "$WORK/out.profraw"
	# Only messages of bareprof are counted, because QEMU may print messages of its own, such as a message about
	# timers on lm3s6965evb.
	check "$board: one message reports it" sh -c "[ \$(grep -c '^bareprof: ' '$WORK/err') -eq 1 ]"

	guest 4 "a panic" 'test\npanic\n'
	check "$board: the profile of a panic is kept" test -s "$WORK/out.profraw"

	start=$(date +%s)
	guest 5 "a guest that hangs" 'hang\n' --timeout 1.5
	check "$board: a hanging guest ends in time" test $(($(date +%s) - start)) -le 8
	has "a message names the timeout" '1\.5 s' err
	check "$board: QEMU is gone" gone

	guest 5 "a guest that dumps and then hangs" 'cov dump\nhang\n' --timeout 2.5
	check "$board: the dumped profile is kept" test -s "$WORK/out.profraw"
done

refuses "a board that does not exist" 'no-such-board' "$BAREPROF" run --board no-such-board "$elf"
refuses "an ELF file that does not exist" 'no-such.elf' "$BAREPROF" run no-such.elf
refuses "a file that is not an ELF file" 'README.md.*ELF' "$BAREPROF" run README.md
