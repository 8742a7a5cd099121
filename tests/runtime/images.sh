#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# images.sh - tests the runtime on images that are written by hand in assembly, one for each raw version, in both
# pointer widths. Each image comes with the .profraw that the runtime must write for it. None of the compilers here
# writes version 5, 6, 9 or 11.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
SOURCES="tests/runtime/unit/images.c tests/runtime/unit/refused.c tests/runtime/unit/flips.c tests/runtime/unit/wellformed.c tests/runtime/unit/snapshot.c tests/runtime/unit/host.c
	tests/runtime/unit/images.S runtime/image_walk.c runtime/image.c runtime/reset.c runtime/profraw.c runtime/read.c runtime/profraw_write.c
	runtime/image_diagnose.c runtime/image_weak_duplicates.c runtime/snapshot.c"

# run TARGET NAME FLAGS...: builds the test program NAME for TARGET and runs it.
run() {
	target=$1
	program=$WORK/$2
	shift 2
	# shellcheck disable=SC2086
	if "clang-$LLVM" --target="$target" $CFLAGS -g -fno-stack-protector -fno-pic -static -nostdlib -fuse-ld=lld \
		"$@" $SOURCES -o "$program" >"$WORK/log" 2>&1; then
		"$program"
		[ $? -le 1 ] || not_ok "$program ended in a crash"
	else
		not_ok "$program does not build"
		sed 's/^/    /' "$WORK/log"
	fi
}

run x86_64-linux-gnu images64 -O2 arch/x86_64/copy.c
run i386-linux-gnu images32 -O2 runtime/copy.c
# First, the program is built with -Oz and with the copy function in C. Then it is built with the values 5 and 9 of
# BAREPROF_RAW_VERSION.
run x86_64-linux-gnu small64 -Oz runtime/copy.c | grep -v '^ok' >"$WORK/small64.out"
check "64-bit -Oz, copy in C: the same" sh -c "! grep '^not ok' '$WORK/small64.out'"
for version in 5 9; do
	run x86_64-linux-gnu told64 -O2 runtime/copy.c -DBAREPROF_RAW_VERSION=$version
	run i386-linux-gnu told32 -O2 runtime/copy.c -DBAREPROF_RAW_VERSION=$version
done
