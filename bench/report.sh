#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report.sh - measures `bareprof report` as a whole process, beside the newest llvm-cov: the table, and LCOV. Both run
# alternately on the same program and the same indexed profile. bareprof could read the raw profile itself, but the time in
# which llvm-profdata makes the indexed profile does not count. The script prints the medians, and the medians of the
# ratios of all rounds.
#
# The programs are SQLite, and a kernel if BENCH_VMLINUX is its vmlinux and BENCH_PROFRAW its profile, for example those
# that tests/coverage/trees.sh makes. BENCH_PROGRAMS selects other programs of tests/coverage/programs.sh. BENCH_ROUNDS is
# the number of measurements. The script fails if bareprof takes more than a tenth of the CPU time of llvm-cov, or more
# than a quarter of its memory.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
PROGRAMS=${BENCH_PROGRAMS-sqlite}
ROUNDS=${BENCH_ROUNDS:-5}
WORK=${BENCH_WORK:-$ROOT/build/bench/report}
LLVM=${BENCH_LLVM:-$(ls /usr/bin | sed -n 's/^llvm-cov-\([0-9]*\)$/\1/p' | sort -n | tail -1)}
export LC_ALL=C
cd "$ROOT" || exit 1
. tests/coverage/programs.sh

mkdir -p "$WORK" || exit
[ -x "$BAREPROF" ] || make -s "${BAREPROF#"$ROOT"/}" || exit
gcc -O2 -Wall -Wextra -Werror bench/measure.c -o "$WORK/measure" || exit
: >"$WORK/results"

# take CASE TOOL COMMAND...: measures one run and stores the result.
take() {
	case=$1
	tool=$2
	shift 2
	result=$("$WORK/measure" "$@" 2>"$WORK/said") || { cat "$WORK/said" >&2 && exit 1; }
	echo "$case $tool $result" >>"$WORK/results"
}

# row NAME ELF PROFRAW...
row() {
	name=$1
	elf=$2
	shift 2
	"llvm-profdata-$LLVM" merge "$@" -o "$WORK/profdata" || exit
	for _ in $(seq "$ROUNDS"); do
		take "$name-table" llvm-cov "llvm-cov-$LLVM" report "$elf" "-instr-profile=$WORK/profdata"
		take "$name-table" bareprof "$BAREPROF" report --allow-torn --allow-incomplete "$elf" "$WORK/profdata"
		take "$name-lcov" llvm-cov "llvm-cov-$LLVM" export -format=lcov "$elf" "-instr-profile=$WORK/profdata"
		take "$name-lcov" bareprof "$BAREPROF" report --allow-torn --allow-incomplete "$elf" "$WORK/profdata" --lcov -
	done
}

for program in $PROGRAMS; do
	case $program in
	*.c)
		# A C file, which the test of this script uses
		"clang-$LLVM" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id "$program" -o "$WORK/program" &&
			LLVM_PROFILE_FILE=$WORK/program.profraw "$WORK/program" >/dev/null || exit
		row "$(basename "$program" .c)" "$WORK/program" "$WORK/program.profraw"
		;;
	*)
		coverage_program "$program" "$LLVM" "$ROOT/build/coverage/$program-$LLVM" || exit
		row "$program" "$dir/program" "$dir"/*.profraw
		;;
	esac
done
[ -z "${BENCH_VMLINUX-}" ] || row linux "$BENCH_VMLINUX" "$BENCH_PROFRAW"
echo "llvm-cov $LLVM and bareprof run alternately; the numbers are medians of $ROUNDS runs"
awk -f bench/report.awk "$WORK/results"
