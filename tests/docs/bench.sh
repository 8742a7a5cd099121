#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh: runs the benchmarks of `make bench` on tiny inputs. The benchmarks must work. Where a benchmark compares two
# programs, both programs must write the same output. This test does not judge times.
. "$(dirname "$0")/../lib.sh"

BENCH_MODULES=2 BENCH_FUNCTIONS=20 BENCH_PROFILES=20 BENCH_ROUNDS=1 BENCH_WORK=$WORK/merge BAREPROF=$BAREPROF \
	sh bench/merge.sh >"$WORK/table" 2>&1
check "the benchmark of merge runs" test $? -eq 0
for case in one-large middle small indexed ir-values; do
	check "$case: the same bytes from both" grep -q "^$case: the same bytes" "$WORK/table"
	check "$case: a ratio" grep -Eq "^$case +bareprof .*[0-9]x less CPU" "$WORK/table"
done
check "show: a ratio" grep -Eq "^show-large +bareprof .*[0-9]x less CPU" "$WORK/table"
check "memory: for several numbers of inputs" grep -Eq "^memory-20 +bareprof .*[0-9]x less memory" "$WORK/table"

# bench/values.sh first checks that bareprof and compiler-rt write the same bytes, and then measures times.
BENCH_FUNCTIONS=50 BENCH_WORK=$WORK/values sh bench/values.sh >"$WORK/table" 2>&1
check "the benchmark of values runs: the same bytes from both" test $? -eq 0
check "values: factors for dump and reset, of two compilers" sh -c \
	"[ \$(grep -Ec 'MB  (write|reset ) +[0-9.]+x faster than compiler-rt' '$WORK/table') -eq 4 ] || { cat '$WORK/table'; exit 1; }"

# bench/capture.sh counts the bytes that a dump sends over a slow line. The inputs are a program and a kernel of this
# tree, because a test must not download anything.
BENCH_PROGRAMS=tests/host/samples/show_program.c BENCH_KINDS=coverage BENCH_BOARDS=mps2-an385 BENCH_WORK=$WORK/capture BAREPROF=$BAREPROF \
	sh bench/capture.sh >"$WORK/table" 2>&1
check "the benchmark of captures: such a small program misses limits, which is an error" sh -c \
	"[ $? -eq 1 ] && grep -q MISSED '$WORK/table' || { cat '$WORK/table'; exit 1; }"
for row in show_program-run kernel-mps2-an385; do
	check "$row: bytes and seconds of six forms, five ratios" sh -c \
		"[ \$(grep -Ec '^$row( +[1-9][0-9]* +[0-9]+\.[0-9]{2}){6}\$|^$row( +[0-9]+\.[0-9]){5}\$' '$WORK/table') -eq 2 ]"
done
check "a kernel's counters are 25 times fewer bytes than hex" sh -c \
	"awk '/^kernel/ && NF == 6 { n++; if (\$2 < 25 || \$3 < 25 || \$6 < 16) exit 1 } END { exit n != 1 }' '$WORK/table'"

# limits WHAT STATUS ROW...: checks that capture.awk exits with STATUS for these rows. A row has the five sizes
# "profraw gzip capture frames text".
limits() {
	what=$1
	status=$2
	shift 2
	printf 'x %s\n' "$@" | awk -v GZIP=6 -f bench/capture.awk >"$WORK/table" 2>&1
	check "limits: $what" test $? -eq "$status"
}
limits "reached" 0 "30000 6000 1000 1000 1714" "12500 6000 1000 1000 1562" "60000 6000 1000 1000 3428"
limits "worst beside hex" 1 "30000 6000 1000 1000 1714" "12400 6000 1000 1000 1540" "60000 6000 1000 1000 3428"
limits "median beside hex" 1 "29900 6000 1000 1000 1700" "12500 6000 1000 1000 1562" "60000 6000 1000 1000 3428"
limits "frames beside hex" 1 "30000 6060 1000 1010 1714"
limits "beside gzip" 1 "30000 5900 1000 1000 1714"
limits "median of text" 1 "30000 6000 1000 1000 1720"
limits "worst of text" 1 "30000 6000 1000 1000 1714" "12500 6000 1000 1000 1570" "60000 6000 1000 1000 3428"
limits "a row that lacks a form" 1 "30000 6000 1000 1000"
check "limits: no row at all" sh -c "! awk -v GZIP=6 -f bench/capture.awk /dev/null"

