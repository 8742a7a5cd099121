#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kernel.sh - compares the machine profile of the demo kernel with what QEMU sees from outside, on all boards, and with
# all of newlib's string and stdlib functions and their tests. The kernel has interrupts and, on some boards, several
# CPUs, so it counts with atomic instructions. QEMU sees an entry shortly before the kernel gives the
# function its place in the order. If another CPU enters a function in between, the two are exchanged. Only first calls have
# a place, so this is rare: on boards with several CPUs, one exchanged pair is accepted. An interrupt can do the same, but
# no run has shown it.
#
# KERNEL_BOARDS, KERNEL_COMPILERS and KERNEL_MODES select combinations. A compiler is gcc or a release of clang.
. "$(dirname "$0")/../lib.sh"

boards=${KERNEL_BOARDS:-x86_64 aarch64 armv7a mps2-an385 lm3s6965evb microbit}
compilers=${KERNEL_COMPILERS:-gcc $(some_clang_releases)}
modes=${KERNEL_MODES:-coverage calls blocks calls,blocks}
qemu_plugin mip/oracle || exit

# kernel BOARD COMPILER MODE [CONFIG]: builds the kernel with a machine profile alone, boots it, and compares the dump
# with QEMU.
kernel() {
	board=$1
	mode=$3
	dir=$WORK/$1-$2-$(echo "$3" | tr , -)$4
	case $2 in
	gcc) by="IMAGE_BY=gcc LLVM=$(newest_clang)" ;; # the linker is that of the newest LLVM
	*) by="LLVM=$2" ;;
	esac
	# shellcheck disable=SC2086
	make -s -j2 image BOARD="$1" $by KIND=none MIP="$mode" UPDATE="$([ "$mode" = coverage ] || echo atomic)" CONFIG="$4" OUT="$dir" || return
	# The files that read the profile are not instrumented (DEMO_PLAIN in qemu/qemu.mk).
	find "$dir" '(' -path '*/qemu/demo/*.o' -o -path '*/newlib/*.o' ')' ! -name 'cov*.o' ! -name idle.o ! -name mip.o ! -name send.o ! -name share.o >"$dir/objects"
	# shellcheck disable=SC2046
	python3 tests/mip/oracle.py list "$dir/kernel.elf" "$mode" $(cat "$dir/objects") >"$dir/list" || return
	# The dump begins with this call. Interrupts that come later are not part of the comparison.
	stop=$(readelf -sW "$dir/kernel.elf" | awk '$8 == "bareprof_capture_open" { print $2 }')
	case $board in
	mps2-an385 | lm3s6965evb | microbit) stop=$(printf '%x' $((0x$stop & ~1))) exchanged=0 ;;
	*) exchanged=1 ;;
	esac
	timeout 120 "$BAREPROF" run --board "$board" "$dir/kernel.elf" --send 'test\nmip dump\nexit\n' --log "$dir/log" \
		-o "$dir/dump" -- -plugin "$WORK/plugin.so,functions=$dir/list,out=$dir/counted,stop=$stop" || return
	# shellcheck disable=SC2046
	"$BAREPROF" mip merge --elf "$dir/kernel.elf" "$dir/log" -o "$dir/full.mip" &&
		"$BAREPROF" mip show --json "$dir/full.mip" >"$dir/json" &&
		ORACLE_EXCHANGED=$exchanged python3 tests/mip/oracle.py compare "$dir/kernel.elf" "$dir/json" "$dir/counted" "$mode" $(cat "$dir/objects")
}

for compiler in $compilers; do
	name="clang $compiler"
	own_modes=$modes
	# Only clang instruments blocks.
	if [ "$compiler" = gcc ]; then
		name=gcc
		own_modes=$(printf '%s\n' $modes | grep -v blocks)
	fi
	for board in $boards; do
		for mode in $own_modes; do
			check "$board, $name, $mode: the kernel's profile is what QEMU saw" kernel "$board" "$compiler" "$mode"
		done
	done
	for mode in $own_modes; do
		check "mps2-an385 with newlib, $name, $mode: the kernel's profile is what QEMU saw" \
			kernel mps2-an385 "$compiler" "$mode" newlib
		check "mps2-an385 with newlib, $name, $mode: newlib's tests pass" grep -q "^pass newlib" "$dir/log"
	done
done
