#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix_excuses.sh: tests what the matrix reports about functions whose control flow graph on a board differs from the
# graph in the hosted program. The demo kernel has no such functions, so this test adds some.
. "$(dirname "$0")/../lib.sh"

MATRIX_MORE=tests/images/hosted/differs.c
MATRIX_SEND='memory now\ntest\ncov dump\nexit\n'
export WORK BAREPROF DROP_IN MATRIX_MORE MATRIX_SEND
board=mps2-an385
all=$WORK

# combination FUNCTIONS KIND LLVM: runs one combination of the matrix. FUNCTIONS is the number of functions whose
# control flow graph differs.
combination() {
	WORK=$all/$1
	MATRIX_EXTRA=-DDIFFERS=$1 sh tests/images/matrix/one.sh "$3" "$2" -O2 $board
	dir=$WORK/$3-$2-O2
	WORK=$all
}

make -s linker || exit 1
for llvm in 13 ${BAREPROF_WIDE:+22}; do
	combination 1 irpgo $llvm
	check "clang $llvm: one function is excused" \
		grep -Eq "^ok - $board, clang $llvm irpgo -O2: [0-9]+ functions, 1 excused$" "$dir/said"
	check "clang $llvm: it is named with both hashes" \
		grep -Eq "^$board, clang $llvm irpgo -O2: .*differs\.c[:;]first: graph [0-9]+, hosted [0-9]+$" "$dir/excused"
	check "clang $llvm: its counts are those in memory" grep -Eq '[:;]first [0-9]+( [0-9]+)+$' "$dir/$board.memory"

	combination 2 irpgo $llvm
	check "clang $llvm: two functions are too many" grep -q "^not ok - $board, clang $llvm irpgo -O2$" "$dir/said"
	check "clang $llvm: a message says so" grep -q '2 of .* functions have a different graph here: more than 2 %' "$dir/said"
	check "clang $llvm: the table does not count this combination" test ! -e "$dir/agreed"
done

combination 1 coverage 22
check "no function is excused in source coverage" grep -q '^not ok' "$dir/said"
check "a message names the function" grep -q 'differs.c:first: other counts' "$dir/said"
