#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# profiles.sh - reads all profiles of a kernel from outside: its counters, a machine profile, and samples. The guest is
# stopped directly before it dumps them, so the profiles must be those that it then sends. With --reset, it must send
# profiles in which nothing ran.
. "$(dirname "$0")/../lib.sh"

newest=$(newest_clang)

# boot BOARD SCRIPT VARIABLE...: builds and boots a kernel. Before it dumps, SCRIPT runs in the folder $dir.
boot() {
	board=$1
	script=$2
	shift 2
	mkdir -p "$dir/boards/$board"
	make -s image BOARD="$board" LLVM="$newest" OUT="$dir" "$@" >"$dir/log.make" 2>&1 || { cat "$dir/log.make" && return 1; }
	sed "s|{elf}|& -S -qmp unix:$dir/s.qmp,server=on,wait=off -gdb unix:$dir/s.gdb,server=on,wait=off|" "qemu/$board/board.conf" \
		>"$dir/boards/$board/board.conf"
	printf 'cd "%s" && %s\n' "$dir" "$script" >"$dir/script"
	python3 tests/outside/hold.py "$dir/kernel.elf" "$dir/s" \
		'cov sample on 997\ntest\ncov sample off\nmip both\ncov sample dump\nexit\n' "$dir/script" mip_both 2>"$dir/said" |
		BAREPROF_BOARDS=$dir/boards "$BAREPROF" run --board "$board" -o "$dir/sent.raw" --log "$dir/log" "$dir/kernel.elf" >"$dir/console"
}

# same BOARD SOURCE VARIABLE...: what SOURCE gives is what the guest sends.
same() {
	dir=$WORK/$1
	source=$2
	board=$1
	shift 2
	boot "$board" "'$BAREPROF' pull --from $source --elf kernel.elf; '$BAREPROF' pull --from $source --elf kernel.elf --capture -o all.capture" \
		"$@" || return
	cat "$dir/said"
	cmp "$dir/sent.raw" "$dir/kernel.profraw" || return
	for item in log kernel.mipraw all.capture; do
		"$BAREPROF" mip merge --elf "$dir/kernel.elf" "$dir/$item" -o "$dir/$item.mip" || return
	done
	for item in log kernel.capture all.capture; do
		"$BAREPROF" sample merge --elf "$dir/kernel.elf" "$dir/$item" -o "$dir/$item.samples" || return
	done
	cmp "$dir/log.mip" "$dir/kernel.mipraw.mip" && cmp "$dir/log.mip" "$dir/all.capture.mip" &&
		cmp "$dir/log.samples" "$dir/kernel.capture.samples" && cmp "$dir/log.samples" "$dir/all.capture.samples" || return
	"$BAREPROF" sample show "$dir/kernel.elf" "$dir/log.samples" | head -n 1 | tee "$dir/shown"
	grep -q '^[1-9][0-9]* samples' "$dir/shown"
}
check "aarch64: counters, calls and blocks, samples of four CPUs through gdb's protocol" \
	same aarch64 gdb:unix:s.gdb KIND=coverage MIP=calls,blocks SAMPLES=3
check "mps2-an385: coverage of functions, a histogram through QEMU's monitor" \
	same mps2-an385 qmp:s.qmp KIND=coverage MIP=coverage SAMPLES=histogram

# After a reset, no function and no value has a count, and there are no samples.
reset() {
	dir=$WORK/reset
	boot x86_64 "'$BAREPROF' pull --from gdb:unix:s.gdb --elf kernel.elf --reset" KIND=values MIP=calls,sample=64 SAMPLES=1 || return
	cat "$dir/said"
	"$BAREPROF" show "$dir/kernel.profraw" | grep '^functions: *71, of which [1-9]' &&
		"$BAREPROF" show "$dir/sent.raw" | grep '^counts: *0 in all' &&
		"$BAREPROF" show --json --values "$dir/kernel.profraw" | grep -q '"count": [1-9]' &&
		! "$BAREPROF" show --json --values "$dir/sent.raw" | grep '"count": [1-9]' &&
		"$BAREPROF" mip merge --elf "$dir/kernel.elf" "$dir/log" -o "$dir/mip" &&
		"$BAREPROF" mip show "$dir/mip" | grep '^0 of .* calls: 0$' &&
		"$BAREPROF" sample show "$dir/kernel.elf" "$dir/log" | grep '^0 samples'
}
check "a reset" reset
