#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compile.sh - every file of the runtime compiles alone, without a
# warning, with every compiler at hand, for every kind of target.
. "$(dirname "$0")/../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

# one WHAT COMPILER FLAGS...: all files, each by itself; one line of outcome.
if [ "$1" = one ]; then
	what=$2
	shift 2
	cd "$WORK" || exit 1
	bad=
	for file in "$ROOT"/runtime/*.c $(case $what in x86_64*) echo "$ROOT/arch/x86_64/copy.c" ;; armv?-m) echo "$ROOT/arch/arm/atomic.c" ;; esac); do
		# shellcheck disable=SC2086
		"$@" $CFLAGS -I"$ROOT/include" -c "$file" -o one.o >>log 2>&1 || bad="$bad $(basename "$file")"
		grep -q -e BAREPROF_SERVES_VALUES -e values_serialize.h "$file" || continue
		# shellcheck disable=SC2086
		"$@" $CFLAGS -I"$ROOT/include" -DBAREPROF_VALUES -c "$file" -o one.o >>log 2>&1 || bad="$bad $(basename "$file") with values"
	done
	if [ -z "$bad" ]; then
		ok "compiles: $what: $*"
	else
		not_ok "compiles: $what: $*:$bad"
		sed 's/^/    /' log
	fi
	exit 0
fi

clangs=$(ls /usr/bin | grep "^clang-[0-9]*$" | sort -V)
oldest=$(echo "$clangs" | head -1)
newest=$(echo "$clangs" | tail -1)

# target WHAT GCC CLANG-FLAG FLAGS...: a line per compiler and level. GCC is the
# name of a gcc for the target. -O2 with the oldest and the newest clang only,
# to save time.
target() {
	what=$1
	gcc=$2
	clang_flags=$3
	shift 3
	for clang in $clangs; do
		echo "$what $clang $clang_flags $* -Oz"
		case $clang in "$oldest" | "$newest") echo "$what $clang $clang_flags $* -O2" ;; esac
	done
	if command -v "$gcc" >/dev/null; then
		echo "$what $gcc $* -Os"
		echo "$what $gcc $* -O2"
	fi
}

{
	target x86_64 gcc --target=x86_64-unknown-none-elf
	target x86_64-kernel gcc --target=x86_64-unknown-none-elf -fno-pic -mcmodel=kernel -mno-sse -mno-mmx -mno-red-zone
	target x86_64-fpic gcc --target=x86_64-unknown-none-elf -fpic -mno-red-zone
	target aarch64 aarch64-linux-gnu-gcc --target=aarch64-none-elf -mgeneral-regs-only
	target armv7-a-arm arm-none-eabi-gcc --target=armv7a-none-eabi -march=armv7-a -marm -mfloat-abi=soft
	target armv7-a-thumb arm-none-eabi-gcc --target=armv7a-none-eabi -march=armv7-a -mthumb -mfloat-abi=soft
	target armv7-m arm-none-eabi-gcc --target=thumbv7m-none-eabi -march=armv7-m -mthumb -mfloat-abi=soft
	target armv6-m arm-none-eabi-gcc --target=thumbv6m-none-eabi -march=armv6-m -mthumb -mfloat-abi=soft
} >"$WORK/list"
# lib.sh clears the scratch directory: each run gets one of its own.
xargs -P 2 -I "{}" sh -c "BAREPROF_TEST_WORK=$WORK/\$\$ sh tests/runtime/compile.sh one {}" <"$WORK/list"