# bench/mip.sh compares machine profiles with other instrumentation. A small program shows that the measurement works.
BENCH_BODIES=s BENCH_TARGETS=x86_64 BENCH_COMPILERS=gcc BENCH_KINDS="coverage mcount" BENCH_WORK=$WORK/mip BAREPROF=$BAREPROF \
	sh bench/mip.sh >"$WORK/table" 2>&1
check "the benchmark of machine profiles runs" test $? -eq 0
for row in "no instrumentation" "bareprof, coverage" "-pg"; do
	check "machine profiles: a row for $row" grep -Eq -- "^x86_64 +gcc +$row +-?[0-9.]+ % +-?[0-9.]+ +-?[0-9.]+ %" "$WORK/table"
done
check "machine profiles: coverage costs bytes and instructions" \
	awk '/coverage/ && NF { n += $5 > 0.5 && $7 > 6 && $8 > 0.5 } END { exit n != 1 }' "$WORK/table"

# bench/outside.sh measures how long it takes to read the memory of a guest. With few counters, its limits mean nothing.
BENCH_FUNCTIONS=8 BENCH_RUNS=1 BENCH_WORK=$WORK/outside BAREPROF=$BAREPROF sh bench/outside.sh >"$WORK/table" 2>&1
check "the benchmark of reading from outside runs" grep -Eq '^ratios: [0-9.]+ of gdb .*, [0-9.]+ of memsave' "$WORK/table"

# bench/report.sh compares reports of coverage. For a small program, the time is that of starting a process.
BENCH_PROGRAMS=tests/coverage/sample/flow.c BENCH_ROUNDS=1 BENCH_WORK=$WORK/report BAREPROF=$BAREPROF sh bench/report.sh >"$WORK/table" 2>&1
for row in flow-table flow-lcov; do
	check "reports: $row, two ratios" grep -Eq "^$row( +[0-9]+\.[0-9]+){4}( +[0-9]+\.[0-9]x){2}" "$WORK/table"
done

# ratios WHAT STATUS CPU MB: checks that report.awk exits with STATUS if llvm-cov takes 1 s and 100 MB, and bareprof CPU s
# and MB.
ratios() {
	printf '%s\n' "x llvm-cov 1 1 100" "x bareprof $3 1 $4" | awk -f bench/report.awk >"$WORK/table" 2>&1
	check "reports, limits: $1" test $? -eq "$2"
}
ratios "reached" 0 0.1 25
ratios "too slow" 1 0.11 25
ratios "too much memory" 1 0.1 26

# growth WHAT STATUS IMAGE INSTRUCTIONS MAP: checks that mip.awk exits with STATUS if an image of 100,000 bytes grows by
# IMAGE bytes, 100,000 instructions by INSTRUCTIONS, and MAP bytes of a map are loaded. The limits are 1.0 and 0.5 %.
growth() {
	printf '%s\n' "101000 1000 100 90000 100000 0 0" "$((101000 + $3)) 1000 100 90000 $((100000 + $4)) 0 $5" |
		awk -v limits="1.0 0.5" -v title=x -v target=x -v compiler=x -f bench/mip.awk >"$WORK/table" 2>&1
	check "machine profiles, limits: $1" test $? -eq "$2"
}
growth "reached" 0 1000 500 0
growth "the image grows too much" 1 1001 500 0
growth "too many instructions" 1 1000 501 0
growth "a map is loaded" 1 1000 500 8
