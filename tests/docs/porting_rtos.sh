#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting_rtos.sh: runs the commands of docs/PORTING-RTOS.md literally. Tasks must run during the dump, and must not
# change the dump. After a failed assertion or a fault, the firmware must also send a dump. The sizes on the page must
# be right.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

PAGE=docs/PORTING-RTOS.md
newcomer "$(newest_clang)" clang ld.lld
unset BAREPROF_ATOMIC BAREPROF_KIND MAKEFLAGS MAKEOVERRIDES

examples "$PAGE" "$WORK/page"
try_examples
PORT=$WORK/page
for lines in $(grep -l 'bareprof check' "$steps"/*.run | sed 's/run$/out/'); do
	check "bareprof check finds nothing: $(basename "$lines" .out)" sh -c "! grep -E '^(error|warning):' '$lines'"
done

# A task prints a line in each of its steps. The dump must take longer than the time between two steps, and each line
# must arrive in one piece.
check "a task prints between the lines of the dump" awk '/^@bp:/ { if (printed) between = 1; dump = 1; printed = 0 }
	/^step [0-9]+\r?$/ && dump { printed = 1 } END { exit !between }' "$PORT/console.log"
check "the console has only whole lines" sh -c "! sed '\$d' '$PORT/console.log' | tr -d '\r' |
	grep -vE '^(tests passed|step [0-9]+|@bp:[A-Za-z0-9+/=]+)\$'"

# The worker and the sampler call mix() thousands of times, also during the dump. All counts must come from one
# moment. At this moment, the worker and the sampler may each be inside a call.
line() { grep -n "$1" "$PORT/app.c" | cut -d: -f1; }
calls() { awk -F '[:,]' -v line="$(line "$1")" '/^SF:/ { on = /\/app\.c$/ } on && /^DA:/ && $2 == line { print $3 }' "$PORT/lcov"; }
entered=$(awk -F '[:,]' '/^FNDA:/ && $3 ~ /(^|;|:)mix$/ || /^FNDA:/ && $4 ~ /^mix$/ { print $2 }' "$PORT/lcov")
worker=$(calls 'mix(rounds++)')
sampler=$(calls 'mix(task->steps)')
check "the worker ($worker) and the sampler ($sampler) ran" test "$worker" -gt 100 -a "$sampler" -ge 1
difference=$((worker + sampler - entered))
check "their calls are as many as the entries of mix(), $entered, or 2 more at most" test $difference -ge 0 -a $difference -le 2
check "no count is torn" sh -c "! grep -l torn '$steps'/*.out"

# covered PROFRAW LINE: prints the number of times that LINE of app.c ran.
covered() {
	bareprof report "$PORT/out/firmware.elf" "$PORT/$1" --lcov "$PORT/lcov" >/dev/null 2>&1
	calls "$2"
}
PATH=$(dirname "$BAREPROF"):$PATH
check "the dump of the assertion has the line that failed" test "$(covered assertion.profraw 'EXPECT(task')" = 1
check "the dump of the fault has the line of the fault" test "$(covered fault.profraw '0xe0000000u')" = 1
check "the dump of the fault does not have the other line" test "$(covered fault.profraw 'EXPECT(task')" = 0

bareprof report "$PORT/minimum/firmware.elf" "$PORT/minimum.profraw" --lcov "$PORT/lcov" >/dev/null 2>&1
check "the minimum counts from the start of app_kernel() on" test "$(calls 'test_strings();')" = 1

# A fault may come during a dump. Then the firmware sends a new dump, and run must use this last dump.
bareprof run --board mps2-an385 "$PORT/out/firmware.elf" --send dddddddddf -o "$PORT/both.profraw" >/dev/null 2>&1
check "a fault ends with status 3, even after and during dumps" test $? = 3
check "its dump has the line of the fault" test "$(covered both.profraw '0xe0000000u')" = 1

# The numbers on the page may differ by 3 percent from those of another release of the compiler.
said=$(ls "$steps"/*.out | tail -n 1)
bytes() { sed -n "s/^$1: flash \([0-9]*\), RAM \([0-9]*\)\$/\\$2/p" "$said"; }
on_page() { sed -n "s/^| $1[^|]*| +*\([0-9,]*\) | +*\([0-9,]*\) |\$/\\$2/p" "$PAGE" | tr -d ,; }
near() { test -n "$1" -a -n "$2" && test $((($1 - $2) * 33)) -le "$2" -a $((($2 - $1) * 33)) -le "$2"; }
for column in 1 2; do
	plain=$(bytes plain $column)
	full=$(($(bytes out $column) - plain))
	small=$(($(bytes small $column) - plain))
	check "column $column of the sizes: $plain, +$full, +$small" eval 'near $plain "$(on_page "without coverage" $column)" &&
		near $full "$(on_page "counters of 8 bytes" $column)" && near $small "$(on_page "the smallest form" $column)"'
done
