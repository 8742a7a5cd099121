#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix.sh - the demo kernel's profile from every board, by every compiler, is
# what compiler-rt writes for the same kernel as a Linux program: the same
# functions, the same counts, the same coverage report.
#
# A subset is chosen by variables, all lists by spaces: MATRIX_BOARD,
# MATRIX_LLVM, MATRIX_KIND, MATRIX_OPT, and MATRIX_RUNTIME for who compiles the
# runtime besides the compiler of the objects. MATRIX_JOBS run at a time.
# armv7a-thumb is the board armv7a with its kernel in Thumb state.
. "$(dirname "$0")/lib.sh"

# Runtimes of other compilers on every board only where that was asked for.
if [ -n "${MATRIX_BOARD-}" ] || [ -n "${BAREPROF_WIDE-}" ]; then
	MATRIX_FOREIGN=
else
	MATRIX_FOREIGN="x86_64 mps2-an385"
fi
MATRIX_BOARD=${MATRIX_BOARD-x86_64 mps2-an385 aarch64 armv7a armv7a-thumb lm3s6965evb}
MATRIX_FOREIGN=${MATRIX_FOREIGN:-$MATRIX_BOARD}
llvm=${MATRIX_LLVM-13 14 15 16 19 22}
kinds=${MATRIX_KIND-coverage irpgo}
opts=${MATRIX_OPT--O0 -O2}
runtimes=${MATRIX_RUNTIME-gcc 13 14 15 16 19 22}
# Objects of these are read by runtimes of other compilers too: one of each raw
# version that the compilers above write.
foreign=${BAREPROF_WIDE:+$llvm}
foreign=${foreign:-13 16 22}
export MATRIX_BOARD MATRIX_FOREIGN BAREPROF WORK

have=
for v in $llvm; do
	if command -v "clang-$v" >/dev/null && command -v "ld.lld-$v" >/dev/null; then
		have="$have $v"
	else
		skip "objects of clang $v: clang-$v and lld-$v are not both here"
	fi
done

# One line a combination: compiler, kind, optimisation, other compilers of the runtime.
for v in $have; do
	for kind in $kinds; do
		for opt in $opts; do
			others=
			if [ "$kind$opt" = coverage-O2 ] && echo " $foreign " | grep -q " $v "; then
				for r in $runtimes; do
					[ "$r" = "$v" ] && continue
					[ "$r" = gcc ] || command -v "clang-$r" >/dev/null || continue
					others="$others $r"
				done
			fi
			echo "$v $kind $opt$others"
		done
	done
done >"$WORK/combinations"

make -s linker || exit 1
# Longest first, so that no processor idles at the end.
awk '{ print NF, $0 }' "$WORK/combinations" | sort -rn | cut -d' ' -f2- |
	xargs -P"${MATRIX_JOBS:-2}" -L1 sh tests/matrix_one.sh
