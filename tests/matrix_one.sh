#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# matrix_one.sh LLVM KIND OPT [RUNTIME...] - one combination of matrix.sh: build
# the hosted twin and an image for every board, give all the same commands, and
# compare what they counted. RUNTIMEs are compilers (gcc or a clang's number)
# that build the runtime alone, once more each.
llvm=$1
kind=$2
opt=$3
shift 3
dir=$WORK/$llvm-$kind$opt
mkdir -p "$dir"

# Some of everything: tests, errors, an interrupt, a reset, then counts that add up.
commands='test\ncov reset\nhelp\nmemory now\nwhat\ntest\ntest ring\nsleep 2\ncov dump\nexit\n'

show() {
	"llvm-profdata-$llvm" merge -o "$1.profdata" "$1.profraw" &&
		"llvm-profdata-$llvm" show --all-functions --counts "$1.profdata" >"$1.counts"
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
	make -s -f tests/hosted/hosted.mk OUT="$dir/hosted" LLVM="$llvm" KIND="$kind" OPT="$opt" &&
		run_twin hosted "$commands" &&
		if [ "$kind" = coverage ]; then report "$dir/hosted" "$dir/hosted/twin"; fi
}

folder() {
	if [ -d "qemu/$1" ]; then echo "$1"; else echo "${1%-*}"; fi
}

# boot BOARD NAME [VARIABLE=VALUE]: an image, and its profile by way of the
# console. A BOARD of the matrix may have a word for its board.mk: armv7a-thumb.
boot() {
	board=$1
	name=$2
	shift 2
	case $board in
	armv7a-*) set -- ARM_STATE="${board#*-}" "$@" ;;
	esac
	make -s image BOARD="$(folder "$board")" LLVM="$llvm" KIND="$kind" OPT="$opt" OUT="$dir/$board" "$@" >/dev/null &&
		"$BAREPROF" run --board "$(folder "$board")" --send "$commands" -o "$name.profraw" "$dir/$board/kernel.elf" \
			>"$name.console" &&
		show "$name"
}

# same_ir NAME NAME: the same functions, each with the same counts. Hashes may
# differ: in IR profiles the passes before ask the target what is cheap.
same_ir() {
	awk '
		function note() {
			if (name != "") {
				hash[FILENAME, name] = h
				counts[FILENAME, name] = c
				names[name]
			}
			name = ""
		}
		FNR == 1 { note(); file[++files] = FILENAME }
		/^  [^ ].*:$/ { note(); name = substr($1, 1, length($1) - 1); c = ""; next }
		/^    Hash:/ { h = $2; next }
		/^    / { c = c $0; next }
		{ note() }
		END {
			note()
			for (n in names) {
				if (!((file[1], n) in hash) || !((file[2], n) in hash)) {
					print n ": in one of the profiles only"
					bad = 1
				} else if (counts[file[1], n] == counts[file[2], n]) {
					same++
				} else {
					print n ": other counts, " (hash[file[1], n] == hash[file[2], n] ? "same" : "and other") " hash"
					bad = 1
				}
			}
			print same + 0 " functions"
			exit bad || !same
		}' "$1.counts" "$2.counts"
}

# same BOARD NAME: compare with the twin; the last line printed says how much that was.
same() {
	if [ "$kind" = irpgo ]; then
		same_ir "$dir/hosted" "$2"
		return
	fi
	report "$2" "$dir/$1/kernel.elf" || return
	for part in counts report source json; do
		cmp "$dir/hosted.$part" "$2.$part" || return
	done
	echo "$(grep -c 'Function count' "$2.counts") functions, reports alike"
}

say() {
	if [ "$1" -eq 0 ]; then
		echo "ok - $2: $(tail -n 1 "$3")"
	else
		echo "not ok - $2"
		sed 's/^/    /' "$3"
	fi
}

what="clang $llvm $kind $opt"
log=$dir/hosted.log
if ! twin >"$log" 2>&1; then
	say 1 "$what, hosted" "$log"
	exit 0
fi
for board in $MATRIX_BOARD; do
	case " $MATRIX_FOREIGN " in
	*" $board "*) runtimes=$* ;;
	*) runtimes= ;;
	esac
	# shellcheck disable=SC2086
	for runtime in '' $runtimes; do
		name=$dir/$board${runtime:+-$runtime}
		case $runtime in
		'') cc= ;;
		gcc) cc=RUNTIME_CC=gcc ;;
		*) cc=RUNTIME_CC=clang-$runtime ;;
		esac
		{ boot "$board" "$name" ${cc:+"$cc"} && same "$board" "$name"; } >"$name.log" 2>&1
		say $? "$board, $what${cc:+, runtime by ${cc#*=}}" "$name.log"
	done
done

# A comparison that sees no difference would say all this too.
more=$(printf '%s' "$commands" | sed 's/memory now/&\\nmemory now/')
if ! run_twin more "$more" || same "${MATRIX_BOARD%% *}" "$dir/more" >"$dir/more.log" 2>&1; then
	say 1 "$what: a command more is not noticed" "$dir/more.log"
fi
rm -f "$dir"/*.json
