#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip.sh - measures what machine profiles cost, beside other kinds of instrumentation. Body Z is the compression code of
# Linux 6.1 with -O2, which has large functions. Body N is newlib's string, stdlib and search functions with -Os, which
# has small functions. For each build, the script prints how much the loaded image and the number of executed
# instructions grow, compared with the build without instrumentation. The hooks of the other kinds are empty, and no
# build contains a runtime, so the numbers compare only the code and data of the instrumentation itself. QEMU counts the
# instructions. The sizes do not depend on the machine, so a size above its limit is an error.
#
# BENCH_BODIES (z n), BENCH_TARGETS (x86_64 aarch64 thumb arm), BENCH_COMPILERS (gcc, clang-N) and BENCH_KINDS select
# the measurements. BENCH_WORK is the folder of all objects, and BENCH_SOURCES the folder of the unpacked sources.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
export BODY_SOURCES=${BENCH_SOURCES:-$ROOT/build/sources}
WORK=${BENCH_WORK:-$ROOT/build/bench/mip}
NEWEST=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
BODIES=${BENCH_BODIES:-z n}
TARGETS=${BENCH_TARGETS:-x86_64 aarch64 thumb}
COMPILERS=${BENCH_COMPILERS:-gcc clang-$NEWEST}
KINDS=${BENCH_KINDS:-coverage calls samples blocks counters irblocks entries edges functions mcount}
HERE=$ROOT/tests/mip
missed=0
cd "$ROOT" || exit 1

if ! command -v qemu-aarch64 >/dev/null; then
	echo "mip.sh: the instructions are counted in QEMU's user mode; install the package qemu-user" >&2
	exit 1
fi

# kind KIND COMPILER: sets $flags and $title for a kind of instrumentation. Fails if the compiler does not have it.
kind() {
	flags=
	case $1-$2 in
	plain-*) title="no instrumentation" ;;
	coverage-*) title="bareprof, coverage" ;;
	calls-*) title="bareprof, calls" ;;
	samples-*) title="bareprof, sample=64" ;;
	blocks-clang*) title="bareprof, blocks" ;;
	counters-clang*) title="sancov bb,inline-8bit" flags="-fsanitize-coverage=bb,inline-8bit-counters,pc-table" ;;
	irblocks-clang*) title="IR block coverage" flags="-fprofile-generate -mllvm -pgo-block-coverage" ;;
	entries-clang*) title="sancov func,inline-8bit" flags="-fsanitize-coverage=func,inline-8bit-counters" ;;
	entries-gcc) title="sancov trace-pc" flags="-fsanitize-coverage=trace-pc" ;;
	edges-clang*) title="-fprofile-generate" flags="-fprofile-generate" ;;
	edges-gcc) title="-fprofile-arcs" flags="-fprofile-arcs" ;;
	functions-*) title="-finstrument-functions" flags="-finstrument-functions" ;;
	mcount-*) title="-pg" flags="-pg" ;;
	*) return 1 ;;
	esac
}

# wrap KIND TARGET: sets what build.sh needs beside the flags. The code of the modes "calls" needs a stub and a clock.
wrap() {
	unset BODY_WRAP BODY_LINK BODY_CFLAGS
	BODY_EXTRA=$HERE/body/hooks.c
	case $1 in
	counters) BODY_LINK="-Wl,-T,$ROOT/build/linker/mip.ld" ;; # does not load the table of blocks
	coverage | calls | samples | blocks)
		mode=$1
		[ "$1" != samples ] || mode=calls,sample=64
		BODY_WRAP="$BAREPROF mip cc --mode $mode"
		BODY_LINK="-Wl,-T,$ROOT/build/linker/mip.ld"
		;;
	esac
	stub=$ROOT/arch/$([ "$2" = x86_64 ] && echo x86_64 || echo arm)
	case $1 in
	calls) BODY_EXTRA="$HERE/body/clock.c $stub/mip_first.c" ;;
	samples) BODY_EXTRA="$HERE/body/clock.c $stub/mip_sample.c" ;;
	esac
	case $1 in
	calls) BODY_CFLAGS=-I$ROOT/include ;;
	samples) BODY_CFLAGS="-I$ROOT/include -DBAREPROF_MIP_SAMPLES_MODE" ;;
	esac
	export BODY_WRAP BODY_LINK BODY_EXTRA BODY_CFLAGS
}

# limit BODY TARGET KIND COMPILER: prints the largest growths in percent, or nothing: of the image, of the instructions,
# and of the instructions together with the slow ones.
limit() {
	case $1-$2-$3 in
	z-x86_64-coverage) echo 1.0 0.5 ;;
	z-aarch64-coverage) echo 1.5 1.0 ;;
	z-thumb-coverage) echo 3.0 1.5 ;;
	# The functions that gcc makes are smaller than those of clang, and a function needs at least 8 bytes.
	n-x86_64-coverage) [ "$4" = gcc ] && echo 5.5 - || echo 5.0 - ;;
	z-x86_64-calls) [ "$4" = gcc ] && echo 3.0 1.0 || echo 2.5 1.0 ;;
	# Old releases of clang make more blocks, of smaller functions.
	z-x86_64-blocks) case $4 in clang-1[3-6]) echo 14.0 - 7.5 ;; *) echo 13.0 - 6.0 ;; esac ;;
	z-aarch64-blocks) echo 20.0 - 18.0 ;;
	z-x86_64-samples) [ "$4" = gcc ] && echo 4.0 1.0 || echo 3.5 1.0 ;;
	z-aarch64-samples) echo 7.0 1.0 ;;
	z-thumb-samples) [ "$4" = gcc ] && echo 10.5 1.5 || echo 9.5 1.5 ;;
	z-aarch64-calls) echo 7.0 2.5 ;;
	z-thumb-calls) echo 10.0 3.5 ;;
	esac
}

mkdir -p "$WORK" || exit
plugin=$WORK/oracle_plugin.so
gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared "$HERE/oracle_plugin.c" -o "$plugin" || exit
for body in $BODIES; do
	# The instructions are those of zstd up to level 11 and of the other algorithms. "slow" are zstd's levels 16 and
	# 19, which make many more calls. "map" are the bytes of a map that is loaded.
	printf 'body %s: growth by instrumentation\n%-8s %-9s %-24s %10s %8s %10s %10s %6s\n' "$body" \
		target compiler build image B/func instr. slow map
	for target in $TARGETS; do
		for compiler in $COMPILERS; do
			for what in plain $KINDS; do
				kind "$what" "$compiler" || continue
				wrap "$what" "$target"
				dir=$WORK/$body-$target-$compiler-$what
				# shellcheck disable=SC2086
				sh "$HERE/body/build.sh" "$body" "$target" "$compiler" "$dir" $flags &&
					python3 "$HERE/body/measure.py" "$plugin" "$target" "$dir" >"$dir/numbers" || {
					missed=1
					continue
				}
				[ "$what" = plain ] && cp "$dir/out" "$WORK/plain.out" && cp "$dir/numbers" "$WORK/plain.numbers"
				cmp -s "$dir/out" "$WORK/plain.out" || {
					echo "mip.sh: $dir/body prints something else than the build without instrumentation" >&2
					missed=1
				}
				# shellcheck disable=SC2046
				cat "$WORK/plain.numbers" "$dir/numbers" | awk -v title="$title" -v target="$target" -v compiler="$compiler" \
					-v limits="$(limit "$body" "$target" "$what" "$compiler")" -f "$ROOT/bench/mip.awk" || missed=1
			done
		done
	done
	echo
done
exit $missed
