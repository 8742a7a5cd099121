#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sources.sh z|n|s|g DIR: unpacks the source files of body Z or N from Debian's packages linux-source-6.1 and
# newlib-source, and prepares the headers. Body S is small.c, and body G is graph.c. DIR/files lists the files to
# compile, one in each line, as paths in DIR. DIR/flags has the compiler flags that the files need, with absolute paths.
# If DIR is complete, the script does nothing.
body=$1
here=$(cd "$(dirname "$0")" && pwd)
[ ! -e "$2/complete" ] || exit 0
rm -rf "$2"
mkdir -p "$2/include" && dir=$(cd "$2" && pwd) || exit

linux() {
	tarball=$(ls /usr/src/linux-source-6.1.tar.xz 2>/dev/null) || return
	tar -xf "$tarball" -C "$dir" --strip-components=1 --wildcards 'linux-source-6.1/lib/zstd' 'linux-source-6.1/lib/lz4' \
		'linux-source-6.1/lib/zlib_*' 'linux-source-6.1/lib/xz' 'linux-source-6.1/lib/xxhash.c' \
		'linux-source-6.1/include/linux/*' || return
	mkdir -p "$dir/include/shim/linux" "$dir/include/shim/asm" || return
	# Headers of the libraries themselves are taken from Linux, and shim.h replaces all others.
	for header in zstd zstd_lib zstd_errors lz4 zlib zutil zconf xz xxhash; do
		cp "$dir/include/linux/$header.h" "$dir/include/shim/linux/" || return
	done
	rm -rf "$dir/include/linux"
	for header in $(cat $(find "$dir/lib" "$dir/include/shim" -name '*.[ch]') |
		sed -n 's/^#[[:space:]]*include <\(\(linux\|asm\)\/[^>]*\.h\)>.*/\1/p' | sort -u); do
		[ -e "$dir/include/shim/$header" ] || echo '#include "shim.h"' >"$dir/include/shim/$header" || return
	done
	(cd "$dir" && find lib -name '*.c' ! -path '*/zlib_dfltcc/*' ! -name 'xz_dec_test.c' ! -name 'xz_crc32.c' ! -name '*_syms.c') |
		LC_ALL=C sort >"$dir/files"
	echo "-D__KERNEL__ -I$dir/include/shim -I$dir/lib/zstd -I$dir/lib/zstd/common -I$here" >"$dir/flags"
	LC_ALL=C cat "$dir"/lib/zstd/compress/zstd_compress.c "$dir"/lib/zlib_deflate/*.c | head -c 100000 >"$dir/text"
	xz --check=crc32 --lzma2=dict=128KiB -k "$dir/text"
}

newlib() {
	tarball=$(ls /usr/src/newlib/newlib-3.3.0.tar.xz 2>/dev/null) || return
	tar -xf "$tarball" -C "$dir" --strip-components=1 --wildcards '*/newlib/libc' '*/newlib/testsuite' || return
	# newlib compiles mallocr.c several times with different macros, and clang 22 refuses wcstold.c.
	(cd "$dir" && find newlib/libc/string newlib/libc/stdlib newlib/libc/search -name '*.c' ! -name mallocr.c \
		! -name wcstold.c) | LC_ALL=C sort >"$dir/files"
	touch "$dir/newlib/libc/include/_newlib_version.h" "$dir/newlib/libc/include/newlib.h"
	echo "-D_COMPILING_NEWLIB -D_LIBC -DHAVE_INIT_FINI -isystem $dir/newlib/libc/include -I$dir/newlib/libc/stdlib" \
		"-I$dir/newlib/libc/string -I$dir/newlib/libc/locale -I$dir/newlib/libc/stdio -I$dir/newlib/libc/search -I$here" \
		>"$dir/flags"
}

case $body in
z) linux ;;
n) newlib ;;
g) cp "$here/graph.c" "$dir/" && echo graph.c >"$dir/files" && echo "-I$here" >"$dir/flags" ;;
s) cp "$here/small.c" "$dir/" && echo small.c >"$dir/files" && echo "-I$here" >"$dir/flags" ;;
*) false ;;
esac || {
	echo "sources.sh: body $body could not be unpacked; run make deps, which installs linux-source-6.1 and newlib-source" >&2
	exit 1
}
touch "$dir/complete"
