#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix_one.sh LLVM KIND OPT BOARD,... [RUNTIME...] - some combinations of
# matrix.sh: build the hosted twin and an image for every board, give all the
# same commands, and compare what they counted. RUNTIMEs are compilers (gcc or a
# clang's number) that build the runtime alone, once more each. MATRIX_SEND,
# MATRIX_MORE and MATRIX_EXTRA are other commands, and more to put into the kernel.
#
# Every board is asked twice for its counts in the same moment: by its dump, and
# by a look into its memory from outside. The dump is read twice, too: the second
# decoder was written from docs/SPEC.md alone.
llvm=$1
kind=$2
opt=$3
boards=$(echo "$4" | tr , ' ')
shift 4
# A short name: sockets are made there.
dir=${WORK#"$PWD"/}/$llvm-$kind$opt
mkdir -p "$dir"
exec >"$dir/said"

# Some of everything: tests, errors, an interrupt, a reset, then counts that add up.
commands='test\ncov reset\nhelp\nmemory now\nwhat\ntest\ntest ring\nsleep 2\ncov dump\nexit\n'
commands=${MATRIX_SEND:-$commands}
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
		sorted "$1.counts" awk -f tests/matrix/counts.awk "$1.text"
}

# report NAME PROGRAM: what llvm-cov makes of program and profile.
report() {
	"llvm-cov-$llvm" report "$2" "-instr-profile=$1.profdata" >"$1.report" &&
		"llvm-cov-$llvm" show "$2" "-instr-profile=$1.profdata" >"$1.source" &&
		"llvm-cov-$llvm" export "$2" "-instr-profile=$1.profdata" >"$1.json" &&
		[ -s "$1.report" ]
}

run_twin() {
	printf '%b' "$2" | LLVM_PROFILE_FILE="$dir/$1.profraw" "$dir/hosted/twin" >"$dir/$1.console" && show "$dir/$1"
}

twin() {
	make -s -f tests/hosted/hosted.mk OUT="$dir/hosted" LLVM="$llvm" KIND="$kind" OPT="$opt" \
		MORE_SOURCES="${MATRIX_MORE-}" EXTRA="${MATRIX_EXTRA-}" &&
		run_twin hosted "$commands" &&
		if [ "$kind" = coverage ]; then report "$dir/hosted" "$dir/hosted/twin"; fi
}

folder() {
	if [ -d "qemu/$1" ]; then echo "$1"; else echo "${1%-*}"; fi
}

# run FOLDER ELF NAME: boot, send the commands, and have the counts as dump and as memory.
run() {
	mkdir -p "$3.boards/$1"
	sed "s|{elf}|& -S -qmp unix:$3.qmp,server=on,wait=off -gdb unix:$3.gdb,server=on,wait=off|" \
		"qemu/$1/board.conf" >"$3.boards/$1/board.conf"
	rm -f "$3.witness"
	python3 tests/matrix/witness.py "$2" "$llvm" "$3" "$commands" "$3.witness" |
		BAREPROF_BOARDS=$3.boards "$BAREPROF" run --board "$1" --log "$3.sent" -o "$3.profraw" "$2" >"$3.console" &&
		python3 tests/capture/agrees.py "$3.profraw" "$3.sent" 1 &&
		show "$3" &&
		sorted "$3.memory" cat "$3.witness"
}

# boot BOARD NAME [VARIABLE=VALUE]: an image, and its counts. A BOARD of the
# matrix may have a word for its board.mk: armv7a-thumb.
boot() {
	board=$1
	name=$2
	shift 2
	case $board in
	armv7a-*) set -- ARM_STATE="${board#*-}" "$@" ;;
	esac
	make -s image BOARD="$(folder "$board")" LLVM="$llvm" KIND="$kind" OPT="$opt" OUT="$dir/$board" \
		MORE_SOURCES="${MATRIX_MORE-}" EXTRA="${MATRIX_EXTRA-}" "$@" >/dev/null &&
		run "$(folder "$board")" "$dir/$board/kernel.elf" "$name"
}

# same BOARD NAME: compare with the twin; the last line printed says how much that was.
same() {
	if [ "$kind" = irpgo ]; then
		awk -v limit=$percent -v excuses="$2.excused" -f tests/matrix/same.awk "$dir/hosted.counts" "$2.counts"
		return
	fi
	awk -f tests/matrix/same.awk "$dir/hosted.counts" "$2.counts" || return
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

# one BOARD WHAT [RUNTIME]: one combination, in one line.
one() {
	name=$dir/$1${3:+-$3}
	case ${3-} in
	'') cc= ;;
	gcc) cc=RUNTIME_CC=gcc ;;
	*) cc=RUNTIME_CC=clang-$3 ;;
	esac
	{
		boot "$1" "$name" ${cc:+"$cc"} &&
			diff "$name.counts" "$name.memory" &&
			same "$1" "$name"
	} >"$name.log" 2>&1
	status=$?
	say $status "$1, $2${cc:+, runtime by ${cc#*=}}" "$name.log"
	[ $status -eq 0 ] && [ -z "$cc" ] && echo "$llvm $1" >>"$dir/agreed"
	[ ! -e "$name.excused" ] || sed "s/^/$1, $2: /" "$name.excused" >>"$dir/excused"
}

what="clang $llvm $kind $opt"
log=$dir/hosted.log
if ! twin >"$log" 2>&1; then
	say 1 "$what, hosted" "$log"
	exit 0
fi
for board in $boards; do
	one "$board" "$what"
done
for runtime; do
	for board in $MATRIX_FOREIGN; do
		one "$board" "$what" "$runtime"
	done
done

# A comparison that sees no difference would say all this too.
more=$(printf '%s' "$commands" | sed 's/memory now/&\\nmemory now/')
if ! run_twin more "$more" || same "${boards%% *}" "$dir/more" >"$dir/more.log" 2>&1; then
	say 1 "$what: a command more is not noticed" "$dir/more.log"
fi
rm -f "$dir"/*.json
