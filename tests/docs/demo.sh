#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh: runs `make demo` as a newcomer does.
. "$(dirname "$0")/../lib.sh"

check "make demo" sh -c "make demo >'$WORK/demo.log' 2>&1 || { tail -n 20 '$WORK/demo.log'; exit 1; }"
for conf in qemu/*/board.conf; do
	board=$(basename "$(dirname "$conf")")
	check "demo shows $board" grep -q "== $board" "$WORK/demo.log"
	check "demo prints how long it took: $board" grep -Eq "^$board: [1-9][0-9]* ms from" "$WORK/demo.log"
	page=build/demo/$board/html/index.html
	check "demo leaves a report for $board" grep -q 'qemu/demo' "$page"
	check "demo prints the path of the report: $board" grep -qF "$page" "$WORK/demo.log"
done
check "demo shows a machine profile" sh -c "sed -n '/^The machine profile/,/^TOTAL/p' '$WORK/demo.log' | grep -q 'shell.c .*%'"
check "demo covers most of the kernel" sh -c \
	"awk '/^TOTAL/ && NF > 9 { n++; if (\$10 + 0 < 80) bad = 1 } END { exit bad || n < 2 }' '$WORK/demo.log'"

# Without llvm-cov, the demo shows its tables all the same. These tools are found before the installed ones, and fail.
trap_llvm "exit 127"
PATH=$WORK/traps:$PATH sh qemu/demo.sh mps2-an385 >"$WORK/bare.log" 2>&1
check "the demo without llvm-cov succeeds" test $? -eq 0
check "the demo without llvm-cov shows the table" grep -Eq '^TOTAL .*%' "$WORK/bare.log"
check "the demo without llvm-cov names no HTML report" sh -c "! grep -q browser '$WORK/bare.log'"
