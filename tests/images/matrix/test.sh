#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix - compiles the demo kernel with every compiler for every board. Its profile must be the same as the profile
# that compiler-rt writes for the same kernel as a Linux program: the same functions, the same counts, the same coverage
# report. At the end, the script prints the table that README.md shows.
#
# With BAREPROF_WIDE=1, all combinations run. Otherwise, the newest compiler is tested on every board, and one compiler
# for each older raw version on one board. Each of these images has one kind and one optimization level. One compiler
# for each raw version is enough, because compilers with the same raw version make the same records, and tests/images/kinds compares images of clang 14
# and 19 in the same way. The variables MATRIX_BOARD, MATRIX_LLVM, MATRIX_KIND and MATRIX_OPT select a subset. In most
# images, one compiler compiles both the objects and the runtime. In others, a compiler from MATRIX_RUNTIME compiles the
# runtime. These five variables are lists with blanks between the entries. MATRIX_JOBS is the number of jobs that run at
# the same time. armv7a-thumb is the board armv7a with its kernel in Thumb state.
. "$(dirname "$0")/../../lib.sh"
. tests/images/matrix/lib.sh

boards=${MATRIX_BOARD-x86_64 aarch64 armv7a armv7a-thumb mps2-an385 lm3s6965evb}
llvm=${MATRIX_LLVM-13 14 15 16 19 22}
kinds=${MATRIX_KIND-coverage irpgo}
opts=${MATRIX_OPT--O0 -O2}
runtimes=${MATRIX_RUNTIME-gcc 13 14 15 16 19 22}
subset=${MATRIX_BOARD+x}${MATRIX_LLVM+x}${MATRIX_KIND+x}${MATRIX_OPT+x}
wide=${BAREPROF_WIDE-}

# The following variables are for combinations in which one compiler compiles the objects, and another compiler
# compiles the runtime.
# - $foreign_boards has the boards on which these combinations run. If MATRIX_BOARD or BAREPROF_WIDE is set, each
#   combination runs on all boards in $boards. Otherwise $foreign_boards has two boards. Each combination runs on that
#   of the two for which the objects exist. (All boards with a Cortex-M have the same objects.)
# - $foreign has the compilers of the objects. If BAREPROF_WIDE is set, these are all compilers. Otherwise there is one
#   compiler for each raw version.
# - $foreign_pairs has pairs OBJECTS/RUNTIME of compilers. Only these pairs are tested if neither BAREPROF_WIDE nor a
#   selection is set.
foreign_pairs="13/19 16/gcc 16/22 22/13"
foreign_boards="x86_64 mps2-an385"
[ -z "${MATRIX_BOARD-}$wide" ] || foreign_boards=$boards
foreign=${wide:+$llvm}
foreign=${foreign:-13 16 22}
export BAREPROF WORK DROP_IN

clangs

# boards_of LLVM KIND OPT: prints the boards on which this combination runs, separated by commas.
boards_of() {
	if [ -n "$wide$subset" ]; then
		echo "$boards" | tr ' ' ,
	else
		case $1-$2-$3 in
		13-coverage--O2) echo x86_64 ;;
		16-coverage--O2) echo lm3s6965evb ;;
		"${llvm##* }"-coverage--O2) echo x86_64,armv7a,mps2-an385 ;;
		"${llvm##* }"-irpgo--O0) echo aarch64,armv7a-thumb,lm3s6965evb ;;
		esac
	fi
}

# The plan has one line for each job. A line has the compiler, the kind, the optimization level and the boards. After
# them comes a word BOARD/COMPILER for each image whose runtime another COMPILER compiles.
for v in $have; do
	for kind in $kinds; do
		for opt in $opts; do
			on=$(boards_of "$v" "$kind" "$opt")
			[ -n "$on" ] || continue
			others=
			if [ "$kind" = coverage ] && echo " $foreign " | grep -q " $v " && { [ -z "$wide$subset" ] || [ "$opt" = -O2 ]; }; then
				for r in $runtimes; do
					[ "$r" = "$v" ] && continue
					[ -n "$wide$subset" ] || case " $foreign_pairs " in *" $v/$r "*) ;; *) continue ;; esac
					[ "$r" = gcc ] || command -v "clang-$r" >/dev/null || continue
					for board in $foreign_boards; do
						[ -n "$wide${MATRIX_BOARD-}" ] || case $v-$board in
						16-x86_64 | 13-mps2-an385 | 22-mps2-an385) continue ;;
						esac
						others="$others $board/$r"
					done
				done
			fi
			echo "$v $kind $opt $on$others"
		done
	done
done >"$WORK/plan"

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
		echo "Every function has the same control flow graph on the target as in the Linux program, so the counts of all functions are compared."
	fi
} >>"$WORK/table"

# README.md shows the table of a run of all combinations. For a partial run, each cell in which all combinations agree
# is replaced by the cell that a full run would print, and so is each cell that the partial run leaves out.
readme() {
	sed -n '/^<!-- matrix -->$/,/^<!-- \/matrix -->$/p' README.md | sed '1d;$d' >"$WORK/readme"
	full=$(for kind in $kinds; do for opt in $opts; do echo; done; done | wc -l)
	sed -e "s#| \([0-9]*\)/\1 #| $full/$full #g" -e "s#| not run #| $full/$full #g" "$WORK/table" | diff - "$WORK/readme"
}
if [ "$have" != " $llvm" ]; then
	skip "README's table: not all compilers are installed"
elif [ -z "$subset" ]; then
	check "README.md shows this table" readme
fi
cat "$WORK/table"
