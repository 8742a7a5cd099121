#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# one.sh LLVM KIND OPT BOARD,... [BOARD/RUNTIME...] - runs some combinations of matrix/test.sh. It builds the hosted
# program and an image for every board, gives all of them the same commands, and compares their counts. A RUNTIME is a
# compiler (gcc or a release of clang). For each BOARD/RUNTIME, the image for BOARD is built once more, with the
# runtime compiled by RUNTIME. If MATRIX_SEND is set, the kernel gets these commands instead of the commands below.
# MATRIX_MORE has additional source files, and MATRIX_EXTRA has additional options.
#
# The counts of every board are read in two ways at the same moment: from its dump, and directly from the guest's
# memory. The dump is decoded twice: by bareprof, and by the decoder of the tests, which was written from docs/SPEC.md
# alone.
llvm=$1
kind=$2
opt=$3
boards=$(echo "$4" | tr , ' ')
shift 4
# The name of the folder is short, because sockets are created in it, and paths of sockets must be short.
dir=${WORK#"$PWD"/}/$llvm-$kind$opt
mkdir -p "$dir"
exec >"$dir/said"

# The commands use many parts of the kernel: tests, errors, an interrupt, a reset, and tests that count again after
# the reset.
commands='test\ncov reset\nhelp\nmemory now\nwhat\ntest\ntest ring\nsleep 2\ncov dump\nexit\n'
commands=${MATRIX_SEND:-$commands}
. tests/images/matrix/lib.sh

# run FOLDER ELF NAME: boots ELF, sends the commands, and stores the counts from the dump and from the memory.
run() {
	mkdir -p "$3.boards/$1"
	sed "s|{elf}|& -S -qmp unix:$3.qmp,server=on,wait=off -gdb unix:$3.gdb,server=on,wait=off|" \
		"qemu/$1/board.conf" >"$3.boards/$1/board.conf"
	rm -f "$3.witness"
	python3 tests/images/matrix/witness.py "$2" "$llvm" "$3" "$commands" "$3.witness" |
		BAREPROF_BOARDS=$3.boards "$BAREPROF" run --board "$1" --log "$3.sent" -o "$3.profraw" "$2" >"$3.console" &&
		python3 tests/capture/agrees.py "$3.profraw" "$3.sent" 1 &&
		show "$3" &&
		sorted "$3.memory" cat "$3.witness"
}

# boot BOARD NAME [VARIABLE=VALUE]: builds an image, boots it and stores its counts.
boot() {
	board=$1
	name=$2
	shift 2
	image "$board" DROPIN="$DROP_IN" "$@" && run "$(folder "$board")" "$dir/$board/kernel.elf" "$name"
}

# one BOARD WHAT [RUNTIME]: tests one combination, and prints one line.
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
for other; do
	one "${other%/*}" "$what" "${other#*/}"
done

sees
rm -f "$dir"/*.json
