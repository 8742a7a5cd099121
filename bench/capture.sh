#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# capture.sh - measures how many bytes cross a slow line when a profile is sent. It measures the demo
# kernel in QEMU, and programs from Debian packages. These programs are linked with bareprof's
# runtime and do real work. There are three ways to send the whole .profraw: in hex, in base64, and
# after gzip -9. There are three ways to send a capture of its counters: as a capture file, as frames,
# and as console text. First, the script checks that `bareprof pull` rebuilds exactly this .profraw
# from each capture. Then it compares the sizes of what is sent in each way. Sizes do not depend on
# the machine, so a size above its limit is an error.
#
# BENCH_PROGRAMS (names of the programs below, or C files), BENCH_KINDS and BENCH_BOARDS select the
# measurements. BENCH_LLVM is the release of clang. BENCH_CONSOLE and BENCH_CHANNEL are the sizes in
# bytes of the block buffers for text and frames. Sources and objects are kept for the next run.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
BAREPROF=${BAREPROF:-$ROOT/build/bareprof}
SOURCES=${BENCH_SOURCES:-$ROOT/build/sources}
LLVM=${BENCH_LLVM:-$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$/\1/p' | sort -n | tail -1)}
PROGRAMS=${BENCH_PROGRAMS-lua5.4 sqlite3 zlib zstd}
KINDS=${BENCH_KINDS-coverage $([ "$LLVM" -lt 19 ] || echo mcdc) irpgo}
BOARDS=${BENCH_BOARDS-x86_64 mps2-an385}
CONSOLE=${BENCH_CONSOLE:-1024}
CHANNEL=${BENCH_CHANNEL:-8192}
WORK=${BENCH_WORK:-$ROOT/build/bench/capture-$LLVM}
RUNTIME="symbols image_self image_walk image reset profraw read profraw_write strerror capture_blocks capture counter_codec capture_counters capture_send capture_file crc32c encode_text encode_frame"
CLANG=clang-$LLVM
missed=0
export LC_ALL=C

fail() {
	echo "capture.sh: $*" >&2
	exit 1
}

# Compiles the runtime, and the code that calls it when a program ends.
make_runtime() {
	flags=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
	mkdir -p "$WORK/runtime"
	for name in $RUNTIME; do
		# shellcheck disable=SC2086
		"$CLANG" $flags -O2 -c "runtime/$name.c" -o "$WORK/runtime/$name.o" || return
	done
	# shellcheck disable=SC2086
	"$CLANG" $flags -O2 -c arch/x86_64/copy.c -o "$WORK/runtime/copy.o" &&
		"$CLANG" -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude -DCONSOLE="$CONSOLE" -DCHANNEL="$CHANNEL" \
			-c bench/forms.c -o "$WORK/runtime/forms.o" &&
		"$CLANG" -std=gnu99 -O2 -Wall -Wextra -Werror -Iinclude bench/frame.c "$WORK/runtime/encode_frame.o" \
			-o "$WORK/frame"
}

# prepare PROGRAM: sets $files to the source files of the program (Debian's sources, or one C file),
# and $options to the compiler options for these files.
prepare() {
	source=$SOURCES/$1
	case $1 in
	*.c) ;;
	*) sh tests/source.sh "$1" "$source" || return ;;
	esac
	case $1 in
	lua5.4)
		files=$(ls "$source"/src/*.c | grep -v '/luac\.c$')
		# Writes a header that Debian's build makes. The hash seed in it is constant,
		# because a seed made from addresses and the time would change the counts in every
		# run.
		mkdir -p "$WORK/include"
		printf '#define %s\n' 'DEB_HOST_MULTIARCH ""' 'luai_makeseed(L) 1u' >"$WORK/include/lua5.4-deb-multiarch.h"
		options="-I$WORK/include -DLUA_USE_POSIX"
		;;
	sqlite3)
		made=$SOURCES/sqlite3.made
		if [ ! -e "$made/done" ]; then
			mkdir -p "$made"
			(cd "$made" && "$source/configure" && make sqlite3.c shell.c && touch "done") >"$made/log" 2>&1 ||
				fail "sqlite3.c could not be made: install tclsh (package tcl); see $made/log"
		fi
		files="$made/sqlite3.c $made/shell.c"
		options="-I$made -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"
		;;
	zlib)
		files="$(ls "$source"/*.c) $source/test/minigzip.c"
		options="-I$source -DHAVE_UNISTD_H"
		;;
	zstd)
		files=$(ls "$source"/lib/common/*.c "$source"/lib/compress/*.c "$source"/lib/decompress/*.c \
			"$source"/lib/dictBuilder/*.c "$source"/programs/*.c)
		options="-I$source/lib -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0"
		;;
	*.c)
		files=$1
		options=
		;;
	*) fail "$1 is unknown: use lua5.4, sqlite3, zlib, zstd or a C file" ;;
	esac
}

# build PROGRAM: compiles the program for $kind. It is linked at fixed addresses, because addresses
# are part of a profile.
build() {
	prepare "$1" || return
	name=$(basename "$1" .c)
	dir=$WORK/$kind/$name.d
	case $kind in
	coverage) front="-fprofile-instr-generate -fcoverage-mapping" ;;
	mcdc) front="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc" ;;
	irpgo) front="-fprofile-generate -mllvm -disable-vp=true" ;;
	*) fail "the kind $kind is unknown: use coverage, mcdc or irpgo" ;;
	esac
	if [ ! -e "$dir/made" ]; then
		rm -rf "$dir"
		mkdir -p "$dir"
		# The option -w suppresses warnings, because these programs are not ours.
		echo "$files" | xargs -n 1 -P "$(nproc)" sh -c "$CLANG -O1 -w $front $options"' -c "$1" -o "$0/$(basename "$1" .c).o"' \
			"$dir" >"$dir/log" 2>&1 || fail "$1 does not compile; see $dir/log"
		touch "$dir/made"
	fi
	"$CLANG" -no-pie -fuse-ld=lld -Wl,--build-id=sha1 -Wl,-T,build/linker/bareprof.ld "$dir"/*.o "$WORK"/runtime/*.o \
		-lm -o "$WORK/$kind/$name" || fail "$1 does not link"
}

# row NAME ELF: measures the size of NAME.profraw, of its gzip file, and of the captures NAME.capture, NAME.frames and
# NAME.text. The .profraw and the captures were written at the same moment. First, this function checks that bareprof
# makes exactly NAME.profraw from each capture.
row() {
	for form in capture frames text; do
		"$BAREPROF" pull --elf "$2" -o pulled "$1.$form" 2>said || fail "$1, $form: $(cat said)"
		cmp "$1.profraw" pulled || fail "$1: the profile rebuilt from $form differs from the .profraw"
	done
	gzip -9n <"$1.profraw" >"$1.gzip"
	for form in profraw gzip capture frames text; do
		wc -c <"$1.$form"
	done | xargs echo "$1" >>results
}

# work WHAT ARGUMENT...: runs $program once with these arguments, and measures its profile. The name of the profile is
# the name of the program, a hyphen and WHAT.
work() {
	name=$(basename "$program" .c)-$1
	shift
	FORMS=$name "./$(basename "$program" .c)" "$@" >"$name.out" 2>"$name.log" </dev/null ||
		fail "$name ended with status $?; see $WORK/$kind/$name.log"
	row "$name" "$(basename "$program" .c)"
}

works() {
	case $program in
	lua5.4)
		work small "$ROOT/bench/workloads/1-small.lua"
		work strings "$ROOT/bench/workloads/2-strings.lua"
		work heavy "$ROOT/bench/workloads/3-heavy.lua"
		;;
	sqlite3)
		work small -bail :memory: ".read $ROOT/bench/workloads/1-small.sql"
		work queries -bail :memory: ".read $ROOT/bench/workloads/2-queries.sql"
		work heavy -bail :memory: ".read $ROOT/bench/workloads/3-heavy.sql"
		;;
	zlib)
		work compress -9 -c "$source/trees.c"
		work expand -d -c zlib-compress.out
		;;
	zstd)
		work compress -c "$source/lib/compress/zstd_compress.c"
		work ultra -19 -c "$source/lib/compress/zstd_compress.c"
		work expand -d -c zstd-ultra.out
		;;
	*) work run ;;
	esac
}

# kernel BOARD: runs the demo kernel. The kernel sends two dumps as text, both with the counts of the same moment. The
# first dump is the whole .profraw, and the second dump has only the counters.
kernel() {
	name=kernel-$1
	elf=$PWD/$name.d/kernel.elf
	make -s -C "$ROOT" image BOARD="$1" LLVM="$LLVM" KIND="$kind" OUT="$PWD/$name.d" >"$name.log" 2>&1 &&
		"$BAREPROF" run "$elf" --board "$1" --send 'test\ncov both\nexit\n' --log "$name.console" \
			-o pulled >"$name.log" 2>&1 || fail "$name did not run; see $PWD/$name.log"
	# The first dump is the whole profile, and the last dump has the counters.
	"$BAREPROF" pull --list "$name.console" >said && whole=$(sed -n '1s/ .*//p' said) &&
		"$BAREPROF" pull --dump "$whole" -o "$name.profraw" "$name.console" 2>said &&
		"$BAREPROF" pull -o "$name.capture" "$name.console" 2>said || fail "$name: $(cat said)"
	# In base64, a BEGIN block starts with AQ. The lines from the last BEGIN on are the second dump.
	tr -d '\r' <"$name.console" | sed -n 's/.*@bp:/@bp:/p' |
		awk '/^@bp:AQ/ { n = 0 } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] "\r" }' >"$name.text"
	tr -d '\r' <"$name.text" | cut -c 5- | awk '{ print $0 substr("===", 1, (4 - length($0) % 4) % 4) }' |
		while read -r line; do
			echo "$line" | base64 -d | ../frame || exit
		done >"$name.frames"
	row "$name" "$elf"
}

cd "$ROOT" || exit
[ -x "$BAREPROF" ] || make -s "${BAREPROF#"$ROOT"/}" || exit
make -s linker && make_runtime || exit
for kind in $KINDS; do
	mkdir -p "$WORK/$kind"
	: >"$WORK/$kind/results"
	for program in $PROGRAMS; do
		cd "$ROOT" && build "$program" && cd "$WORK/$kind" && works || exit
	done
	cd "$WORK/$kind" || exit
	for board in $BOARDS; do
		kernel "$board"
	done
	# The gzip file must be at least 6 times as large as the capture. With IR PGO, 4 times is enough. A .profraw
	# has two hashes for each function, and gzip cannot compress hashes. IR PGO instruments a third fewer
	# functions than source coverage, so the gzip file has fewer hashes and is smaller.
	gzip=6
	[ "$kind" != irpgo ] || gzip=4
	echo "$CLANG, $kind; a block has at most 16384 bytes in captures, $CHANNEL in frames, $CONSOLE in text," \
		"1024 in all dumps of kernels"
	awk -v GZIP=$gzip -f "$ROOT/bench/capture.awk" results || missed=1
	echo
done
exit $missed
