#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_arm.sh: tests how `bareprof run` without --board chooses the board for an Arm program. The build attributes in the
# ELF file show whether the program is for a Cortex-A or for a Cortex-M. `bareprof run` must use these attributes.
. "$(dirname "$0")/../lib.sh"
mkdir -p "$WORK/boards/any" "$WORK/boards/kernel" "$WORK/boards/chip" "$WORK/own/mine"
# board PATH MACHINE: describes a board for MACHINE in the folder PATH. In place of QEMU, echo prints the name of the
# board.
board() {
	printf 'machine = %s\ndefault = yes\nqemu = /bin/echo booted-%s\n' "$2" "$(basename "$1")" >"$1/board.conf"
}
board "$WORK/boards/any" arm
board "$WORK/boards/kernel" arm-a
board "$WORK/boards/chip" "arm-m arm-r"
# booted TARGET BOARD [OPTION...]: `bareprof run` must start a program for TARGET on BOARD.
booted() {
	target=$1
	board=$2
	shift 2
	echo 'void _start(void) {}' | clang-22 "--target=$target" "$@" -x c -c - -o "$WORK/elf"
	BAREPROF_BOARDS=${boards:-$WORK/boards} "$BAREPROF" run "$WORK/elf" -o "$WORK/out" </dev/null >"$WORK/said" 2>&1
	check "$target $* runs on $board" grep -qx "booted-$board" "$WORK/said"
}
booted armv7a-none-eabi kernel
booted armv7a-none-eabi kernel -mthumb
booted armv8a-none-eabi kernel
booted armebv7a-none-eabi kernel
booted armv7r-none-eabi chip
booted thumbv7m-none-eabi chip
booted thumbv6m-none-eabi chip
booted thumbv8.1m.main-none-eabi chip -mcpu=cortex-m55
booted arm-none-eabi any -mcpu=arm926ej-s
echo 'void _start(void) {}' | clang-22 --target=armv7a-none-eabi -x c -c - -o "$WORK/elf"
llvm-objcopy-22 --remove-section=.ARM.attributes "$WORK/elf"
BAREPROF_BOARDS=$WORK/boards "$BAREPROF" run "$WORK/elf" -o "$WORK/out" </dev/null >"$WORK/said" 2>&1
check "without attributes: the board for arm" grep -qx "booted-any" "$WORK/said"
# The user's folder of boards must be searched before bareprof's folder. If the user's folder has a board for any Arm
# program, this board must be used, even if bareprof's folder has a board for exactly this kind of Arm CPU.
board "$WORK/own/mine" arm
boards=$WORK/own
booted armv7a-none-eabi mine
# Build attributes that are cut short or damaged must be ignored.
echo 'void _start(void) {}' | clang-22 --target=armv7a-none-eabi -x c -c - -o "$WORK/whole"
llvm-objcopy-22 --dump-section=.ARM.attributes="$WORK/attributes" "$WORK/whole" "$WORK/elf"
size=$(wc -c <"$WORK/attributes")
i=0
while [ $i -lt "$size" ]; do
	head -c $i "$WORK/attributes" >"$WORK/cut"
	llvm-objcopy-22 --update-section=.ARM.attributes="$WORK/cut" "$WORK/whole" "$WORK/elf"
	BAREPROF_BOARDS=$WORK/boards "$BAREPROF" run "$WORK/elf" -o "$WORK/out" </dev/null 2>&1 |
		grep -Eqx "booted-(any|kernel)" || echo "$i bytes"
	i=$((i + 7))
done >"$WORK/wrong"
check "attributes that are cut short" test ! -s "$WORK/wrong"

# Boots real kernels on the boards of this tree. Without BAREPROF_WIDE, mps2-an385 is left out, because other tests boot
# that board, with --board.
if ! command -v qemu-system-arm >/dev/null; then
	skip "kernels: no qemu-system-arm"
	exit 0
fi
for board in armv7a ${BAREPROF_WIDE:+mps2-an385}; do
	check "an image for $board" make -s image BOARD=$board DROPIN="$DROP_IN" "OUT=build/tests/host/run_arm/$board"
	check "$board boots without --board" "$BAREPROF" run --send 'test\ncov dump\nexit\n' --timeout 20 \
		-o "$WORK/$board.profraw" "$WORK/$board/kernel.elf"
	check "$board: its profile is complete" sh -c "'$BAREPROF' show --function main '$WORK/$board.profraw' >'$WORK/said'"
done
