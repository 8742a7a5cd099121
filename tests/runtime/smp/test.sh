#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# smp - several CPUs count, on the boards that have several CPUs. The kernel must find as many CPUs as QEMU has, and the
# profile must have the exact counts of each CPU. Then all CPUs increase the same counters at the same time. Without
# BAREPROF_WIDE=1, the kernel runs on one CPU and on eight CPUs, which is the most, and the races on four.
. "$(dirname "$0")/../../lib.sh"

llvm=22

# guest BOARD CPUS IMAGE COMMANDS: boots IMAGE with CPUS processors. The console's output goes to $WORK/out.
# $WORK/counts gets a line for each function. The line has the name, the number of calls, and the first count of a block
# inside the function.
guest() {
	BAREPROF_BOARDS=$WORK/$2 "$BAREPROF" run --board "$1" --timeout 30 --send "$4\\nexit\\n" -o "$WORK/out.profraw" \
		"$WORK/$3/kernel.elf" >"$WORK/out" 2>"$WORK/err" </dev/null &&
		"llvm-profdata-$llvm" merge -o "$WORK/out.profdata" "$WORK/out.profraw" &&
		"llvm-profdata-$llvm" show --all-functions --counts "$WORK/out.profdata" >"$WORK/show" &&
		awk '/^  [^ ].*:$/ { name = substr($1, 1, length($1) - 1); sub(/.*[:;]/, "", name) }
			/^    Function count:/ { count = $3 }
			/^    Block counts:/ { gsub(/[],[]/, ""); print name, count, $3 }' "$WORK/show" >"$WORK/counts"
}
value() { awk -v name="$1" '$1 == name { print $2 }' "$WORK/counts"; }
jobs_are_exact() { grep -E '^(job.|turn_of) ' "$WORK/counts" | sort | diff "$WORK/expected" -; }
turns() { sed -n 's/^\([0-9]*\) turns.*/\1/p' "$WORK/out"; }

# These are the counts of the self test's functions. They do not depend on the number of CPUs.
for n in 0 1 2 3 4 5 6 7; do
	echo "job$n 1 $((100 * (n + 1)))"
done >"$WORK/expected"
echo "turn_of 3600 3600" >>"$WORK/expected"

for board in x86_64 aarch64; do
	for n in 1 2 4 8; do
		mkdir -p "$WORK/$n/$board"
		sed "s/ -smp [0-9]* / -smp $n /" "qemu/$board/board.conf" >"$WORK/$n/$board/board.conf"
	done
	for update in single atomic; do
		make -s -j2 image BOARD="$board" LLVM=$llvm UPDATE="$update" DROPIN="$DROP_IN" OUT="$WORK/$board-$update" >"$WORK/make.log" 2>&1 || {
			not_ok "$board: image with $update counters does not build"
			cat "$WORK/make.log"
		}
	done

	for n in $([ -n "$BAREPROF_WIDE" ] && echo 1 2 4 8 || echo 1 8); do
		check "$board, -smp $n: a run" guest "$board" $n "$board-single" 'test smp\ncov dump'
		check "$board, -smp $n: all CPUs were found" grep -q "demo on $board, $n CPU" "$WORK/out"
		check "$board, -smp $n: each did its jobs" grep -q '^pass smp' "$WORK/out"
		check "$board, -smp $n: one profile has the exact counts of each" jobs_are_exact
	done

	# In a race, three of the four CPUs increase the same counters and do nothing else.
	check "$board: a race of atomic counters" guest "$board" 4 "$board-atomic" 'race start\nsleep 100\nrace stop\ncov dump'
	check "$board: there were turns" test "$(turns)" -gt 1000
	check "$board: atomic counters lose none" test "$(value turn)" -eq "$(turns)"

	check "$board: a race of plain counters" guest "$board" 4 "$board-single" 'race start\nsleep 100\nrace stop\ncov dump'
	check "$board: plain counters have none that was not" test "$(value turn)" -le "$(turns)"
	for update in single atomic; do
		check "$board: a dump while others count, $update" guest "$board" 4 "$board-$update" \
			'test smp\nrace start\nsleep 100\ncov dump\nrace stop'
		check "$board: they were at it, $update" test "$(value turn)" -gt 0 -a "$(value turn)" -le "$(turns)"
		check "$board: counters at rest are as they were, $update" jobs_are_exact
	done

	check "$board: a reset while others count" guest "$board" 4 "$board-atomic" \
		'test smp\nrace start\nsleep 100\ncov reset\nsleep 100\nrace stop\ncov dump'
	check "$board: they counted on from there" test "$(value turn)" -gt 0 -a "$(value turn)" -lt "$(turns)"
	check "$board: counters at rest are reset" test "$(value turn_of)" -eq 0

	# Prints the share of counts that are lost without atomics, if all CPUs except one increase one counter and do
	# nothing else. This is a measurement, which only runs with BAREPROF_WIDE=1.
	for n in ${BAREPROF_WIDE:+2 3 4 8}; do
		for update in single atomic; do
			check "$board, -smp $n: a race to measure, $update" guest "$board" "$n" "$board-$update" \
				'race start\nsleep 1000\nrace stop\ncov dump'
			awk -v all="$(turns)" -v saw="$(value turn)" -v what="$board, $((n - 1)) counting, $update" 'BEGIN {
				printf "  %-30s %10d turns, %10d counted, %8.4f %% lost\n", what, all, saw, 100 * (all - saw) / all }'
		done
	done
done
