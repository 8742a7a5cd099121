#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kinds - tests every kind of instrumentation that clang has (qemu/kinds.mk) on the boards. The demo kernel's profile
# must be the same as the profile that compiler-rt writes when the same kernel runs as a Linux program. The test
# compares counts, values by name, bitmaps, MC/DC, and the order of functions.
#
# With BAREPROF_WIDE=1, every compiler that has a kind is tested on every board, with both optimization levels.
# Otherwise, every kind is tested with one compiler and one level on one board. Compiler, level and board change from
# kind to kind.
# KINDS_KIND, KINDS_LLVM, KINDS_BOARD and KINDS_OPT select a subset; each is a list, separated by blanks. MATRIX_JOBS is
# the number of jobs that run at the same time.
. "$(dirname "$0")/../../lib.sh"
. tests/images/matrix/lib.sh

boards=${KINDS_BOARD-x86_64 aarch64 armv7a armv7a-thumb mps2-an385}
llvm=${KINDS_LLVM-13 14 15 16 19 22}
kinds=${KINDS_KIND-mcdc bytes values vtables entries blocks temporal cs entry-first loop-entries relocation sampled}
opts=${KINDS_OPT--O2 -O0}
subset=${KINDS_BOARD+x}${KINDS_LLVM+x}${KINDS_KIND+x}${KINDS_OPT+x}
export BAREPROF WORK DROP_IN

# compilers KIND: prints the releases in $llvm that have this kind.
compilers() {
	case $1 in
	loop-entries) all="22" ;;
	entries) all="14 15 16 19 22" ;;
	# Code that clang 13 and 14 compile with the kind relocation crashes, also in the
	# hosted program.
	relocation) all="15 16 19 22" ;;
	values | cs | entry-first) all="13 14 15 16 19 22" ;;
	*) all="19 22" ;;
	esac
	for v in $llvm; do
		case " $all " in *" $v "*) echo "$v" ;; esac
	done
}

# at KIND: prints the optimization levels to test. The kind cs is tested with -O2 only, because it counts after
# inlining.
at() { if [ "$1" = cs ]; then echo -O2; else echo "$opts"; fi; }

clangs
llvm=$have

# The plan has one line for each job: compiler, kind, optimization level, boards.
turn=0
for kind in $kinds; do
	if [ -n "${BAREPROF_WIDE-}$subset" ]; then
		for v in $(compilers "$kind"); do
			for opt in $(at "$kind"); do
				echo "$v $kind $opt $(echo "$boards" | tr ' ' ,)"
			done
		done
	else
		turn=$((turn + 1))
		echo "$turn/$kind/$(compilers "$kind" | tr '\n' ' ')/$boards/$(at "$kind")" | awk -F/ '{
			c = split($3, compiler, " "); b = split($4, board, " "); o = split($5, opt, " ")
			if (c)
				print compiler[$1 % c + 1], $2, opt[$1 % o + 1], board[$1 % b + 1]
		}'
	fi
done >"$WORK/plan"
# With clang 16, the runtime must write to records. This is tested on boards on which records are usually in flash.
case "$subset $llvm " in " "*" 16 "*) echo "16 values -Os lm3s6965evb${BAREPROF_WIDE:+,mps2-an385}" >>"$WORK/plan" ;; esac

run_plan tests/images/kinds/one.sh

planned=$(awk '{ n += split($4, board, ",") } END { print n }' "$WORK/plan")
check "all $planned planned combinations agree" sh -c "[ \"\$(cat '$WORK'/*/agreed | wc -l)\" -eq $planned ]"

cat "$WORK"/*/excused >"$WORK/excused" 2>/dev/null
[ ! -s "$WORK/excused" ] || sed '1i\
Functions that are excused because their control flow graph differs on the board:
s/^/* /' "$WORK/excused"
