#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh - measures the speed of the runtime on this machine, compared with compiler-rt and libc.
# The three run alternately, and the script prints a table of medians. A slow result is not an
# error.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
WORK=$ROOT/build/bench
mkdir -p "$WORK"
cd "$ROOT" || exit 1

LLVM=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
export LLVM_PROFILE_FILE=/dev/null

for f in bench race; do
	"clang-$LLVM" -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude -c bench/$f.c -o "$WORK/$f.o" || exit
done
# Each function takes 134 bytes, so the profiles have about 0.1, 1, 10 and 100 MB.
for functions in 746 7463 74627 746269; do
	"clang-$LLVM" -DFUNCTIONS=$functions -c bench/functions.S -o "$WORK/functions-$functions.o" || exit
done
for compiler in "clang-$LLVM" gcc; do
	rm -rf "$WORK/$compiler"
	mkdir "$WORK/$compiler"
	for source in runtime/image_walk.c runtime/image.c runtime/reset.c runtime/profraw.c runtime/read.c arch/x86_64/copy.c; do
		# shellcheck disable=SC2086
		$compiler $CFLAGS -O2 -fPIC -c $source -o "$WORK/$compiler/$(basename $source .c).o" || exit
	done
	echo "bareprof's runtime by $compiler -O2, with arch/x86_64/copy.c; compiler-rt $LLVM; medians of 101 runs;" \
		"2x: twice the time of libc"
	for functions in 746 7463 74627 746269; do
		"clang-$LLVM" -fuse-ld=lld -Wl,--build-id=none -fprofile-instr-generate \
			"$WORK/bench.o" "$WORK/race.o" "$WORK/functions-$functions.o" "$WORK/$compiler"/*.o \
			-o "$WORK/bench-$functions" && "$WORK/bench-$functions" || exit
	done
done
