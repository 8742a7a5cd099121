#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# truth.sh - compares samples with what the guest really ran. A kernel works, and samples itself by its timer interrupt.
# With -icount, a timer interrupts at any instruction; without it, QEMU interrupts only where it ends its translation of
# a few instructions. A plugin of QEMU counts the runs of each instruction in the same run.
#
# The work is that of CONFIG=work. With BAREPROF_WIDE=1, the kernel also runs zstd and xz, on three boards. TRUTH_LLVM is
# the release of clang.
. "$(dirname "$0")/../lib.sh"

llvm=${TRUTH_LLVM:-$(newest_clang)}
qemu_plugin sample/truth || exit
# at FUNCTION: prints its address, without the Thumb bit.
at() {
	address=$(nm "$dir/kernel.elf" | sed -n "s/ T $1$//p")
	case $board in
	mps2-an385) printf '%x' $((0x$address & ~1)) ;;
	*) echo "$address" ;;
	esac
}
# shellcheck disable=SC2086
truth() { command=$1 && shift && python3 tests/sample/truth.py "$command" "$BAREPROF" "$dir/kernel.elf" "$@" $objects; }

# run BOARD CONFIG SHIFT RATE VARIABLE...: builds the kernel and runs it. An instruction takes 2^SHIFT nanoseconds of the
# guest's time, and RATE is the number of samples for each second of it.
run() {
	board=$1
	dir=$WORK/$1-$2
	load=$2
	shift=$3
	rate=$4
	shift 4
	one="-smp 1"
	case $board in mps2-an385) one= ;; esac
	make -s -j2 linker image BOARD="$board" LLVM="$llvm" KIND=none SAMPLES=1 SAMPLE_SLOTS=131072 CONFIG="$load" \
		EXTRA=-fpseudo-probe-for-profiling OUT="$dir" "$@" || return
	# The load, and the functions of the kernel that it calls.
	case $load in
	work) begin=test_work end=console_format objects=$(ls "$dir"/qemu/work/*.o "$dir"/qemu/demo/strings.o \
		"$dir"/qemu/demo/format.o "$dir"/qemu/demo/alloc.o "$dir/qemu/mem.o") ;;
	*) begin=body_begin end=body_end objects=$(find "$dir/build" "$dir/qemu/compress" "$dir/qemu/mem.o" -name '*.o') ;;
	esac
	# shellcheck disable=SC2086
	"$BAREPROF" run --timeout 600 --board "$board" "$dir/kernel.elf" -o "$dir/capture" --log "$dir/log" \
		--send "cov sample jitter $rate\ntest $load\ncov sample off\ncov sample save\nexit\n" -- \
		-icount shift="$shift" $one -plugin "$WORK/plugin.so,begin=$(at $begin),end=$(at $end),out=$dir/truth" &&
		grep -q "^pass $load" "$dir/log" && "$BAREPROF" sample merge --elf "$dir/kernel.elf" -o "$dir/samples" "$dir/capture"
}

# agrees FUNCTIONS BLOCKS: samples and truth overlap by at least this many percent.
agrees() {
	truth compare "$dir/samples" "$dir/truth" >"$dir/overlap" && cat "$dir/overlap" &&
		awk -v functions="$1" -v blocks="$2" '{ good = $2 >= 20000 && $4 >= functions && $8 >= blocks && $8 >= $6 } END { exit !good }' "$dir/overlap"
}

# profgen RANGES PROFILE: llvm-profgen makes the profile of the ranges.
profgen() {
	"llvm-profgen-$llvm" --binary="$dir/kernel.elf" --unsymbolized-profile="$1" --use-offset=0 --format=text --output="$2"
}

# as_good LEAST: the profile's counts of probes overlap with the truth by at least LEAST percent, and not less than those
# of the profile that llvm-profgen makes from the same samples.
as_good() {
	"$BAREPROF" sample profile --format text -o "$dir/ours" "$dir/kernel.elf" "$dir/samples" &&
		truth probes "$dir/ours" "$dir/truth" >"$dir/probes" && truth ranges "$dir/samples" >"$dir/ranges" || return
	if profgen "$dir/ranges" "$dir/theirs"; then
		truth probes "$dir/theirs" "$dir/truth" >>"$dir/probes" || return
	fi
	cat "$dir/probes"
	awk -v least="$1" '{ count[NR] = $2 } END { exit !(count[1] >= least && count[1] >= count[2]) }' "$dir/probes"
}

# same_by_ranges LEAST: llvm-profgen makes a profile of the ranges of bareprof. Its counts of probes overlap with the
# truth by at least LEAST percent, and functions with at least 1,000 calls have the same number of calls as in the
# profile of bareprof. (llvm-profgen also gives calls to functions that were only inlined.)
same_by_ranges() {
	"$BAREPROF" sample profile --format ranges -o "$dir/ranges" "$dir/kernel.elf" "$dir/samples" &&
		profgen "$dir/ranges" "$dir/by-ranges" && truth probes "$dir/by-ranges" "$dir/truth" >"$dir/probes" || return
	awk -v least="$1" '{ good = $2 >= least } END { exit !good }' "$dir/probes" || return
	for file in ours by-ranges; do
		sed -n 's/^\([^ :]*\):[0-9]*:\([1-9][0-9]\{3,\}\)$/\1 \2/p' "$dir/$file" | sort >"$dir/$file.calls"
	done
	[ -s "$dir/ours.calls" ] && diff "$dir/ours.calls" "$dir/by-ranges.calls"
}

# compare BOARD CONFIG SHIFT RATE VARIABLE...
compare() {
	name="$1, $2"
	check "$name: the kernel runs its load" run "$@"
	check "$name: functions overlap with the truth by 98 %, blocks by 93 %" agrees 98 93
	echo "    $(cat "$dir/overlap")"
	check "$name: the counts of probes are as good as those of llvm-profgen" as_good 90
	sed 's/^/    /' "$dir/probes"
	if [ "$board" != mps2-an385 ]; then
		check "$name: llvm-profgen makes a profile of the ranges" same_by_ranges 90
	fi
}

# With BAREPROF_WIDE=1, each load has more than 100,000 samples.
messages=120000
[ -z "${BAREPROF_WIDE-}" ] || messages=300000
compare x86_64 work 6 20000 WORK_MESSAGES=$messages
if [ -n "${BAREPROF_WIDE-}" ]; then
	compare x86_64 compress 6 10400
	compare aarch64 compress 6 13000
	compare mps2-an385 compress 7 19000 COMPRESS_LOAD=0
fi
