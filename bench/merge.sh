#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge.sh - measures `bareprof merge` and `bareprof show` as whole processes. It compares bareprof with the newest
# llvm-profdata. For many inputs it also compares bareprof with `cat` of the same files. The programs run alternately,
# and the script prints the medians. It checks that bareprof and llvm-profdata write the same merged bytes. A slow
# result is not an error.
#
# Sizes: the large image has BENCH_MODULES modules of BENCH_FUNCTIONS (default: 1,000) functions
# each. The middle image has a tenth of these modules. BENCH_PROFILES is the number of runs of the
# small image, BENCH_ROUNDS the number of measurements. Inputs are made once and kept for later runs
# of this script.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
MODULES=${BENCH_MODULES:-100}
FUNCTIONS=${BENCH_FUNCTIONS:-1000}
PROFILES=${BENCH_PROFILES:-1000}
ROUNDS=${BENCH_ROUNDS:-5}
WORK=${BENCH_WORK:-$ROOT/build/bench/merge-$MODULES-$FUNCTIONS-$PROFILES}
LLVM=$(ls /usr/bin | sed -n 's/^llvm-profdata-\([0-9]*\)$/\1/p' | sort -n | tail -1)
CLANG=clang-$LLVM
PROFDATA=llvm-profdata-$LLVM
MIDDLE=$(((MODULES + 9) / 10))
SOME=$(((PROFILES + 9) / 10))
export LC_ALL=C

