#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# outside.sh - measures how long it takes to read 1 MB of counters from a guest of QEMU: with `bareprof pull` and with the
# command `dump memory` of gdb, through the same stub and packets of 1 KB; and how long the guest stands still, with
# `bareprof pull` and with QEMU's own command memsave.
#
# The times of gdb are those of its command alone, without its start. The times of bareprof are those of the whole program.
# BENCH_FUNCTIONS functions have 128 counters each. BENCH_RUNS is the number of runs; the table has the medians. Fails if
# bareprof takes more than 1.5 times the time of gdb, or if the guest stands still for more than 1.2 times that of memsave.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
WORK=${BENCH_WORK:-$ROOT/build/bench/outside}
FUNCTIONS=${BENCH_FUNCTIONS:-1024}
LLVM=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
GDB=$(command -v gdb-multiarch || command -v gdb) || { echo "bench/outside.sh needs gdb" && exit 1; }
cd "$ROOT" || exit 1
mkdir -p "$WORK"

awk -v functions="$FUNCTIONS" 'BEGIN {
	for (f = 0; f < functions; f++) {
		printf "int large_%d(int x);\nint large_%d(int x)\n{\n\tswitch (x) {\n", f, f
		for (i = 0; i < 126; i++)
			printf "\tcase %d:\n\t\treturn %d;\n", i, i * f
		printf "\t}\n\treturn 0;\n}\n"
	}
	printf "int (*volatile large_table[])(int) = {\n"
	for (f = 0; f < functions; f++)
		printf "\tlarge_%d,\n", f
	printf "};\n"
	printf "__attribute__((constructor)) static void large(void)\n{\n\tfor (int i = 0; i < %d; i++)\n", functions
	printf "\t\tlarge_table[i](i %% 128);\n}\n"
}' >"$WORK/large.c"
make -s -j2 linker image BOARD=x86_64 LLVM="$LLVM" KIND=coverage OPT=-O1 OUT="$WORK" MORE_SOURCES="$WORK/large.c" || exit
python3 bench/outside.py "$BAREPROF" "$GDB" "$WORK" "${BENCH_RUNS:-11}"
