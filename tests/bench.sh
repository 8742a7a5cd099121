#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh: `make bench` measures merge and show, here on tiny inputs: it still
# runs, and the outputs it compares are the same. No time is judged.
. "$(dirname "$0")/lib.sh"

BENCH_MODULES=2 BENCH_FUNCTIONS=20 BENCH_PROFILES=20 BENCH_ROUNDS=1 BENCH_WORK=$WORK/merge BAREPROF=$BAREPROF \
	sh bench/merge.sh >"$WORK/table" 2>&1
check "the benchmark of merge runs" test $? -eq 0
for case in one-large middle small indexed ir-values; do
	check "$case: the same bytes from both" grep -q "^$case: the same bytes" "$WORK/table"
	check "$case: a ratio" grep -Eq "^$case +bareprof .*[0-9]x less CPU" "$WORK/table"
done
check "show: a ratio" grep -Eq "^show-large +bareprof .*[0-9]x less CPU" "$WORK/table"
check "memory: for several numbers of inputs" grep -Eq "^memory-20 +bareprof .*[0-9]x less memory" "$WORK/table"
