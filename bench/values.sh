#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# values.sh - measures how fast profiles with value data are written and reset, compared with
# compiler-rt. Each function has an indirect call and a copy. A quarter of the functions have three
# recorded values each. The programs run alternately, and the script prints a table of medians. A
# slow result is not an error.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
WORK=${BENCH_WORK:-$ROOT/build/bench/values}
mkdir -p "$WORK"
cd "$ROOT" || exit 1

LLVM=$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
VALUES=3
export LLVM_PROFILE_FILE=/dev/null

for f in values race; do
	"clang-$LLVM" -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude -DVALUES=$VALUES -c bench/$f.c -o "$WORK/$f.o" || exit
done
for compiler in "clang-$LLVM" gcc; do
	rm -rf "$WORK/$compiler"
	mkdir "$WORK/$compiler"
	for source in runtime/image_walk.c runtime/image.c runtime/reset.c runtime/profraw.c runtime/read.c runtime/values_serialize.c runtime/values_pool.c \
		arch/x86_64/copy.c; do
		# shellcheck disable=SC2086
		$compiler $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c $source -o "$WORK/$compiler/$(basename $source .c).o" || exit
	done
	echo "with values: bareprof's runtime by $compiler -O2, with arch/x86_64/copy.c; compiler-rt $LLVM;" \
		"medians of 101 runs; 2x: twice the time of libc"
	# Each function takes 186 bytes, so the profiles have about 1 and 10 MB.
	for functions in ${BENCH_FUNCTIONS:-5376 53760}; do
		"clang-$LLVM" -DFUNCTIONS="$functions" -DVALUES=$VALUES -c bench/functions.S -o "$WORK/$functions.o" &&
			"clang-$LLVM" -fuse-ld=lld -Wl,--build-id=none -fprofile-instr-generate \
				"$WORK/values.o" "$WORK/race.o" "$WORK/$functions.o" "$WORK/$compiler"/*.o -o "$WORK/bench-$functions" &&
			"$WORK/bench-$functions" || exit
	done
done
