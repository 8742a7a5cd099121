# SPDX-License-Identifier: BSD-2-Clause
# path.sh - to be sourced: what the tests find first in PATH. Many of them build the same
# image, so compilers are those of ccache, which looks at the compiler, its options and the
# content of all it reads; what it kept is in build/ccache, and CCACHE_DISABLE=1 does without.
# Python is Debian's, for which .ci/deps installs modules.
# shellcheck shell=sh
path=$PWD/build/tests/path
rm -rf "$path"
mkdir -p "$path"
[ ! -x /usr/bin/python3 ] || ln -s /usr/bin/python3 "$path/python3"
if command -v ccache >/dev/null; then
	for compiler in /usr/bin/clang-[1-9][0-9] /usr/bin/clang++-[1-9][0-9] /usr/bin/gcc /usr/bin/gcc-[1-9][0-9] \
		/usr/bin/arm-none-eabi-gcc /usr/bin/aarch64-linux-gnu-gcc; do
		[ ! -x "$compiler" ] || ln -s "$(command -v ccache)" "$path/$(basename "$compiler")"
	done
	CCACHE_DIR=${CCACHE_DIR:-$PWD/build/ccache}
	# Most compile with -MMD: its list of files does for the preprocessor's output.
	CCACHE_DEPEND=1
	export CCACHE_DIR CCACHE_DEPEND
fi
PATH=$path:$PATH
export PATH
