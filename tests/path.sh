# SPDX-License-Identifier: BSD-2-Clause
# path.sh - to be sourced: with which tools the tests run. Many of them build the same image,
# so that images and their hosted twins are compiled through ccache, if it is here: it knows
# an object by the compiler, its options and the content of all that was read. What it keeps is
# not in build/ itself, which tests put into PATH. COMPILER_CACHE= does without.
# shellcheck shell=sh
if command -v ccache >/dev/null; then
	COMPILER_CACHE=${COMPILER_CACHE-$(command -v ccache)}
	CCACHE_DIR=${CCACHE_DIR:-$PWD/build/tests/ccache}
	# All compile with -MMD: its list of files does for the preprocessor's output.
	CCACHE_DEPEND=1
	export COMPILER_CACHE CCACHE_DIR CCACHE_DEPEND
fi
# The compilers start warm: tests/warm/warm.h. ccache looks for them where they are installed.
warm=$PWD/build/warm
if [ -x "$warm/warm" ]; then
	BAREPROF_WARM=${BAREPROF_WARM-bareprof-$$}
	BAREPROF_WARM_FOLDER=$warm
	CCACHE_PATH=/usr/bin
	CCACHE_PREFIX=$warm/warm
	PATH=$warm/tools:$PATH
	export BAREPROF_WARM BAREPROF_WARM_FOLDER CCACHE_PATH CCACHE_PREFIX PATH
fi
# Python is Debian's, for which .ci/deps installs modules.
if [ -x /usr/bin/python3 ]; then
	mkdir -p build/tests/path
	ln -sf /usr/bin/python3 build/tests/path/python3
	PATH=$PWD/build/tests/path:$PATH
	export PATH
fi
