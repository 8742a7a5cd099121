# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - functions for four scripts: test.sh and one.sh in matrix/, and test.sh and one.sh in kinds/. The functions
# build the hosted program and an image for every board, and compare the counts of the program with the counts of the
# images. Each one.sh sets $llvm, $kind, $opt, $dir and $commands before it sources this file. MATRIX_MORE and
# MATRIX_EXTRA are additional source files and options for the kernel. MATRIX_PLAIN has files that are not instrumented.
# MATRIX_USE is a profile with which the kernel is
# compiled.
# shellcheck shell=sh disable=SC2154

# clangs: sets $have to the releases in $llvm that are installed.
clangs() {
	have=
	for v in $llvm; do
		if command -v "clang-$v" >/dev/null && command -v "ld.lld-$v" >/dev/null; then
			have="$have $v"
		else
			skip "objects of clang $v: install clang-$v and lld-$v"
		fi
	done
}

# run_plan SCRIPT: runs a job for each line of the plan. A line has the compiler, kind, optimization level, boards and
# further arguments of SCRIPT. The longest jobs start first, so that no CPU idles at the end. The output of the jobs
# is printed in the order of the plan.
run_plan() {
	awk '{ print NF, length($4), $0 }' "$WORK/plan" | sort -k1,1nr -k2,2nr | cut -d' ' -f3- |
		xargs -P"${MATRIX_JOBS:-2}" -L1 sh "$1"
	while read -r v kind opt _; do
		cat "$WORK/$v-$kind$opt/said"
	done <"$WORK/plan"
}

# The maximum percentage of functions whose control flow graph in an image may differ from the graph in the hosted
# program.
percent=2

# sorted FILE COMMAND...: stores the sorted output of COMMAND in FILE. The output must not be empty.
sorted() {
	sorted=$1
	shift
	"$@" >"$sorted.unsorted" && LC_ALL=C sort "$sorted.unsorted" >"$sorted" && [ -s "$sorted" ]
}

show() {
	"llvm-profdata-$llvm" merge -o "$1.profdata" "$1.profraw" &&
		"llvm-profdata-$llvm" merge -text -o "$1.text" "$1.profdata" &&
		sorted "$1.counts" awk -f tests/images/matrix/counts.awk "$1.text"
}

# report NAME PROGRAM: stores llvm-cov's reports of PROGRAM with the profile NAME.
report() {
	# shellcheck disable=SC2046
	"llvm-cov-$llvm" report $([ "$kind" != mcdc ] || echo --show-mcdc-summary) "$2" "-instr-profile=$1.profdata" >"$1.report" &&
		"llvm-cov-$llvm" show "$2" "-instr-profile=$1.profdata" >"$1.source" &&
		"llvm-cov-$llvm" export "$2" "-instr-profile=$1.profdata" >"$1.json" &&
		[ -s "$1.report" ]
}

run_twin() {
	printf '%b' "$2" | LLVM_PROFILE_FILE="$dir/$1.profraw" "$dir/hosted/twin" >"$dir/$1.console" && show "$dir/$1"
}

# covers: succeeds for front-end profiles. llvm-cov has reports only for these.
covers() { case $kind in coverage | mcdc | bytes) ;; *) false ;; esac }

twin() {
	make -s -f tests/images/hosted/hosted.mk OUT="$dir/hosted" LLVM="$llvm" KIND="$kind" OPT="$opt" \
		MORE_SOURCES="${MATRIX_MORE-}" MORE_PLAIN="${MATRIX_PLAIN-}" EXTRA="${MATRIX_EXTRA-}" USE="${MATRIX_USE-}" &&
		run_twin hosted "$commands" &&
		if covers; then report "$dir/hosted" "$dir/hosted/twin"; fi
}

folder() {
	if [ -d "qemu/$1" ]; then echo "$1"; else echo "${1%-*}"; fi
}

# image BOARD [VARIABLE=VALUE]: builds an image in $dir/BOARD. BOARD may have a suffix that selects a variant in the
# board's board.mk, as in armv7a-thumb.
image() {
	board=$1
	shift
	case $board in
	armv7a-*) set -- ARM_STATE="${board#*-}" "$@" ;;
	esac
	make -s image BOARD="$(folder "$board")" LLVM="$llvm" KIND="$kind" OPT="$opt" OUT="$dir/$board" \
		MORE_SOURCES="${MATRIX_MORE-}" MORE_PLAIN="${MATRIX_PLAIN-}" EXTRA="${MATRIX_EXTRA-}" USE="${MATRIX_USE-}" "$@" >/dev/null
}

# same BOARD NAME: compares the counts of BOARD with those of the hosted program. The last line of the output has the
# number of functions that were compared.
same() {
	if ! covers; then
		awk -v limit=$percent -v excuses="$2.excused" -f tests/images/matrix/same.awk "$dir/hosted.counts" "$2.counts"
		return
	fi
	awk -f tests/images/matrix/same.awk "$dir/hosted.counts" "$2.counts" || return
	report "$2" "$dir/$1/kernel.elf" || return
	for part in text report source json; do
		cmp "$dir/hosted.$part" "$2.$part" || return
	done
	echo "$(wc -l <"$2.counts") functions, the same reports"
}

say() {
	if [ "$1" -eq 0 ]; then
		echo "ok - $2: $(tail -n 1 "$3")"
	else
		echo "not ok - $2"
		sed 's/^/    /' "$3"
	fi
}

# sees: proves that the comparison notices differences. The hosted program gets an additional command, and then the
# comparison must fail.
sees() {
	more=$(printf '%s' "$commands" | sed 's/memory now/&\\nrace stop/')
	if ! run_twin more "$more" || same "${boards%% *}" "$dir/more" >"$dir/more.log" 2>&1; then
		say 1 "$what: an additional command is not noticed" "$dir/more.log"
	fi
}
