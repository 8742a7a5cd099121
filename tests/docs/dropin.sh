#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dropin.sh: tests that the drop-in files need no other file and that they compile for every target.
# Then gcc compiles the runtime from these files, and clang compiles the demo kernel for a
# Cortex-M3. Runtime and kernel are linked to one image, which must boot.
. "$(dirname "$0")/../lib.sh"

check "make drop-in" make -s drop-in DIR="$WORK/d"
check "the drop-in consists of seventeen files" test "$(cd "$WORK/d" && echo *)" = "bareprof-lean.ld bareprof-none.ld \
bareprof-rom-lean.ld bareprof-rom-values.ld bareprof-rom.ld bareprof.c bareprof.h bareprof.ld bareprof.lds.h bareprof.mk \
bareprof_hostile_guest.c bareprof_hostile_guest.h mip-beside.ld mip-rom-beside.ld mip-rom.ld mip.ld mip.lds.h"

flags="-std=gnu99 -ffreestanding -Os -Wall -Wextra -Wshadow -Wundef -Wunused-macros -Wcast-qual -Wpedantic
	-Wstrict-prototypes -Wmissing-prototypes -Wdeclaration-after-statement -Wvla -Wconversion -Werror"
extras="-DBAREPROF_SAMPLES -DBAREPROF_SAMPLE_STACKS -DBAREPROF_VALUES -DBAREPROF_TEMPORAL -DBAREPROF_NOLOAD -DBAREPROF_STAMP -DBAREPROF_ATOMIC -DBAREPROF_SEMIHOSTING -DBAREPROF_MIP -DBAREPROF_MIP_CALLS_MODE"
# compiles TARGET COMPILER FLAGS...: without BAREPROF_WIDE=1, clang stops after its checks and makes no code. The warnings
# are the same, and the images of images/matrix have code of the drop-in by each clang. The optimizers of gcc warn too, so
# gcc makes code.
compiles() {
	target=$1
	goal=-c
	case ${BAREPROF_WIDE-}$2 in clang*) goal=-fsyntax-only ;; esac
	shift
	# shellcheck disable=SC2086
	check "drop-in compiles: $target" "$@" $flags $goal "$WORK/d/bareprof.c" -o "$WORK/x.o"
	# shellcheck disable=SC2086
	check "drop-in compiles: $target, -nostdinc, all capabilities but samples" "$@" $flags -nostdinc $extras $goal "$WORK/d/bareprof.c" -o "$WORK/x.o"
	# shellcheck disable=SC2086
	check "drop-in compiles: $target, samples of machine profiles" "$@" $flags -DBAREPROF_MIP -DBAREPROF_MIP_SAMPLES_MODE $goal "$WORK/d/bareprof.c" -o "$WORK/x.o"
	# shellcheck disable=SC2086
	check "the hostile guest compiles: $target" "$@" $flags -nostdinc $goal "$WORK/d/bareprof_hostile_guest.c" -o "$WORK/x.o"
}
# Without BAREPROF_WIDE=1, the newest clang compiles for each target, and two other releases for one target each. (The
# images of images/matrix contain the drop-in, compiled by each release.)
for n in ${BAREPROF_WIDE:+13 14 15 16 19} 22; do
	compiles "clang-$n x86_64" clang-$n --target=x86_64-none-elf -mcmodel=kernel -mno-sse -mno-red-zone
	compiles "clang-$n Armv6-M" clang-$n --target=thumbv6m-none-eabi -DBAREPROF_NOLOAD
	compiles "clang-$n AArch64" clang-$n --target=aarch64-none-elf -mgeneral-regs-only
done
compiles "clang-19 AArch64" clang-19 --target=aarch64-none-elf -mgeneral-regs-only
compiles "clang-22 Armv7-A" clang-22 --target=armv7a-none-eabi -mfloat-abi=soft
compiles "clang-14 Armv7-R, Thumb" clang-14 --target=thumbv7r-none-eabi -mfloat-abi=soft
compiles "gcc x86_64" gcc -fpic
compiles "gcc Armv7-M" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -DBAREPROF_NOLOAD
compiles "gcc AArch64" aarch64-linux-gnu-gcc -mgeneral-regs-only

# Makes a tree whose headers have the same names as standard headers. If the compiler includes one
# of these headers, it fails.
mkdir "$WORK/tree"
for header in stdint stddef stdbool string limits; do
	echo "#error \"$header.h of the tree was included\"" >"$WORK/tree/$header.h"
done
check "headers of the tree are not included" clang-22 --target=thumbv7m-none-eabi -std=gnu99 -I "$WORK/tree" -nostdinc \
	-c "$WORK/d/bareprof.c" -o "$WORK/x.o"

# Makes a source file that defines standard names, such as size_t and NULL, in a different way than
# the standard.
cat >"$WORK/own.c" <<C
typedef unsigned long long size_t, uint64_t;
typedef int uint8_t, intptr_t;
#define uint32_t unsigned
#define offsetof 1
#define NULL 0
#include "$WORK/d/bareprof.h"
size_t own = sizeof(struct bareprof_image);
C
check "types of the tree do not conflict" clang-22 --target=thumbv7m-none-eabi -std=gnu99 -Werror -c "$WORK/own.c" -o "$WORK/x.o"

# configured OPTION...: compiles the drop-in with these options of Kconfig, and lists its functions.
configured() {
	clang-22 --target=thumbv7m-none-eabi -std=gnu99 "$@" -c "$WORK/d/bareprof.c" -o "$WORK/configured.o" &&
		llvm-nm-22 --defined-only "$WORK/configured.o" >"$WORK/configured.symbols"
}
all=$(configured && wc -l <"$WORK/configured.symbols")
check "an option of the tree named CONFIG_BAREPROF" configured -DCONFIG_BAREPROF=1
check "selects nothing, so that the file contains all" test "$(wc -l <"$WORK/configured.symbols")" -eq "$all"
check "a selection" configured -DCONFIG_BAREPROF_SMALL=1 -DCONFIG_BAREPROF_BLOCKS=1 -DCONFIG_BAREPROF_COUNTER_CODEC=1
check "leaves out the other parts" sh -c "grep -q bareprof_small_dump '$WORK/configured.symbols' && ! grep -q bareprof_write '$WORK/configured.symbols'"
configured -DCONFIG_BAREPROF=1 -DCONFIG_BAREPROF_KCONFIG=1 2>"$WORK/empty"
check "an empty selection is refused" test $? -ne 0
check "a message tells what to select" grep -q 'error: "nothing of bareprof.c is selected: set CONFIG_BAREPROF_CORE, CONFIG_BAREPROF_SMALL' "$WORK/empty"

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
