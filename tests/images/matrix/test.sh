#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix - the demo kernel's profile from every board, compiled by every compiler, is the same as
# the one that compiler-rt writes for the same kernel as a Linux program: the same functions,
# the same counts, the same coverage report. The last output is the table that README.md
# shows.
#
# With BAREPROF_WIDE=1 all combinations run. Otherwise every compiler runs on every board, with
# a kind and an optimization that change from one to the next, so that every board has every
# kind with every optimization. Variables select a subset; all of them are lists, separated by
# blanks: MATRIX_BOARD, MATRIX_LLVM, MATRIX_KIND, MATRIX_OPT, and MATRIX_RUNTIME for the
# compilers of the runtime, in addition to the compiler of the objects. MATRIX_JOBS is how many
# jobs run at a time. armv7a-thumb is the board armv7a with its kernel in Thumb state.
. "$(dirname "$0")/../../lib.sh"
. tests/images/matrix/lib.sh

boards=${MATRIX_BOARD-x86_64 aarch64 armv7a armv7a-thumb mps2-an385 lm3s6965evb}
llvm=${MATRIX_LLVM-13 14 15 16 19 22}
kinds=${MATRIX_KIND-coverage irpgo}
opts=${MATRIX_OPT--O0 -O2}
runtimes=${MATRIX_RUNTIME-gcc 13 14 15 16 19 22}
subset=${MATRIX_BOARD+x}${MATRIX_LLVM+x}${MATRIX_KIND+x}${MATRIX_OPT+x}
wide=${BAREPROF_WIDE-}

# Runtimes by other compilers run on all boards only if boards are selected or with BAREPROF_WIDE.
# Otherwise the objects come from one compiler for each raw version only, and each runtime runs on
# one of two boards.
foreign_boards="x86_64 mps2-an385"
[ -z "${MATRIX_BOARD-}$wide" ] || foreign_boards=$boards
foreign=${wide:+$llvm}
foreign=${foreign:-13 16 22}
export BAREPROF WORK

clangs

# boards_of LLVM KIND OPT: prints the boards on which this combination runs, separated by commas.
boards_of() {
	if [ -n "$wide$subset" ]; then
		echo "$boards" | tr ' ' ,
	else
		echo "$llvm/$kinds/$opts/$boards" | awk -F/ -v v="$1" -v k="$2" -v o="$3" '
			function place(list, word, n, i, a) {
				for (n = split(list, a, " "); i < n && a[i] != word; )
					i++
				return i
			}
			{
				n = split($4, board, " ")
				v = place($1, v)
				k = place($2, k)
				for (i = 1; i <= n; i++)
					if ((v + i + k) % 2 == 0 && (int(v / 2) + k + place($3, o)) % 2 == 0)
						line = line (line == "" ? "" : ",") board[i]
				print line
			}'
	fi
}

# One line for each job: compiler, kind, optimization, boards, and BOARD/COMPILER for each runtime
# by another compiler.
turn=0
for v in $have; do
	for kind in $kinds; do
		for opt in $opts; do
			on=$(boards_of "$v" "$kind" "$opt")
			[ -n "$on" ] || continue
			others=
			if [ "$kind" = coverage ] && echo " $foreign " | grep -q " $v " && { [ -z "$wide$subset" ] || [ "$opt" = -O2 ]; }; then
				for r in $runtimes; do
					[ "$r" = "$v" ] && continue
					[ "$r" = gcc ] || command -v "clang-$r" >/dev/null || continue
					turn=$((turn + 1))
					for board in $foreign_boards; do
						n=$((turn % 2))
						[ -n "$wide${MATRIX_BOARD-}" ] || [ "$board" = "$(echo $foreign_boards | cut -d' ' -f$((n + 1)))" ] || continue
						others="$others $board/$r"
					done
				done
			fi
			echo "$v $kind $opt $on$others"
		done
	done
done >"$WORK/plan"

# Images use the drop-in, one file to compile instead of thirty. Other tests (boards, rebuild, lean)
# link the runtime file by file.
MATRIX_DROPIN=$WORK/drop-in
export MATRIX_DROPIN
make -s linker && make -s drop-in DIR="$MATRIX_DROPIN" >/dev/null || exit 1
run_plan tests/images/matrix/one.sh

cat "$WORK"/*/agreed >"$WORK/agreed" 2>/dev/null
cat "$WORK"/*/excused >"$WORK/excused" 2>/dev/null
table() { awk -v llvm="$llvm" -v targets="$boards" -f tests/images/matrix/table.awk "$WORK/plan" "$WORK/agreed" >"$WORK/table"; }
check "all planned combinations agree" table
{
	echo
	if [ -s "$WORK/excused" ]; then
		echo "Functions that are excused because their control flow graph differs on the board:"
		echo
		sed 's/^/* /' "$WORK/excused"
	else
		echo "All functions are compared: none has a different control flow graph on the target."
	fi
} >>"$WORK/table"

# README.md has the table of all combinations. In a partial run, a cell in which all combinations
# agree is replaced by the cell that a full run would print.
readme() {
	sed -n '/^<!-- matrix -->$/,/^<!-- \/matrix -->$/p' README.md | sed '1d;$d' >"$WORK/readme"
	full=$(for kind in $kinds; do for opt in $opts; do echo; done; done | wc -l)
	sed "s#| \([0-9]*\)/\1 #| $full/$full #g" "$WORK/table" | diff - "$WORK/readme"
}
if [ "$have" != " $llvm" ]; then
	skip "README's table: not all compilers are installed"
elif [ -z "$subset" ]; then
	check "README.md shows this table" readme
fi
cat "$WORK/table"
