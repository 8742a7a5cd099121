#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rebuild.sh - on every board, the demo kernel sends its counters and its .profraw at the same moment. From the
# counters and the ELF file, the host must rebuild that .profraw, byte for byte. A lean kernel cannot write a
# .profraw, but its capture must have the same counts. A second decoder, which was written from docs/SPEC.md alone, must
# decode the same counts from all three dumps: the .profraw, and the counters of the full kernel and of the lean kernel.
#
# With BAREPROF_WIDE=1, every combination of compiler, linker, kind and board is tested. Otherwise, four combinations are
# tested, with both linkers, three raw versions, counters of eight bytes and of one byte, and bitmaps. This is enough,
# because tests/images/kinds also compares the two dumps of full kernels, of each kind.
. "$(dirname "$0")/../lib.sh"

wide=${BAREPROF_WIDE-}
boards="x86_64 aarch64 armv7a armv7a-thumb mps2-an385 lm3s6965evb"
versions="13 14 15 16 19 22"

# kinds VERSION: prints the kinds that this clang supports.
kinds() {
	echo coverage irpgo
	[ "$1" -lt 14 ] || echo entries
	[ "$1" -lt 19 ] || echo mcdc bytes
}

# kernel DIR BOARD VERSION KIND LINKER [VARIABLE=VALUE]: builds and boots a kernel, which sends its counters and its
# profile.
kernel() {
	dir=$1
	board=${2%-thumb}
	[ "$board" = "$2" ] || set -- "$@" ARM_STATE=thumb
	shift 5
	make -s image BOARD="$board" LLVM="$version" KIND="$kind" LINKER="$linker" DROPIN="$DROP_IN" OUT="$dir" "$@" &&
		"$BAREPROF" run "$dir/kernel.elf" --board "$board" --send 'test\ncov both\nexit\n' --log "$dir/log" -o "$dir/profraw"
}

# rebuilt BOARD VERSION KIND LINKER: tests one combination. The lean kernel has the objects of the full one.
rebuilt() {
	full=$WORK/$1-$2-$3-$4
	lean=$full-lean
	kernel "$full" "$@" &&
		"$BAREPROF" pull --elf "$full/kernel.elf" --all "$full/all" "$full/log" &&
		# shellcheck disable=SC2046
		set -- "$@" $(ls "$full"/all/*.profraw) && [ $# -eq 6 ] && cmp "$5" "$6" &&
		"llvm-profdata-$2" show "$5" >"$full/shown" &&
		mkdir -p "$lean" && mv "$full/log" "$lean/full.log" && mv "$full/profraw" "$lean/full.profraw" &&
		kernel "$full" "$1" "$2" "$3" "$4" LEAN=1 && mv "$full/kernel.elf" "$full/log" "$full/profraw" "$lean" &&
		"$BAREPROF" merge --elf "$lean/kernel.elf" --text -o "$lean/text" "$lean/log" &&
		"$BAREPROF" merge --text -o "$full/text" "$5" && cmp "$full/text" "$lean/text" &&
		python3 tests/host/lib/raw_same.py --links "$5" "$lean/profraw" &&
		python3 tests/capture/agrees.py "$5" "$lean/full.log" 2 && python3 tests/capture/agrees.py "$5" "$lean/log" 2 &&
		rm -rf "$full" "$lean"
}

for version in $versions; do
	if ! command -v "clang-$version" >/dev/null || ! command -v "ld.lld-$version" >/dev/null; then
		skip "clang $version: install clang-$version and lld-$version"
		continue
	fi
	for kind in $(kinds "$version"); do
		for board in $boards; do
			for linker in lld gnu; do
				case ${wide:+wide}$version-$kind-$board-$linker in
				wide* | 13-coverage-x86_64-gnu | 14-entries-armv7a-thumb-lld) ;;
				15-irpgo-lm3s6965evb-gnu | 22-mcdc-aarch64-lld) ;;
				*) continue ;;
				esac
				check "clang $version, $kind, $board, $linker" rebuilt "$board" "$version" "$kind" "$linker"
			done
		done
	done
done
