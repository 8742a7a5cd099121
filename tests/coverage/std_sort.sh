#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# std_sort.sh: up to LLVM 19, the order of branches in LCOV's text depends on std::sort() of libstdc++. Compares
# unstable_sort.c with it.
. "$(dirname "$0")/../lib.sh"

cxx=$(command -v g++ || command -v clang++) || {
	skip "std::sort: there is no C++ compiler"
	exit
}
check "std::sort: the test compiles" sh -c "gcc -std=c11 -O2 -Wall -Wextra -Wconversion -Werror -c -o '$WORK/sort.o' \
	host-tools/lib/coverage/unstable_sort.c && $cxx -std=c++17 -O2 -Wall -Wextra -Werror -iquote host-tools/lib/coverage \
	-o '$WORK/std_sort' tests/coverage/std_sort.cc '$WORK/sort.o'"
"$WORK/std_sort" || not_ok "std::sort: the program ended with status $?"
