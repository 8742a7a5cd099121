# SPDX-License-Identifier: BSD-2-Clause
# wide.sh - the part of profgen.sh with whole programs, which runs only with BAREPROF_WIDE=1. WIDE_RELEASES selects
# releases of clang, and WIDE_PROGRAMS some of: kernel newlib linux lua sqlite.
# shellcheck shell=sh

WIDE_RELEASES=${WIDE_RELEASES:-$releases}
WIDE_PROGRAMS=${WIDE_PROGRAMS:-kernel newlib linux lua sqlite}
export BODY_SOURCES="$ROOT/build/sources"
flags="-g1 -fpseudo-probe-for-profiling"

# The crash of clang on Arm is in a scheduler that this option replaces.
for_arm="-mllvm -pre-RA-sched=source"

# judged RELEASE TARGET ELF: compares a whole program.
judged() {
	spec "$3" && { ! reads "$1" "$2" || listed "$1" "$3"; }
}

kernel() {
	case $2 in x86_64 | aarch64) extra=$flags ;; *) extra="$flags $for_arm" ;; esac
	# Clang cannot make an alias of a static function whose name it changes.
	[ -z "$3" ] || extra="$extra -fno-unique-internal-linkage-names"
	make -s -j2 image BOARD="$2" LLVM="$1" KIND=none EXTRA="$extra" OUT="$WORK/kernel" $3 &&
		judged "$1" "$2" "$WORK/kernel/kernel.elf"
	set -- $?
	rm -rf "$WORK/kernel"
	return "$1"
}

# body N|Z RELEASE TARGET: newlib or Linux.
body() {
	case $3 in x86_64 | aarch64) extra=$flags ;; *) extra="$flags $for_arm" ;; esac
	# shellcheck disable=SC2086
	sh tests/mip/body/build.sh "$1" "$3" "clang-$2" "$WORK/body" $extra && judged "$2" "$3" "$WORK/body/body"
	set -- $?
	rm -rf "$WORK/body"
	return "$1"
}

# program RELEASE NAME OPTION...: Lua or SQLite, as programs of this machine.
program() {
	by=$1
	name=$2
	shift 2
	case $name in
	lua)
		sh tests/source.sh lua5.4 "$BODY_SOURCES/lua5.4" || return
		files=$(ls "$BODY_SOURCES"/lua5.4/src/*.c | grep -v '/luac\.c$')
		mkdir -p "$WORK/include"
		printf '#define %s\n' 'DEB_HOST_MULTIARCH ""' >"$WORK/include/lua5.4-deb-multiarch.h"
		set -- "-I$WORK/include" -DLUA_USE_POSIX "$@"
		;;
	sqlite)
		sh tests/source.sh sqlite3 "$BODY_SOURCES/sqlite3" || return
		made=$BODY_SOURCES/sqlite3.made
		[ -e "$made/done" ] ||
			{ mkdir -p "$made" && (cd "$made" && "$BODY_SOURCES/sqlite3/configure" && make sqlite3.c shell.c && touch "done"); } || return
		files="$made/sqlite3.c $made/shell.c"
		set -- -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION "$@"
		;;
	esac
	rm -rf "$WORK/program"
	mkdir -p "$WORK/program"
	# shellcheck disable=SC2086
	for file in $files; do
		"clang-$by" -O2 -w $flags "$@" -c "$file" -o "$WORK/program/$(basename "$file" .c).o" || return
	done
	"clang-$by" --ld-path="ld.lld-$by" -o "$WORK/program/image" "$WORK"/program/*.o -lm && judged "$by" x86_64 "$WORK/program/image"
}

for release in $WIDE_RELEASES; do
	for tested in $WIDE_PROGRAMS; do
		case $tested in
		kernel)
			for board in x86_64 aarch64 armv7a mps2-an385 lm3s6965evb; do
				check "demo kernel, clang $release, $board: the same probes" kernel "$release" "$board"
			done
			check "demo kernel with newlib, clang $release: the same probes" kernel "$release" mps2-an385 CONFIG=newlib
			;;
		newlib | linux)
			[ $tested = newlib ] && letter=n || letter=z
			for target in x86_64 aarch64 arm thumb; do
				check "$tested, clang $release, $target: the same probes" body $letter "$release" "$target"
			done
			;;
		lua)
			check "Lua, clang $release: the same probes" program "$release" lua
			check "Lua, sections and no debug information, clang $release: the same probes" \
				program "$release" lua -g0 -ffunction-sections
			;;
		sqlite) check "SQLite, clang $release: the same probes" program "$release" sqlite ;;
		esac
	done
done
