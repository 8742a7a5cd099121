# SPDX-License-Identifier: BSD-2-Clause
# programs.sh - builds and runs programs of Debian's source packages, with coverage. Scripts source it.
#
#	coverage_program NAME RELEASE DIR [FLAG...]   makes DIR/program and DIR/*.profraw. NAME is lua, sqlite, zlib,
#	                                              minigzip, zstd or json. FLAGs are for the compiler
#
# The sources are unpacked in COVERAGE_SOURCES. A program that was made before with the same flags is not made again.
# shellcheck shell=sh

COVERAGE_SOURCES=${COVERAGE_SOURCES:-$PWD/build/sources}

# Sets $files to the source files of program NAME, and $options to the options of the compiler for them.
coverage_sources() {
	link=
	case $1 in
	lua)
		coverage_source=$COVERAGE_SOURCES/lua5.4
		sh tests/source.sh lua5.4 "$coverage_source" || return
		files=$(ls "$coverage_source"/src/*.c | grep -v '/luac\.c$')
		# Debian's build makes this header. The hash seed is constant, so that all runs count the same.
		mkdir -p "$COVERAGE_SOURCES/lua5.4.made"
		printf '#define %s\n' 'DEB_HOST_MULTIARCH ""' 'luai_makeseed(L) 1u' >"$COVERAGE_SOURCES/lua5.4.made/lua5.4-deb-multiarch.h"
		options="-I$COVERAGE_SOURCES/lua5.4.made -DLUA_USE_POSIX"
		link=-lm
		;;
	sqlite)
		coverage_source=$COVERAGE_SOURCES/sqlite3
		sh tests/source.sh sqlite3 "$coverage_source" || return
		made=$coverage_source.made
		[ -e "$made/done" ] ||
			{ mkdir -p "$made" && (cd "$made" && "$coverage_source/configure" && make sqlite3.c shell.c && touch "done") >"$made/log" 2>&1; } ||
			return
		files="$made/sqlite3.c $made/shell.c"
		options="-I$made -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"
		link=-lm
		;;
	zlib | minigzip)
		coverage_source=$COVERAGE_SOURCES/zlib
		sh tests/source.sh zlib "$coverage_source" || return
		files="$(ls "$coverage_source"/*.c) $coverage_source/test/$(echo "$1" | sed s/zlib/example/).c"
		options="-I$coverage_source -DHAVE_UNISTD_H"
		;;
	zstd)
		coverage_source=$COVERAGE_SOURCES/libzstd
		sh tests/source.sh libzstd "$coverage_source" || return
		files=$(ls "$coverage_source"/lib/common/*.c "$coverage_source"/lib/compress/*.c "$coverage_source"/lib/decompress/*.c \
			"$coverage_source"/lib/dictBuilder/*.c "$coverage_source"/programs/*.c)
		options="-I$coverage_source/lib -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0"
		;;
	json)
		coverage_source=$COVERAGE_SOURCES/nlohmann-json3
		sh tests/source.sh nlohmann-json3 "$coverage_source" || return
		files="$coverage_source/tests/src/unit.cpp $coverage_source/tests/src/unit-json_pointer.cpp $coverage_source/tests/src/unit-class_parser.cpp"
		options="-std=c++17 -I$coverage_source/include -I$coverage_source/tests/thirdparty/doctest"
		link="-lstdc++ -lm"
		;;
	esac
}

# Runs program NAME in the folder DIR, once or several times.
coverage_run() {
	workloads=$PWD/bench/workloads
	cd "$2" || return
	case $1 in
	lua)
		LLVM_PROFILE_FILE=1.profraw ./program "$workloads/2-strings.lua" && LLVM_PROFILE_FILE=2.profraw ./program "$workloads/1-small.lua"
		;;
	sqlite)
		LLVM_PROFILE_FILE=1.profraw ./program -bail :memory: ".read $workloads/2-queries.sql" &&
			LLVM_PROFILE_FILE=2.profraw ./program -bail :memory: ".read $workloads/1-small.sql"
		;;
	zlib | json) LLVM_PROFILE_FILE=1.profraw ./program ;;
	minigzip) LLVM_PROFILE_FILE=1.profraw ./program -9 <../program-input >packed && LLVM_PROFILE_FILE=2.profraw ./program -d <packed >/dev/null ;;
	zstd)
		LLVM_PROFILE_FILE=1.profraw ./program -q -5 -f ../program-input -o packed &&
			LLVM_PROFILE_FILE=2.profraw ./program -q -d -f packed -o unpacked && cmp ../program-input unpacked
		;;
	esac
}

coverage_program() {
	name=$1
	clang=clang-$2
	dir=$3
	shift 3
	[ "$(cat "$dir/made" 2>/dev/null)" != "$clang $*" ] || return 0
	coverage_sources "$name" || return
	rm -rf "$dir"
	mkdir -p "$dir/objects"
	cat "$COVERAGE_SOURCES"/*/debian/changelog >"$dir/../program-input"
	# The option -w suppresses warnings, because these programs are not ours.
	# shellcheck disable=SC2016,SC2086
	echo "$files" | tr ' ' '\n' | xargs -n 1 -P "$(nproc)" sh -c \
		"$clang -O1 -w -fprofile-instr-generate -fcoverage-mapping $options $*"' -c "$1" -o "$0/$(basename "$1").o"' "$dir/objects" &&
		"$clang" -fprofile-instr-generate -fuse-ld=lld -Wl,--build-id -o "$dir/program" "$dir"/objects/*.o $link || return
	(coverage_run "$name" "$dir") >"$dir/log" 2>&1 || { tail -n 20 "$dir/log" && return 1; }
	rm -rf "$dir/objects" "$dir/packed" "$dir/unpacked"
	echo "$clang $*" >"$dir/made"
}
