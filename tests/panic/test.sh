#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# panic - makes the demo kernel fail in four ways: by a fault within a dump, by a fault in the handler of faults, by a
# stack overflow, and by a fault on a second CPU. The handler of faults sends the counts to the console. Or it keeps the
# counts in RAM, and the next boot sends them after a reset. In both cases, the profile must be the same, byte for byte,
# as the profile that is read from outside at the fault. Counts of another build must not be found in RAM.
#
# With BAREPROF_WIDE=1, all ways are tested on three boards.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
export LLVM BAREPROF

# image BOARD FOLDER [VARIABLE=VALUE...]: builds the kernel.
image() {
	board=$1
	dir=$2
	shift 2
	mkdir -p "$dir"
	wrap=cov_init
	[ "$board" != mps2-an385 ] || wrap=bareprof_start
	for name in bareprof_encode_text report_register crash_panic board_exit; do wrap="$wrap --wrap=$name"; done
	make -s image BOARD="$board" LLVM="$LLVM" KIND=coverage DROPIN="$DROP_IN" OUT="$dir" CONFIG_CFLAGS=-Itests/panic \
		MORE_PLAIN="tests/panic/panic.c tests/panic/cpu_fault.c" CONFIG_LDFLAGS="--wrap=$wrap" "$@" >"$dir/make.log" 2>&1 ||
		{ cat "$dir/make.log" && return 1; }
}

# same LOG: the dump in LOG must have the same bytes as the profile from outside. A profile without counts is an error.
same() {
	"$BAREPROF" pull --elf "$dir/kernel.elf" "$at/$1" -o "$at/sent.profraw" && cmp "$at/outside.profraw" "$at/sent.profraw" &&
		"$BAREPROF" show --all "$at/sent.profraw" | grep -A 1 '^selftest_run$' | grep -q 'highest count [1-9]'
}

# fails_by XY: makes the kernel fail, as panic.c describes.
fails_by() {
	at=$dir/$1
	mkdir -p "$at"
	python3 tests/panic/boot.py "$board" "$dir/kernel.elf" "$at" "$1" || return
	grep -q 'kept: nothing' "$at/boot-1.log" || return
	case $1 in
	C*) same fault.log ;;
	K*) grep -q 'kept: sent' "$at/boot-2.log" && same boot-2.log ;;
	esac
}

# Returns 0 if the third boot finds what it should: on the Cortex-M the counts of the second boot, elsewhere nothing.
third() {
	[ "$board" = mps2-an385 ] || { grep -q 'kept: nothing' "$at/boot-3.log" && return; }
	"$BAREPROF" pull --elf "$dir/kernel.elf" "$at/boot-3.log" -o "$at/third.profraw" && ! cmp -s "$at/third.profraw" "$at/sent.profraw"
}

if [ -n "${BAREPROF_WIDE-}" ]; then
	plan="x86_64:Cd C2 Cs Cc Kd K2 Ks Kc aarch64:Cd C2 Cs Cc Kd K2 Ks Kc mps2-an385:Cd C2 Cs Kd K2 Ks"
else
	plan="mps2-an385:Cd Ks"
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
	esac
	case ${step#*:} in
	C*) check "$board: $name: the counts come by the console" fails_by "${step#*:}" ;;
	K*)
		check "$board: $name: the next boot sends the counts" fails_by "${step#*:}"
		check "$board: $name: the boot after it does not send them again" third
		;;
	esac
done
