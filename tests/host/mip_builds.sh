#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_builds.sh: builds programs and parts of Linux with `bareprof mip cc` as the compiler of make, CMake and Kbuild.
# The results must have the same files and dependencies as with the compiler alone.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/mip_cc.sh
. tests/ports/linux/tree_lib.sh

clang="clang-19"
unset MAKEFLAGS MAKEOVERRIDES BAREPROF_MIP
has_map() { readelf -SW "$1" | grep -q __llvm_mipmap; }

# A makefile with the dependency files of the compiler, as most projects have it.
mip_sources "$WORK/make"
cat >"$WORK/make/Makefile" <<'END'
CFLAGS = -O2 -MMD -MP
OBJECTS = main.o a.o b.o hand.o
prog: $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^
-include $(OBJECTS:.o=.d)
END
for cc in gcc-12 "$clang"; do
	make -s -C "$WORK/make" clean 2>/dev/null
	rm -f "$WORK"/make/*.[od] "$WORK/make/prog"
	check "make with $cc" make -s -C "$WORK/make" CC="'$BAREPROF' mip cc $cc"
	check "make with $cc: the program has machine profiles" has_map "$WORK/make/prog"
	check "make with $cc: the program runs" "$WORK/make/prog"
	touch "$WORK/make/a.h"
	check "make with $cc: the dependencies" sh -c "make -C '$WORK/make' CC=\"'$BAREPROF' mip cc $cc\" | grep -q 'a\.c'"
done

if command -v cmake >/dev/null; then
	mkdir -p "$WORK/cmake"
	mip_sources "$WORK/cmake"
	cat >"$WORK/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(prog C)
add_executable(prog main.c a.c b.c)
END
	for cc in gcc-12 "$clang"; do
		check "CMake with $cc" sh -c "CC=\"$BAREPROF mip cc $cc\" cmake -S '$WORK/cmake' -B '$WORK/cmake/$cc' &&
			cmake --build '$WORK/cmake/$cc'"
		check "CMake with $cc: the program has machine profiles" has_map "$WORK/cmake/$cc/prog"
		check "CMake with $cc and a launcher" sh -c "cmake -S '$WORK/cmake' -B '$WORK/cmake/l-$cc' -DCMAKE_C_COMPILER=$cc \
			-DCMAKE_C_COMPILER_LAUNCHER='$BAREPROF;mip;cc' && cmake --build '$WORK/cmake/l-$cc'"
		check "CMake with $cc and a launcher: the program has machine profiles" has_map "$WORK/cmake/l-$cc/prog"
	done
else
	skip "CMake: the package cmake is not installed"
fi

# kbuild OUT CC WORD...: configures a small kernel and compiles some of its libraries.
kbuild() {
	out=$1
	command=$2
	shift 2
	mkdir -p "$out"
	printf 'CONFIG_%s\n' 64BIT=y MODULES=y CRYPTO=y CRYPTO_ZSTD=y CRYPTO_LZ4=y CRYPTO_LZ4HC=y CRYPTO_DEFLATE=y XZ_DEC=y >"$out.options"
	make -s -C "$LINUX_TREE" O="$out" CC="$command" KCONFIG_ALLCONFIG="$out.options" "$@" tinyconfig &&
		make -s -j2 -C "$LINUX_TREE" O="$out" CC="$command" "$@" prepare lib/zstd/ lib/lz4/ lib/xz/ lib/zlib_deflate/ lib/zlib_inflate/
}
# same_kbuild PLAIN OURS: both folders have the same configuration, objects and dependencies; the functions of $OURS
# have machine profiles.
same_kbuild() {
	cmp "$1/.config" "$2/.config" || return
	for out; do
		(cd "$out" && find lib -name '*.o' | sort && find lib -name '.*.o.cmd' | sort |
			xargs sed -E 's/^(savedcmd|cmd)_([^ ]*) :=.*/\2/') >"$out.files"
	done
	diff "$1.files" "$2.files" || return
	for object in $(cd "$2" && find lib -name '*.o'); do
		! readelf -sW "$2/$object" | grep -q ' FUNC ' || has_map "$2/$object" || { echo "$object has no map"; return 1; }
	done
}
linux_source "$WORK/linux" '*/drivers/gpu/*.[ch]' '*/drivers/net/*.[ch]' '*/sound/*.[ch]' '*/Documentation/*.rst' || exit 0
for cc in gcc-12 "$clang"; do
	llvm=
	[ "$cc" = gcc-12 ] || llvm=LLVM=-19
	# shellcheck disable=SC2086
	check "Kbuild with $cc alone" kbuild "$WORK/plain-$cc" $cc $llvm
	# shellcheck disable=SC2086
	check "Kbuild with $cc and mip cc" kbuild "$WORK/ours-$cc" "$BAREPROF mip cc $cc" $llvm
	check "Kbuild with $cc: the same files, and machine profiles" same_kbuild "$WORK/plain-$cc" "$WORK/ours-$cc"
done
rm -rf "$WORK/linux"
