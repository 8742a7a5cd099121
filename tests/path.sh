# SPDX-License-Identifier: BSD-2-Clause
# path.sh - to be sourced: selects the tools for the tests. Many tests build the same image, so
# images and hosted programs are compiled through ccache, if it is installed. ccache identifies
# an object by the compiler, its options and the content of all files that were read. Its cache is
# not in build/ itself, which tests add to PATH. COMPILER_CACHE= disables it.
# shellcheck shell=sh
if command -v ccache >/dev/null; then
	COMPILER_CACHE=${COMPILER_CACHE-$(command -v ccache)}
	CCACHE_DIR=${CCACHE_DIR:-$PWD/build/tests/ccache}
	# All makefiles compile with -MMD, so ccache can use the list of files instead of the preprocessor's output.
	CCACHE_DEPEND=1
	export COMPILER_CACHE CCACHE_DIR CCACHE_DEPEND
fi
# Compilers that are already started do the work: see tests/warm/warm.h. ccache looks for compilers in /usr/bin, where
# they are installed.
warm=$PWD/build/warm
if [ -x "$warm/warm" ]; then
	BAREPROF_WARM=${BAREPROF_WARM-bareprof-$$}
	BAREPROF_WARM_FOLDER=$warm
	CCACHE_PATH=/usr/bin
	CCACHE_PREFIX=$warm/warm
	PATH=$warm/tools:$PATH
	export BAREPROF_WARM BAREPROF_WARM_FOLDER CCACHE_PATH CCACHE_PREFIX PATH
fi
# Tests need Debian's Python, because .ci/deps installs modules for it.
if [ -x /usr/bin/python3 ]; then
	mkdir -p build/tests/path
	ln -sf /usr/bin/python3 build/tests/path/python3
	PATH=$PWD/build/tests/path:$PATH
	export PATH
fi
