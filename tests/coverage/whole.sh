#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# whole.sh - compares the reports of bareprof with those of llvm-cov, for whole programs: the demo kernel on all boards,
# Lua, SQLite, zlib and zstd, and a test of a C++ library with templates, lambdas and exceptions. From LLVM 19 on, the
# programs are also compiled with MC/DC. COVERAGE_RELEASES, COVERAGE_PROGRAMS and COVERAGE_BOARDS select some of them.
. "$(dirname "$0")/../lib.sh"
. tests/coverage/lib.sh
. tests/coverage/programs.sh

RELEASES=${COVERAGE_RELEASES:-$(clang_releases)}
PROGRAMS=${COVERAGE_PROGRAMS-lua zlib minigzip sqlite zstd json}
BOARDS=${COVERAGE_BOARDS-$(ls qemu/*/board.conf | cut -d / -f 2)}

# kernel RELEASE BOARD KIND [VARIABLE=VALUE...]: builds the demo kernel, and runs its tests.
kernel() {
	board=$2
	dir=$WORK/kernel-$1-$2-$3
	release=$1
	kind=$3
	shift 3
	mkdir -p "$dir"
	rm -f "$dir/1.profraw"
	make -s -j2 image BOARD="$board" LLVM="$release" KIND="$kind" OUT="$dir" "$@" >"$dir/log" || { tail -n 20 "$dir/log" && return 1; }
	"$BAREPROF" run --board "$board" "$dir/kernel.elf" --send 'test\ncov dump\nexit\n' -o "$dir/1.profraw" </dev/null
}

# boards RELEASE KIND [VARIABLE=VALUE...]
boards() {
	for board in $BOARDS; do
		of="demo kernel, $board, $2${3:+, $3}, clang $1"
		dir=$WORK/kernel-$1-$board-$2
		check "$of: builds and runs" kernel "$1" "$board" "$2" $3
		[ -e "$dir/1.profraw" ] || continue
		# shellcheck disable=SC2046
		equal $([ "$2" != mcdc ] || echo --mcdc) "$of" "$1" "$dir" "$dir/kernel.elf" "$dir/1.profraw"
	done
}

# whole NAME RELEASE [FLAG...]
whole() {
	name=$1
	release=$2
	shift 2
	of="$name${1:+, $1}, clang $release"
	dir=$ROOT/build/coverage/$name-$release$1
	show=
	case $1 in *-mcdc*) show=--mcdc ;; esac
	check "$of: builds and runs" coverage_program "$name" "$release" "$dir" "$@"
	[ ! -e "$dir/made" ] || equal $show "$of" "$release" "$dir" "$dir/program" "$dir"/*.profraw
}

for release in $RELEASES; do
	for program in $PROGRAMS; do
		whole "$program" "$release"
		[ "$release" -lt 19 ] || whole "$program" "$release" -fcoverage-mcdc
	done
	boards "$release" coverage
	[ "$release" -lt 19 ] || boards "$release" mcdc
	# Sections of the mapping that are not loaded
	BOARDS=$(echo "$BOARDS" | tail -n 1) boards "$release" coverage LEAN=1
done
for release in $RELEASES; do
	# Two programs that have most of their functions in common
	case $PROGRAMS in *zlib*minigzip*) ;; *) continue ;; esac
	zlib=$ROOT/build/coverage/zlib-$release
	minigzip=$ROOT/build/coverage/minigzip-$release
	equal "zlib and minigzip, clang $release" "$release" "$WORK/both-$release" "$zlib/program" "$zlib"/*.profraw \
		"$minigzip/program" "$minigzip"/*.profraw
done
