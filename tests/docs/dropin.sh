#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dropin.sh: tests that the drop-in files need no other file and that they compile for every target. Then gcc compiles
# the runtime of these files, and clang compiles the demo kernel for a Cortex-M3. Runtime and kernel are linked to one
# image, which must boot.
. "$(dirname "$0")/../lib.sh"

check "make drop-in" make -s drop-in DIR="$WORK/d"
check "the drop-in consists of ten files" test "$(cd "$WORK/d" && echo *)" = "bareprof-lean.ld bareprof-none.ld \
bareprof-rom-lean.ld bareprof-rom-values.ld bareprof-rom.ld bareprof.c bareprof.h bareprof.ld bareprof.lds.h bareprof.mk"

flags="-std=gnu99 -ffreestanding -Wall -Wextra -Wvla -Wdeclaration-after-statement -Wconversion -Werror -Os"
compiles() {
	what=$1
	shift
	# shellcheck disable=SC2086
	check "drop-in compiles: $what" "$@" $flags -c "$WORK/d/bareprof.c" -o "$WORK/x.o"
	# shellcheck disable=SC2086
	check "drop-in compiles: $what, -nostdinc" "$@" $flags -nostdinc -c "$WORK/d/bareprof.c" -o "$WORK/x.o"
}
for n in $(some_clang_releases); do
	compiles "clang-$n x86_64" clang-$n --target=x86_64-none-elf -mcmodel=kernel -mno-sse -mno-red-zone
	compiles "clang-$n Armv6-M" clang-$n --target=thumbv6m-none-eabi -DBAREPROF_NOLOAD
	compiles "clang-$n AArch64" clang-$n --target=aarch64-none-elf -mgeneral-regs-only
done
compiles "gcc x86_64" gcc -fpic
compiles "gcc Armv7-M" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -DBAREPROF_NOLOAD
compiles "gcc AArch64" aarch64-linux-gnu-gcc -mgeneral-regs-only

check "the demo builds from the drop-in, with the runtime compiled by gcc" make -s image BOARD=mps2-an385 \
	DROPIN="$WORK/d" RUNTIME_CC=gcc OUT="$WORK/image"
check "the demo from the drop-in uses no other runtime file" sh -c "! find '$WORK/image' -path '*/runtime/*' -name '*.o' | grep -q ."
check "the demo from the drop-in boots, tests itself and dumps" "$BAREPROF" run --board mps2-an385 --send 'test\ncov dump\nexit\n' \
	-o "$WORK/kernel.profraw" "$WORK/image/kernel.elf"
check "the coverage of that demo can be reported" "$BAREPROF" report "$WORK/image/kernel.elf" "$WORK/kernel.profraw"

# The runtime of the drop-in must also record values. So the profile of the next image must name the target of an
# indirect call.
check "the demo with values builds from the drop-in" make -s image BOARD=mps2-an385 KIND=values \
	DROPIN="$WORK/d" RUNTIME_CC=gcc OUT="$WORK/values"
check "the demo with values boots and dumps" "$BAREPROF" run --board mps2-an385 --send 'test\ncov dump\nexit\n' \
	-o "$WORK/values.profraw" "$WORK/values/kernel.elf"
llvm=$(ls /usr/bin | sed -n 's/^llvm-profdata-\([0-9]*\)$/\1/p' | sort -n | tail -n 1)
check "the profile with values names the function that was called" sh -c \
	"llvm-profdata-$llvm show --all-functions --ic-targets '$WORK/values.profraw' | grep -q 'shell.c;do_test, *1 \]'"
