#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix_excuses.sh: what matrix.sh says of functions whose control flow graph
# is another on a board than in the hosted twin. The demo kernel has none, so
# here it gets some.
. "$(dirname "$0")/../lib.sh"

MATRIX_MORE=tests/images/hosted/differs.c
MATRIX_SEND='memory now\ntest\ncov dump\nexit\n'
export WORK BAREPROF MATRIX_MORE MATRIX_SEND
board=mps2-an385
all=$WORK

# combination FUNCTIONS KIND LLVM: what the matrix says with so many of them.
combination() {
	WORK=$all/$1
	MATRIX_EXTRA=-DDIFFERS=$1 sh tests/images/matrix/one.sh "$3" "$2" -O2 $board
	dir=$WORK/$3-$2-O2
	WORK=$all
}

make -s linker || exit 1
for llvm in 13 22; do
	combination 1 irpgo $llvm
	check "clang $llvm: one function is excused" \
		grep -Eq "^ok - $board, clang $llvm irpgo -O2: [0-9]+ functions, 1 excused$" "$dir/said"
	check "clang $llvm: and named, with both hashes" \
		grep -Eq "^$board, clang $llvm irpgo -O2: .*differs\.c[:;]first: graph [0-9]+, hosted [0-9]+$" "$dir/excused"
	check "clang $llvm: its counts are those in memory" grep -Eq '[:;]first [0-9]+( [0-9]+)+$' "$dir/$board.memory"

	combination 2 irpgo $llvm
	check "clang $llvm: two functions are too many" grep -q "^not ok - $board, clang $llvm irpgo -O2$" "$dir/said"
	check "clang $llvm: which is said" grep -q '2 of .* functions have another graph here: more than 2 %' "$dir/said"
	check "clang $llvm: and the table has no such combination" test ! -e "$dir/agreed"
done

combination 1 coverage 22
check "no function is excused in source coverage" grep -q '^not ok' "$dir/said"
check "which is said of it" grep -q 'differs.c:first: other counts' "$dir/said"
