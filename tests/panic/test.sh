#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# panic - makes the demo kernel fail in five ways: by a fault within a dump, by a fault in the handler of faults, by a
# stack overflow, by a fault on a second CPU, and by a fault for which no handler can run. The handler of faults sends the counts to the console. Or it keeps the
# counts in RAM, and the next boot sends them after a reset. In both cases, the profile must be the same, byte for byte,
# as the profile that is read from outside at the fault. Counts of another build must not be found in RAM.
#
# With BAREPROF_WIDE=1, all ways are tested on three boards. Otherwise, some ways are tested on two boards.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
export LLVM BAREPROF

# image BOARD[-in-place] FOLDER [OPTION...]: builds the kernel. OPTIONs are for the linker. If BOARD ends in "-in-place",
# no loader fills the counters. This is always so on the Cortex-M.
image() {
	board=$1
	dir=$2
	shift 2
	mkdir -p "$dir"
	wrap=cov_init
	scripts=
	flags=-Itests/panic
	case $board in
	mps2-an385) wrap=bareprof_start ;;
	*-in-place)
		wrap=board_constructors
		flags="$flags -DIN_PLACE"
		"clang-$LLVM" -E -P -undef -nostdinc -x c -Ilinker tests/panic/in_place.lds.S -o "$dir/in_place.ld" || return
		scripts="BOARD_SCRIPTS=$dir/in_place.ld qemu/${board%-in-place}/board.ld"
		;;
	esac
	for name in bareprof_encode_text send_nonce report_register crash_panic board_exit; do wrap="$wrap --wrap=$name"; done
	make -s image BOARD="${board%-in-place}" LLVM="$LLVM" KIND=coverage DROPIN="$DROP_IN" OUT="$dir" CONFIG_CFLAGS="$flags" ${scripts:+"$scripts"} \
		MORE_PLAIN="tests/panic/panic.c tests/panic/cpu_fault.c" CONFIG_LDFLAGS="--wrap=$wrap $*" >"$dir/make.log" 2>&1 ||
		{ cat "$dir/make.log" && return 1; }
}

# same LOG: the dump in LOG must have the same bytes as the profile from outside. A profile without counts is an error.
same() {
	"$BAREPROF" pull --elf "$dir/kernel.elf" "$at/$1" -o "$at/sent.profraw" && cmp "$at/outside.profraw" "$at/sent.profraw" &&
		"$BAREPROF" show --all "$at/sent.profraw" | grep -A 1 '^selftest_run$' | grep -q 'highest count [1-9]'
}

# failed BOARD-Y: the console must show that the kernel failed in this way.
failed() {
	case $1 in
	*-d) [ "$(sed '/^\*\*\* /,$d' "$at/fault.log" | grep -c '^@bp:')" -eq 3 ] ;;
	*-2) grep -q '^\*\*\* ' "$at/fault.log" && ! grep -Eq '^(bfar|r11|x1|cr2) ' "$at/fault.log" ;;
	x86_64*-s) grep -q '^\*\*\* double fault' "$at/fault.log" ;;
	aarch64*-s) grep -q '^far    ffffff80bffff' "$at/fault.log" ;;
	mps2-an385-s) grep -q '  mmfar  20300' "$at/fault.log" ;;
	*-t) [ ! -e "$at/fault.log" ] ;;
	*-c) grep -q '^cpu    0000000000000001 ' "$at/fault.log" ;;
	esac
}

# fails_by XY: makes the kernel fail, as panic.c describes.
fails_by() {
	at=$dir/$1
	python3 tests/panic/boot.py "$board" "$dir/kernel.elf" "$at" "$1" || return
	grep -q 'kept: nothing' "$at/boot-1.log" && failed "$board-${1#?}" || return
	case $1 in
	C*) same fault.log ;;
	K*) grep -q 'kept: sent' "$at/boot-2.log" && same boot-2.log ;;
	esac
}

# third: after the boot that sent the counts, the machine was reset once more. If counts are kept in place, the third boot
# must send what the second boot counted, as a dump with another tag. Otherwise, only the handler of faults keeps counts.
third() {
	case $board in x86_64 | aarch64)
		grep -q 'kept: nothing' "$at/boot-3.log"
		return
		;;
	esac
	"$BAREPROF" pull --elf "$dir/kernel.elf" "$at/boot-3.log" -o "$at/third.profraw" 2>"$at/third.said" &&
		! grep -qF "$("$BAREPROF" pull --elf "$dir/kernel.elf" "$at/boot-2.log" -o "$at/again" 2>&1 | grep -o 'dump [0-9a-f]*')" "$at/third.said" &&
		! "$BAREPROF" show --all "$at/third.profraw" | grep -A 1 '^selftest_run$' | grep -q 'highest count [1-9]'
}

# finds BUILD WHAT: with the RAM at the fault, a kernel of BUILD must find WHAT at its first boot.
finds() {
	python3 tests/panic/boot.py mps2-an385 "$1/kernel.elf" "$1/found" - "${ram-$at/ram}" && grep -q "kept: $2" "$1/found/boot-1.log"
}

if [ -n "${BAREPROF_WIDE-}" ]; then
	plan="x86_64:Cd C2 Cs Cc Kd K2 Ks Kc aarch64:Cd C2 Cs Cc Kd K2 Ks Kc x86_64-in-place:Kd K2 Ks Kc Kt aarch64-in-place:Kd K2 Ks Kc
		mps2-an385:Cd C2 Cs Kd K2 Ks"
else
	plan="x86_64:Kc mps2-an385:Cd C2 Ks"
fi
for step in $plan; do
	case $step in *:*)
		board=${step%%:*}
		check "$board: the kernel builds" image "$board" "$WORK/$board"
		;;
	esac
	case ${step#*:} in
	?d) name="a fault within a dump" ;;
	?2) name="a fault in the handler of faults" ;;
	?s) name="a stack overflow" ;;
	?c) name="a fault on a second CPU" ;;
	?t) name="a fault without a handler" ;;
	esac
	case ${step#*:} in
	C*) check "$board: $name: the counts come by the console" fails_by "${step#*:}" ;;
	K*)
		check "$board: $name: the next boot sends the counts" fails_by "${step#*:}"
		check "$board: $name: the boot after it does not send them again" third
		;;
	esac
done

# The last kernel above left its counts in RAM. The other build differs only in its build id.
check "mps2-an385: the same build finds the counts in RAM" finds "$dir" sent
ram=$at/ram
check "mps2-an385: the other build" image mps2-an385 "$WORK/other" --build-id=0x000102030405060708090a0b0c0d0e0f10111213
check "mps2-an385: the other build does not find the counts of this build" finds "$dir" nothing
