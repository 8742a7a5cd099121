# SPDX-License-Identifier: BSD-2-Clause
# path.sh - selects the tools for the tests. Scripts source this file. Many tests build the same image, so images and
# hosted programs are compiled through ccache, if it is installed. ccache identifies an object by the compiler, its
# options, and the content of all files that the compiler reads. The cache is in build/tests/ccache and not in build/
# itself, because tests add build/ to PATH. COMPILER_CACHE= disables ccache.
# shellcheck shell=sh
if command -v ccache >/dev/null; then
	COMPILER_CACHE=${COMPILER_CACHE-$(command -v ccache)}
	CCACHE_DIR=${CCACHE_DIR:-$PWD/build/tests/ccache}
	# All makefiles compile with -MMD, so ccache can use the list of files in place of the preprocessor's output.
	CCACHE_DEPEND=1
	export COMPILER_CACHE CCACHE_DIR CCACHE_DEPEND
fi
# Compilers that were started in advance compile the files: see tests/warm/warm.h. ccache must find the installed
# compilers, so it searches /usr/bin.
warm=$PWD/build/warm
if [ -x "$warm/warm" ]; then
	BAREPROF_WARM=${BAREPROF_WARM-bareprof-$$}
	BAREPROF_WARM_FOLDER=$warm
	CCACHE_PATH=/usr/bin
	CCACHE_PREFIX=$warm/warm
	PATH=$warm/tools:$PATH
	export BAREPROF_WARM BAREPROF_WARM_FOLDER CCACHE_PATH CCACHE_PREFIX PATH
fi
mkdir -p build/tests/path
# GNU nm lets a plugin of each installed LLVM read each object, which takes 0.1 s. Kbuild calls nm for each object. With
# a target, nm loads no plugin.
if [ "$(uname -m)" = x86_64 ]; then
	printf '#!/bin/sh\nexec /usr/bin/nm --target=elf64-x86-64 "$@"\n' >build/tests/path/nm.$$
	chmod +x build/tests/path/nm.$$
	mv build/tests/path/nm.$$ build/tests/path/nm
fi
# Tests need Debian's Python, because .ci/deps installs Python modules only for it.
if [ -x /usr/bin/python3 ]; then
	ln -sf /usr/bin/python3 build/tests/path/python3
fi
PATH=$PWD/build/tests/path:$PATH
export PATH
