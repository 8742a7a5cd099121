#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# openocd.sh - reads and resets counters through OpenOCD, as a firmware developer does. OpenOCD drives a JTAG port that
# tests/outside/jtag.py simulates: a debug port of Arm with an access port for the memory of a guest of QEMU. bareprof must
# read the same profile as through QEMU's monitor.
. "$(dirname "$0")/../lib.sh"

board=mps2-an385
dir=$WORK/$board
mkdir -p "$dir/boards/$board"

# hold: stops a guest before its dump, and saves its profile and its memory.
hold() {
	make -s image BOARD=$board LLVM="$(newest_clang)" KIND=coverage OUT="$dir" >"$dir/make" 2>&1 || { cat "$dir/make" && return 1; }
	sed "s|{elf}|& -S -qmp unix:$dir/s.qmp,server=on,wait=off -gdb unix:$dir/s.gdb,server=on,wait=off|" \
		qemu/$board/board.conf >"$dir/boards/$board/board.conf"
	cat >"$dir/script" <<-EOF
		cd '$dir' && '$BAREPROF' pull --from qmp:s.qmp --elf kernel.elf -o qmp.profraw
		python3 '$ROOT/tests/outside/dump.py' s.qmp core
	EOF
	python3 tests/outside/hold.py "$dir/kernel.elf" "$dir/s" 'test\ncov dump\nexit\n' "$dir/script" 2>"$dir/said" |
		BAREPROF_BOARDS=$dir/boards "$BAREPROF" run --board $board -o "$dir/sent.raw" "$dir/kernel.elf" >"$dir/console"
	cmp "$dir/sent.raw" "$dir/qmp.profraw"
}
check "a guest is stopped" hold

cat >"$dir/openocd.cfg" <<EOF
adapter driver remote_bitbang
remote_bitbang port 0
remote_bitbang host $dir/jtag
transport select jtag
jtag newtap chip cpu -irlen 4 -expected-id 0x4ba00477
dap create chip.dap -chain-position chip.cpu
target create chip.mem mem_ap -dap chip.dap -ap-num 0 -gdb-port pipe
tcl_port disabled
telnet_port disabled
log_output $dir/openocd.log
EOF

# pull OPTION...: pulls through OpenOCD, which bareprof starts.
pull() {
	"$BAREPROF" pull --from "gdb:|openocd -f '$dir/openocd.cfg'" --elf "$dir/kernel.elf" "$@" || { cat "$dir/openocd.log" && return 1; }
}

python3 tests/outside/jtag.py "$dir/jtag" "$dir/core" &
port=$!
trap 'kill $port' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$dir/jtag" ] || sleep 0.1; done

equal() {
	pull -o "$dir/jtag.profraw" && cmp "$dir/qmp.profraw" "$dir/jtag.profraw"
}
check "the profile through OpenOCD and JTAG is that of QEMU's monitor" equal

# The chip has 32 bits, which no list of symbols says.
list() {
	"llvm-nm-$(newest_clang)" "$dir/kernel.elf" >"$dir/list" &&
		"$BAREPROF" pull --from "core:$dir/core" --symbols "$dir/list" -o "$dir/listed.profraw" &&
		cmp "$dir/qmp.profraw" "$dir/listed.profraw"
}
check "a list of symbols in place of the ELF file" list

reset() {
	pull -o "$dir/before.profraw" --reset && cmp "$dir/qmp.profraw" "$dir/before.profraw" &&
		pull -o "$dir/after.profraw" && "$BAREPROF" show "$dir/after.profraw" | grep '^counts: *0 in all'
}
check "a reset through OpenOCD" reset
