#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# snapshot: the tasks of the demo kernel preempt the idle task while it dumps. Live counters and a snapshot must be
# torn, and `report` must report this. A masked snapshot must not be torn. Only one board is tested. With
# BAREPROF_WIDE=1, one board is tested for each way to mask interrupts.
. "$(dirname "$0")/../../lib.sh"

llvm=22

# guest BOARD HOW: boots BOARD and dumps. Stores the console's output in the file out, and the profile in out.profraw.
guest() {
	"$BAREPROF" run --board "$1" --timeout 60 --send "stress $2\\nexit\\n" -o "$WORK/out.profraw" \
		"$WORK/$1/kernel.elf" >"$WORK/out" 2>"$WORK/err" </dev/null
}
# said WORD: prints the number after WORD on the console.
said() { sed -n "s/.*$1 0*\\([0-9][0-9]*\\).*/\\1/p" "$WORK/out"; }
report() {
	"$BAREPROF" report "$WORK/$board/kernel.elf" "$WORK/out.profraw" "$@" --lcov "$WORK/lcov" >"$WORK/table" 2>"$WORK/err"
}
names_work() { grep -Eq "bareprof: .*out.profraw: has impossible counts in .*function.*: work" "$WORK/err"; }
# never: prints the count that LCOV has for the line that never runs.
never() {
	line=$(grep -n '/\* never \*/' tests/runtime/snapshot/work.c | cut -d: -f1)
	sed -n '/snapshot\/work.c$/,/^end/p' "$WORK/lcov" | sed -n "s/^DA:$line,//p"
}

for board in mps2-an385 ${BAREPROF_WIDE:+x86_64 aarch64 armv7a}; do
	if ! make -s image BOARD="$board" LLVM=$llvm OUT="$WORK/$board" \
		EXTRA='-DDEMO_STRESS -Dkernel_tick=timer_tick -Itests/runtime/snapshot' \
		MORE_SOURCES=tests/runtime/snapshot/work.c MORE_PLAIN=tests/runtime/snapshot/preempted.c \
		>"$WORK/make.log" 2>&1; then
		not_ok "$board: the image does not build"
		cat "$WORK/make.log"
		continue
	fi
	for how in 0 1; do
		dumped=$([ $how = 0 ] && echo "live counters" || echo "a snapshot")
		check "$board: a dump of $dumped" guest "$board" $how
		[ $how = 0 ] || check "$board: $dumped is torn" test "$(said torn)" -gt 0
		report
		status=$?
		check "$board: $dumped: report fails with 7" test $status -eq 7
		check "$board: $dumped: report names the function" names_work
		check "$board: $dumped: the branch that was never taken is not covered" test "$(never)" = 0
		report --allow-torn
		check "$board: $dumped: with --allow-torn it passes" test $? -eq 0
	done
	check "$board: a dump of a masked snapshot" guest "$board" 2
	check "$board: interrupts came at that time" test "$(said interrupted)" -ge 200
	check "$board: none was torn" test "$(said torn)" -eq 0
	report
	status=$?
	check "$board: report passes" test $status -eq 0 -a "$(never)" = 0
	echo "  $board: $(grep '^snapshots' "$WORK/out")"
done
