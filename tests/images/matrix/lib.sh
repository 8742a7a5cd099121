# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - what matrix.sh and kinds.sh share, and their *_one.sh: build the hosted
# twin and an image for every board, and compare what they counted. To be sourced, by the
# latter with $llvm, $kind, $opt, $dir and $commands set. MATRIX_MORE and MATRIX_EXTRA are
# more files and options for the kernel, MATRIX_USE a profile to use.
# shellcheck shell=sh disable=SC2154

# clangs: those of $llvm that are here, in $have.
clangs() {
	have=
	for v in $llvm; do
		if command -v "clang-$v" >/dev/null && command -v "ld.lld-$v" >/dev/null; then
			have="$have $v"
		else
			skip "objects of clang $v: clang-$v and lld-$v are not both here"
		fi
	done
}

# run_plan SCRIPT: a job for each line of the plan: compiler, kind, optimisation, boards and
# more. Longest first, so that no processor idles at the end; what they say, in order.
run_plan() {
	awk '{ print NF, length($4), $0 }' "$WORK/plan" | sort -k1,1nr -k2,2nr | cut -d' ' -f3- |
		xargs -P"${MATRIX_JOBS:-2}" -L1 sh "$1"
	while read -r v kind opt _; do
		cat "$WORK/$v-$kind$opt/said"
	done <"$WORK/plan"
}

# How many functions of an image may have another control flow graph than in the twin.
percent=2

# sorted FILE COMMAND...: what the command prints, in order; it has to print something.
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

# report NAME PROGRAM: what llvm-cov makes of program and profile.
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

# Front-end profiles, for which llvm-cov has reports.
covers() { case $kind in coverage | mcdc | bytes) ;; *) false ;; esac }

twin() {
	make -s -f tests/images/hosted/hosted.mk OUT="$dir/hosted" LLVM="$llvm" KIND="$kind" OPT="$opt" \
		MORE_SOURCES="${MATRIX_MORE-}" EXTRA="${MATRIX_EXTRA-}" USE="${MATRIX_USE-}" &&
		run_twin hosted "$commands" &&
		if covers; then report "$dir/hosted" "$dir/hosted/twin"; fi
}

folder() {
	if [ -d "qemu/$1" ]; then echo "$1"; else echo "${1%-*}"; fi
}

# image BOARD [VARIABLE=VALUE]: in $dir/BOARD. A BOARD of the matrix may have a word
# for its board.mk: armv7a-thumb.
image() {
	board=$1
	shift
	case $board in
	armv7a-*) set -- ARM_STATE="${board#*-}" "$@" ;;
	esac
	make -s image BOARD="$(folder "$board")" LLVM="$llvm" KIND="$kind" OPT="$opt" OUT="$dir/$board" \
		MORE_SOURCES="${MATRIX_MORE-}" EXTRA="${MATRIX_EXTRA-}" USE="${MATRIX_USE-}" "$@" >/dev/null
}

# same BOARD NAME: compare with the twin; the last line printed says how much that was.
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
	echo "$(wc -l <"$2.counts") functions, reports alike"
}

say() {
	if [ "$1" -eq 0 ]; then
		echo "ok - $2: $(tail -n 1 "$3")"
	else
		echo "not ok - $2"
		sed 's/^/    /' "$3"
	fi
}

# A comparison that sees no difference would say all this too: the twin is given a command more.
sees() {
	more=$(printf '%s' "$commands" | sed 's/memory now/&\\nrace stop/')
	if ! run_twin more "$more" || same "${boards%% *}" "$dir/more" >"$dir/more.log" 2>&1; then
		say 1 "$what: a command more is not noticed" "$dir/more.log"
	fi
}