# image NAME MODULES FLAG...: makes a program that has MODULES modules and calls run_N() of each.
image() {
	name=$1
	last=$(($2 - 1))
	shift 2
	mkdir -p "$name.d" || return
	{
		echo 'char buffer[2][64]; static int f(int x) { return x + 1; } static int g(int x) { return x - 1; }'
		echo 'int (*const target[4])(int) = {f, g, f, g}; int atoi(const char *);'
		seq 0 $last | sed 's/.*/void run_&(int);/'
		echo 'int main(int n, char **arg) { int x = n > 1 ? atoi(arg[1]) : 0;'
		seq 0 $last | sed 's/.*/run_&(x);/'
		echo 'return 0; }'
	} >"$name.d/main.c"
	for module in $(seq 0 $last); do
		awk -v MODULE="$module" -v FUNCTIONS="$FUNCTIONS" -f "$ROOT/bench/merge.awk" >"$name.d/$module.c"
	done
	ls "$name.d"/*.c | sed 's/\.c$//' | xargs -P "$(nproc)" -I{} "$CLANG" "$@" -c {}.c -o {}.o &&
		"$CLANG" "$@" -fuse-ld=lld "$name.d"/*.o -o "$name" && rm -r "$name.d"
}

# profiles IMAGE COUNT: runs the image COUNT times, each time with another argument.
profiles() {
	mkdir -p "$1.runs"
	for run in $(seq "$2"); do
		LLVM_PROFILE_FILE=$1.runs/$run.profraw "./$1" "$run" || return
	done
}

make_inputs() {
	front="-O0 -fprofile-instr-generate"
	# shellcheck disable=SC2086
	image large "$MODULES" $front && image middle "$MIDDLE" $front && image small 1 $front &&
		image ir 1 -O1 -fprofile-generate || return
	profiles large 1 && profiles middle "$SOME" && profiles small "$PROFILES" && profiles ir "$SOME" || return
	mkdir -p indexed.runs
	for run in $(seq "$SOME"); do
		"$PROFDATA" merge -o "indexed.runs/$run.profdata" "small.runs/$run.profraw" || return
	done
	for count in $((PROFILES / 100)) "$SOME" "$PROFILES"; do
		[ "$count" -gt 0 ] && ls small.runs/* | sort -V | head -n "$count" >"list.$count"
	done
	touch made
}

# take CASE TOOL COMMAND...: measures one run and stores the result.
take() {
	case=$1
	tool=$2
	shift 2
	result=$("$WORK/measure" "$@") || exit 1
	echo "$case $tool $result" >>"$WORK/results"
}

# merge CASE FILE...: merges the files with both tools alternately. If there are several files, it also runs cat on
# these files.
merge() {
	case=$1
	shift
	for round in $(seq "$ROUNDS"); do
		rm -f theirs.out ours.out
		take "$case" "$PROFDATA" "$PROFDATA" merge -o theirs.out "$@"
		take "$case" bareprof "$BAREPROF" merge --for-llvm "$LLVM" -o ours.out "$@"
		[ $# -eq 1 ] || take "$case" cat cat "$@"
	done
	if cmp -s theirs.out ours.out; then
		same="$same$case: the same bytes from both: $(wc -c <ours.out)\n"
	else
		same="$same$case: THE OUTPUTS OF THE TOOLS DIFFER\n"
		differ=1
	fi
}

mkdir -p "$WORK" && cd "$WORK" || exit
[ -x "$BAREPROF" ] || make -s -C "$ROOT" "${BAREPROF#"$ROOT"/}" || exit
gcc -O2 -Wall -Wextra -Werror "$ROOT/bench/measure.c" -o measure || exit
if [ ! -e made ]; then
	echo "making inputs: $((MODULES * FUNCTIONS)) functions, $PROFILES profiles"
	make_inputs || exit
fi
: >results
same=
differ=0

# Reads all files once, so that they are in the cache when the measurements start.
cat ./*.runs/* >/dev/null
merge one-large large.runs/*
for round in $(seq "$ROUNDS"); do
	take show-large "$PROFDATA" "$PROFDATA" show large.runs/1.profraw
	take show-large bareprof "$BAREPROF" show large.runs/1.profraw
done
merge middle middle.runs/*
merge small small.runs/*
merge indexed indexed.runs/*
merge ir-values ir.runs/*
for list in list.*; do
	for round in $(seq "$ROUNDS"); do
		take "memory-${list#list.}" "$PROFDATA" "$PROFDATA" merge -o theirs.out -f "$list"
		take "memory-${list#list.}" bareprof "$BAREPROF" merge --for-llvm "$LLVM" -o ours.out -f "$list"
	done
done

echo "$PROFDATA and bareprof run alternately; the numbers are medians of $ROUNDS runs of whole processes," \
	"which write their outputs"
echo "one-large: 1 profile of $((MODULES * FUNCTIONS)) functions, $(du -m large.runs/1.profraw | cut -f1) MB;" \
	"middle: $SOME profiles of $((MIDDLE * FUNCTIONS)) functions; small: $PROFILES profiles of $FUNCTIONS functions;"
echo "indexed: $SOME profiles of small, as .profdata; ir-values: $SOME profiles of -fprofile-generate;" \
	"memory-N: the first N profiles of small"
awk '
function median(list, n,   i, k, t, sorted) {
	for (i = 1; i <= n; i++) {
		t = list[i]
		for (k = i; k > 1 && sorted[k - 1] > t; k--)
			sorted[k] = sorted[k - 1]
		sorted[k] = t
	}
	return sorted[int((n + 1) / 2)]
}
# Compares two tools by the numbers in one column, such as CPU seconds. Each round gives one ratio: the number of the
# tool `other`, divided by the number of the tool `key`. Returns the median of the ratios of all rounds.
function ratio(key, other, column,   i, list) {
	for (i = 1; i <= runs[key]; i++)
		list[i] = value[other, column, i] / (value[key, column, i] + 1e-9)
	return median(list, runs[key])
}
function of(key, column,   i, list) {
	for (i = 1; i <= runs[key]; i++)
		list[i] = value[key, column, i]
	return median(list, runs[key])
}
{
	key = $1 " " $2
	if (!(key in runs))
		order[++keys] = key
	runs[key]++
	for (i = 1; i <= 3; i++)
		value[key, i, runs[key]] = $(i + 2)
	if ($2 ~ /profdata/)
		llvm = $2
}
END {
	printf "%-14s %-17s %9s %9s %9s   %s\n", "case", "tool", "CPU s", "wall s", "peak MB",
		"bareprof beside LLVM and cat"
	for (k = 1; k <= keys; k++) {
		split(order[k], part, " ")
		printf "%-14s %-17s %9.4f %9.4f %9.1f", part[1], part[2], of(order[k], 1), of(order[k], 2),
			of(order[k], 3)
		if (part[2] == "bareprof") {
			printf "   %5.1fx less CPU, %4.1fx less memory", ratio(order[k], part[1] " " llvm, 1), ratio(order[k], part[1] " " llvm, 3)
			if ((part[1] " cat") in runs)
				printf ", %4.2fx the CPU of cat", 1 / ratio(order[k], part[1] " cat", 1)
		}
		print ""
	}
}' results
printf '%b' "$same"
exit $differ
