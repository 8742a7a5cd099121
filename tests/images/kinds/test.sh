#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kinds - tests every kind of instrumentation that clang has (qemu/kinds.mk) on the boards. The demo kernel's profile
# must be the same as the profile that compiler-rt writes when the same kernel runs as a Linux program. The test
# compares counts, values by name, bitmaps, MC/DC, and the order of functions.
#
# With BAREPROF_WIDE=1, every compiler that has a kind is tested on every board, with both optimization levels.
# Otherwise, every kind is tested with one compiler and one level on one board.
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
if [ -n "${BAREPROF_WIDE-}$subset" ]; then
	for kind in $kinds; do
		for v in $(compilers "$kind"); do
			for opt in $(at "$kind"); do
				echo "$v $kind $opt $(echo "$boards" | tr ' ' ,)"
			done
		done
	done
else
	# Jobs that have compiler, level and board in common share the objects that are not instrumented.
	while read -r v line; do
		case " $llvm " in *" $v "*) echo "$v $line" ;; esac
	done <<END
22 mcdc -O2 aarch64
19 bytes -O2 mps2-an385
22 values -O2 x86_64
19 vtables -O2 mps2-an385
14 entries -O2 armv7a-thumb
19 blocks -O2 mps2-an385
22 temporal -O2 armv7a
22 cs -O2 x86_64
22 entry-first -O0 aarch64
22 loop-entries -O2 x86_64
22 relocation -O0 aarch64
22 sampled -O2 armv7a
END
fi >"$WORK/plan"
# With clang 16, the runtime must write to records. This is tested on boards on which records are usually in flash.
case "$subset $llvm " in " "*" 16 "*) [ -z "${BAREPROF_WIDE-}" ] && echo "16 values -O2 lm3s6965evb" || echo "16 values -Os lm3s6965evb,mps2-an385" ;; esac >>"$WORK/plan"

# Without BAREPROF_WIDE=1, only some files of the kernel are instrumented: the work for the kinds, and what it needs.
# This is enough, because tests/images/matrix compares the counts of all files.
if [ -z "${BAREPROF_WIDE-}$subset" ]; then
	KINDS_PLAIN=$(ls qemu/demo/*.c | grep -v -e /cov -e /mip -e /sample -e /send -e /idle -e /share \
		-e /shell.c -e /selftest.c -e /strings.c -e /format.c -e /test_strings.c | tr '\n' ' ')
	export KINDS_PLAIN
fi

run_plan tests/images/kinds/one.sh

planned=$(awk '{ n += split($4, board, ",") } END { print n }' "$WORK/plan")
check "all $planned planned combinations agree" sh -c "[ \"\$(cat '$WORK'/*/agreed | wc -l)\" -eq $planned ]"

cat "$WORK"/*/excused >"$WORK/excused" 2>/dev/null
[ ! -s "$WORK/excused" ] || sed '1i\
Functions that are excused because their control flow graph differs on the board:
s/^/* /' "$WORK/excused"
