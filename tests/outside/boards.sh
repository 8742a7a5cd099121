#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# boards.sh - reads the counters of the demo kernel from outside: through gdb's protocol, through QMP, from a core and from
# a kernel dump. The guest is stopped directly before it dumps. Then all these profiles must be the same, byte for byte, as
# the profile that the guest sends. The guest must be left stopped.
#
# With BAREPROF_WIDE=1, all boards are tested with three compilers and all kinds. Otherwise, one board of each instruction
# set is tested with one kind.
. "$(dirname "$0")/../lib.sh"

# outside BOARD LLVM KIND: builds and boots a kernel, and reads it in all ways.
outside() {
	name=$WORK/$1-$2-$3
	mkdir -p "$name/boards/$1"
	make -s image BOARD="$1" LLVM="$2" KIND="$3" DROPIN="$DROP_IN" OUT="$name" >"$name/log" || { cat "$name/log" && return 1; }
	sed "s|{elf}|& -S -qmp unix:$name/s.qmp,server=on,wait=off -gdb unix:$name/s.gdb,server=on,wait=off|" "qemu/$1/board.conf" \
		>"$name/boards/$1/board.conf"
	{
		echo "cd '$name' && rm -f ./*.profraw core kdump"
		echo "'$BAREPROF' pull --from gdb:unix:s.gdb --elf kernel.elf -o gdb.profraw"
		# QEMU has no memory of the microbit to dump, and cannot save it.
		[ "$1" = microbit ] || {
			echo "'$BAREPROF' pull --from qmp:s.qmp --elf kernel.elf -o qmp.profraw"
			echo "python3 '$ROOT/tests/outside/dump.py' s.qmp core"
			echo "'$BAREPROF' pull --from core:core --elf kernel.elf -o core.profraw"
			echo "python3 '$ROOT/tests/outside/dump.py' s.qmp kdump kdump-zlib"
			echo "'$BAREPROF' pull --from kdump:kdump --elf kernel.elf -o kdump.profraw"
		}
	} >"$name/script"
	python3 tests/outside/hold.py "$name/kernel.elf" "$name/s" 'test\ncov dump\nexit\n' "$name/script" 2>"$name/said" |
		BAREPROF_BOARDS=$name/boards "$BAREPROF" run --board "$1" -o "$name/sent.raw" "$name/kernel.elf" >"$name/console"
	cat "$name/said"
	# Before clang 18, the runtime writes pointers to lists of values into the records. Only the guest's own profile has
	# these pointers.
	case $2-$3 in 1[3-6]-values) like="python3 tests/host/lib/raw_same.py" ;; *) like=cmp ;; esac
	$like "$name/sent.raw" "$name/gdb.profraw" || return
	[ "$1" = microbit ] || { cmp "$name/gdb.profraw" "$name/qmp.profraw" && cmp "$name/gdb.profraw" "$name/core.profraw" &&
		cmp "$name/gdb.profraw" "$name/kdump.profraw"; }
}

if [ -n "${BAREPROF_WIDE-}" ]; then
	for board in x86_64 aarch64 armv7a mps2-an385 lm3s6965evb microbit; do
		for llvm in 13 19 22; do
			for kind in coverage values mcdc; do
				# Clang 13 has no MC/DC. Values do not fit into the memory of the microbit.
				case $board-$llvm-$kind in *-13-mcdc | microbit-*-values) continue ;; esac
				check "$board, clang $llvm, $kind: all outside readers agree with the guest" outside "$board" "$llvm" "$kind"
			done
		done
	done
else
	for plan in "x86_64 22 values" "aarch64 22 mcdc" "armv7a 22 coverage" "mps2-an385 13 values" "microbit 22 coverage"; do
		# shellcheck disable=SC2086
		check "$(echo $plan | sed 's/ /, clang /; s/ \([a-z]*\)$/, \1/'): all outside readers agree with the guest" outside $plan
	done
fi
