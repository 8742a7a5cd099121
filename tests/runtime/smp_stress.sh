#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# smp_stress.sh - three CPUs count, call through pointers and are interrupted. Meanwhile, the fourth CPU dumps, drains
# and resets. Every profile must be valid, and at the end no count may be missing. The test takes some seconds for
# each board; with BAREPROF_WIDE=1, it takes a minute.
. "$(dirname "$0")/../lib.sh"

llvm=22
seconds=4
[ -z "$BAREPROF_WIDE" ] || seconds=60

for board in x86_64 aarch64; do
	if ! make -s image BOARD=$board LLVM=$llvm KIND=values UPDATE=atomic OUT="$WORK/$board" \
		EXTRA='-DDEMO_STRESS -Dkernel_tick=timer_tick -Itests/runtime/smp' MORE_SOURCES=tests/runtime/smp/stress.c \
		MORE_PLAIN="tests/runtime/smp/stress_cov.c tests/runtime/smp/$board.c" >"$WORK/make.log" 2>&1; then
		not_ok "$board: the image does not build"
		cat "$WORK/make.log"
		continue
	fi
	mkdir -p "$WORK/boards/$board" "$WORK/$board/profiles"
	sed "s|{dump}|$WORK/$board/sent|; s/ -smp [0-9]* / -smp 4 /" "qemu/$board/board.conf" >"$WORK/boards/$board/board.conf"
	check "$board: $seconds seconds of dumps, drains and resets" env BAREPROF_BOARDS="$WORK/boards" \
		"$BAREPROF" run --board $board --timeout $((seconds + 60)) --send "stress $seconds\\ncov dump\\nexit\\n" \
		--log "$WORK/$board/said" -o "$WORK/$board/last.profraw" "$WORK/$board/kernel.elf"
	python3 tests/runtime/smp/judge.py "$WORK/$board/sent" "$WORK/$board/said" "$WORK/$board/profiles" $llvm "$BAREPROF" |
		sed "s/^\(ok\|not ok\) - /\1 - $board: /"
	rm -rf "$WORK/$board/profiles" "$WORK/$board/sent"
done
