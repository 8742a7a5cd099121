#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kinds_refused.sh - tests instrumentation that cannot work. The linker, `bareprof check` or the target must refuse it
# with a message that names the instrumentation and the fix.
. "$(dirname "$0")/../lib.sh"

# Only two files of the kernel are instrumented, so that most objects are those of kernels without instrumentation.
plain=$(ls qemu/demo/*.c | grep -v -e /cov -e /mip -e /sample -e /send -e /idle -e /share -e /shell.c -e /selftest.c |
	tr '\n' ' ')

# kernel BOARD LLVM KIND [VARIABLE=VALUE]: builds a kernel in the folder $image. The variable MORE is for another file
# that is not instrumented.
kernel() {
	board=$1 llvm=$2 kind=$3
	image=$WORK/$board-$llvm-$kind
	shift 3
	make -s image BOARD="$board" LLVM="$llvm" KIND="$kind" DROPIN="$DROP_IN" OUT="$image" LINKER="$linker" \
		MORE_PLAIN="$plain"'$(MORE)' "$@"
}

# denied WHAT PATTERN BOARD LLVM KIND [VARIABLE=VALUE]: the link must fail with a message that matches PATTERN.
denied() {
	what=$1
	pattern=$2
	shift 2
	if kernel "$@" >"$WORK/denied" 2>&1; then
		not_ok "$what: the link succeeds"
	elif grep -Eq -e "$pattern" "$WORK/denied"; then
		ok "$what"
	else
		not_ok "$what: the link fails without a message like '$pattern':"
		sed 's/^/    /' "$WORK/denied"
	fi
}

linker=lld
make -s linker || exit 1
cat >"$WORK/bias.c" <<'C'
unsigned long long __llvm_profile_counter_bias = 8, __llvm_profile_bitmap_bias = 8;
C
for llvm in ${BAREPROF_WIDE:+19} 22; do
	for board in x86_64 mps2-an385; do
		# Clang makes no timestamps if -pgo-temporal-instrumentation is used together with
		# -pgo-function-entry-coverage, which selects the kind entries. LLVM's readers crash on such a profile.
		check "$board, clang $llvm: function entries with -pgo-temporal-instrumentation link" \
			kernel $board $llvm entries EXTRA="-mllvm -pgo-temporal-instrumentation"
		"$BAREPROF" run "$image/kernel.elf" --board $board --timeout 30 --send 'cov info\ncov dump\nexit\n' \
			--log "$image/log" -o "$image/profraw" >"$image/said" 2>&1
		check "$board, clang $llvm: the target refuses them with a message" sh -c \
			"grep -q '^cov info: the temporal profile has no timestamps: leave out -pgo-function-entry-coverage' '$image/log' &&
			grep -q '^cov dump: the temporal profile has no timestamps' '$image/log' && ! [ -e '$image/profraw' ]"
		"$BAREPROF" check "$image/kernel.elf" >"$image/said" 2>&1
		check "$board, clang $llvm: check refuses them with a message" sh -c "[ $? -ne 0 ] && grep -q 'error.*clang makes no timestamps' '$image/said' &&
			grep -A3 'clang makes no timestamps' '$image/said' | grep -q -e '-mllvm -pgo-function-entry-coverage'"
	done
	for linker in lld gnu; do
		denied "x86_64, clang $llvm, $linker: a thread-local counter of bursts" \
			'bareprof: -sampled-instrumentation uses the thread pointer: compile with -femulated-tls' \
			x86_64 $llvm sampled
		# This link may also fail because the function that returns the thread pointer is missing.
		denied "mps2-an385, clang $llvm, $linker: the same" '__aeabi_read_tp|-sampled-instrumentation uses' \
			mps2-an385 $llvm sampled
		check "x86_64, clang $llvm, $linker: a kernel with thread pointers can declare them and links" \
			kernel x86_64 $llvm sampled BOARD_LDFLAGS="-z max-page-size=4096 -z noexecstack --defsym=bareprof_thread_pointer=1"
		denied "x86_64, clang $llvm, $linker: a bias that is not 0" '__llvm_profile_counter_bias' \
			x86_64 $llvm relocation MORE="$WORK/bias.c"
	done
	linker=lld
done

# The records are in ROM, but code of clang 13 to 16 needs to write to them.
check "lm3s6965evb, clang 16: values with records in ROM link" kernel lm3s6965evb 16 values RECORDS_WRITTEN=
"$BAREPROF" run "$image/kernel.elf" --board lm3s6965evb --timeout 30 --send 'cov dump\nexit\n' --log "$image/log" \
	-o "$image/profraw" >"$image/said" 2>&1
check "lm3s6965evb, clang 16: the target refuses them with a message" \
	grep -q '^cov dump: records are in ROM and have to be written to: link with bareprof-rom-values.ld' "$image/log"
