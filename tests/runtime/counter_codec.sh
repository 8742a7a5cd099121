#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# counter_codec.sh - encodes counters and bitmaps with every kind of content, in both pointer widths, and decodes them
# with the tests' own decoder.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

# run TARGET COMPILER FLAGS...: builds the program counter_codec.c for TARGET and runs it.
run() {
	target=$1
	compiler=$2
	shift 2
	# shellcheck disable=SC2086
	if "$compiler" --target="$target" $CFLAGS -g -fno-stack-protector -fno-pic -static -nostdlib -fuse-ld=lld \
		"$@" tests/runtime/unit/counter_codec.c tests/runtime/unit/host.c runtime/capture_blocks.c runtime/capture.c runtime/capture_counters.c runtime/counter_codec.c \
		runtime/crc32c.c runtime/reset.c -o "$WORK/counter_codec" >"$WORK/log" 2>&1; then
		"$WORK/counter_codec"
		[ $? -le 1 ] || not_ok "counter_codec ended in a crash: $*"
	else
		not_ok "counter_codec does not build: $*"
		sed 's/^/    /' "$WORK/log"
	fi
}

traps="-fsanitize=undefined -fsanitize-trap=undefined -fno-sanitize=alignment,pointer-overflow"
# shellcheck disable=SC2086
run x86_64-linux-gnu "clang-$LLVM" -O2 arch/x86_64/copy.c $traps
# shellcheck disable=SC2086
[ -z "${BAREPROF_WIDE-}" ] || run i386-linux-gnu "clang-$LLVM" -O2 runtime/copy.c $traps
[ -z "${BAREPROF_WIDE-}" ] || run x86_64-linux-gnu "clang-$LLVM" -Oz runtime/copy.c
run i386-linux-gnu "clang-$LLVM" -Os runtime/copy.c # with -Oz the test would need a library for shifts
