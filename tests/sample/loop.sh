#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# loop.sh - closes the loop: samples of a kernel become a profile, clang builds the kernel with it, and the new kernel runs
# fewer instructions. The load is zstd and xz of Linux 6.1. The savings are compared with those of IR PGO, with counters
# of the same load. Then each release of clang must apply the profile to each function with at least 10 samples.
#
# LOOP_LLVM are the releases that are compared with IR PGO, LOOP_APPLY those that must apply their profiles.
. "$(dirname "$0")/../lib.sh"

qemu_plugin sample/truth || exit
board=x86_64

# build NAME VARIABLE...: builds the kernel $WORK/$llvm-NAME.
build() {
	dir=$WORK/$llvm-$1
	shift
	make -s -j2 linker image BOARD=$board LLVM="$llvm" CONFIG=compress OUT="$dir" "$@" >"$dir.log" 2>&1 || { tail "$dir.log" && return 1; }
}

# run NAME COMMANDS ARGUMENT...: runs the kernel NAME, and saves its dump.
run() {
	dir=$WORK/$llvm-$1
	commands=$2
	shift 2
	"$BAREPROF" run --timeout 600 --board $board "$dir/kernel.elf" --send "$commands" -o "$dir/dump" --log "$dir/log" -- \
		-smp 1 "$@" && grep -q '^pass compress' "$dir/log"
}

# count NAME: prints how many instructions the load of the kernel NAME has.
count() {
	dir=$WORK/$llvm-$1
	at() { nm "$dir/kernel.elf" | sed -n "s/ T $1$//p"; }
	# These kernels send no dump, which is an error of 'run' only.
	run "$1" 'test compress\nexit\n' -icount shift=5 \
		-plugin "$WORK/plugin.so,begin=$(at body_begin),end=$(at body_end),out=$dir/count" >/dev/null 2>&1
	grep -q '^pass compress' "$dir/log" &&
		awk '{ sum += $2 } END { printf "%d\n", sum }' "$dir/count"
}

samples() {
	build probes KIND=none SAMPLES=1 SAMPLE_SLOTS=131072 EXTRA=-fpseudo-probe-for-profiling &&
		run probes 'cov sample jitter 20000\ntest compress\ncov sample off\ncov sample save\nexit\n' -icount shift=5 &&
		"$BAREPROF" sample profile -o "$WORK/$llvm.prof" "$WORK/$llvm-probes/kernel.elf" "$WORK/$llvm-probes/dump"
}
rebuild() {
	build sampled KIND=none \
		EXTRA="-fpseudo-probe-for-profiling -fprofile-sample-use=$WORK/$llvm.prof -Rpass-analysis=sample-profile"
}

# applied: clang applied samples in each function with at least 10 samples; prints the others.
applied() {
	python3 tests/sample/applied.py "$BAREPROF" "$WORK/$llvm-probes/kernel.elf" "$WORK/$llvm-probes/dump" "$WORK/$llvm-sampled.log"
}

counters() {
	build counters KIND=irpgo && run counters 'cov reset\ntest compress\ncov dump\nexit\n' &&
		"llvm-profdata-$llvm" merge "$WORK/$llvm-counters/dump" -o "$WORK/$llvm.profdata" &&
		build irpgo KIND=none USE="$WORK/$llvm.profdata" && build plain KIND=none
}
# saves LEAST: samples save at least LEAST percent of what IR PGO saves.
saves() {
	echo "$llvm $(count plain) $(count sampled) $(count irpgo)" | awk -v least="$1" '{ ours = $2 - $3; theirs = $2 - $4
		printf "clang %d: %.2f %% saved with samples, %.2f %% with IR PGO: %.0f %%\n", $1, 100 * ours / $2, 100 * theirs / $2, 100 * ours / theirs
		exit !($4 > 0 && theirs > 0 && 100 * ours >= least * theirs) }' >"$WORK/saved"
	status=$?
	cat "$WORK/saved"
	return $status
}

for llvm in ${LOOP_APPLY-14 15 16 19 22}; do
	check "clang $llvm: samples become a profile" samples
	check "clang $llvm: builds with the profile" rebuild
	check "clang $llvm: samples are applied in each function with at least 10" applied
done
for llvm in ${LOOP_LLVM-19 22}; do
	check "clang $llvm: counters of the same load" counters
	# Profiles that hardly differ lead to other code, whose savings differ by some percent. With clang 22, they were 84
	# to 103 % of what IR PGO saves. With clang 19, they were 62 to 74 %, and 67 % in the mean of twelve profiles. There an
	# exact profile, made from counts of all instructions, gives no more, and neither does -fprofile-sample-accurate. So
	# the rest is lost in clang 19, and the limit for it is lower.
	least=70
	[ "$llvm" -ne 19 ] || least=60
	check "clang $llvm: samples save at least $least % of what IR PGO saves" saves $least
	sed 's/^/    /' "$WORK/saved"
done
