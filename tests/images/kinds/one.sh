#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# one.sh LLVM KIND OPT BOARD,... - runs some combinations of kinds/test.sh. It builds the demo kernel, with work for
# this kind, as a hosted program and as an image for every board. All of them get the same commands, and LLVM's tools
# must print the same for all profiles. Each board sends two dumps: the whole profile, and a capture of counters and
# values. From the two dumps, the host must make the same file.
llvm=$1
kind=$2
opt=$3
boards=$(echo "$4" | tr , ' ')
dir=${WORK#"$PWD"/}/$llvm-$kind$opt
mkdir -p "$dir"
exec >"$dir/said"

# The commands do not contain `test smp`, which uses several CPUs. Chance decides which CPU calls a function first.
tests=
for test in kinds strings format ring alloc timer task; do tests="${tests}test $test\n"; done
commands="test kinds\ncov reset\nhelp\nmemory now\nwhat\n${tests}test kinds\nsleep 2\ncov both\nexit\n"
MATRIX_MORE=tests/images/kinds/kinds.c
MATRIX_EXTRA=-DDEMO_KINDS
MATRIX_PLAIN=${KINDS_PLAIN-}
set --
case $kind in
vtables)
	MATRIX_MORE="$MATRIX_MORE tests/images/kinds/vtables.cc"
	MATRIX_EXTRA="$MATRIX_EXTRA -DDEMO_VTABLES"
	;;
sampled) set -- MORE_PLAIN="$MATRIX_PLAIN tests/images/kinds/sampling.c" EXTRA="$MATRIX_EXTRA -femulated-tls" ;;
esac
. tests/images/matrix/lib.sh
# The kind cs counts code after inlining. So with this kind, more functions have a control flow graph that differs from
# the graph in the hosted program. Up to 5 percent of the functions may differ.
[ "$kind" != cs ] || percent=5

# variant: prints the variant bits of this kind. They are in the two highest bytes of the version word, and the lower of
# these bytes comes first.
variant() {
	case $kind in
	coverage | mcdc) echo 00 00 ;;
	bytes) echo 00 10 ;;
	entries) echo 00 31 ;;
	blocks) echo 00 11 ;;
	entry-first) echo 00 05 ;;
	loop-entries) echo 80 01 ;;
	temporal) echo 00 81 ;;
	cs) echo 00 03 ;;
	*) echo 00 01 ;;
	esac
}

# has NAME: the output of LLVM's tools must contain what this kind records. Without this check, two empty profiles
# would pass.
has() {
	case $kind in
	values) grep -q 'kinds.c[:;]twice, *30 \]' "$1.shown" && grep -q '\[ *0, *513, *2 \]' "$1.shown" ;;
	vtables) grep -q '_ZTVN12_GLOBAL__N_14birdE, *12 \]' "$1.shown" && grep -q 'bird4legsEj, *12 \]' "$1.shown" ;;
	temporal) grep -q 'kinds.c[:;]loops' "$1.shown" ;;
	mcdc) awk '$1 == "tests/images/kinds/kinds.c" { exit !($(NF - 2) == 6 && $(NF - 1) == 4) }' "$1.report" ;;
	esac
}

# shown NAME: stores the output of LLVM's tools for the profile NAME, and checks the variant bits of the profile.
shown() {
	set -- "$1" --all-functions --counts --ic-targets --memop-sizes
	case $kind in
	vtables) set -- "$@" --show-vtables ;;
	temporal) set -- "$1" --temporal-profile-traces ;;
	esac
	name=$1
	shift
	# The lines with hashes are removed, because the hashes have been compared already. The raw profile is used,
	# because a merged profile does not have the names of vtables.
	"llvm-profdata-$llvm" show "$@" "$name.profraw" | grep -v '^ *Hash: ' >"$name.shown" && [ -s "$name.shown" ] &&
		[ "$(od -An -tx1 -j14 -N2 "$name.profraw" | sed 's/^ //')" = "$(variant)" ] && has "$name"
}

# run BOARD ELF NAME: runs an image, and checks that both of its dumps give the same profile. Stores the profile in
# NAME.profraw.
run() {
	rm -rf "$3.all"
	"$BAREPROF" run "$2" --board "$1" --timeout 60 --send "$commands" --log "$3.sent" -o "$3.profraw" >"$3.console" &&
		"$BAREPROF" pull --elf "$2" --all "$3.all" "$3.sent" && show "$3" || return
	# The first dump is the whole profile. The second is a capture without records and names.
	set -- "$3" "$3.all"/*.profraw
	[ $# -eq 3 ] || return
	if [ "$kind" != values ] || [ "$llvm" -ge 18 ]; then
		cmp "$2" "$3" && python3 tests/capture/agrees.py "$2" "$1.sent" 2
	else
		# At run time, the runtime writes pointers to lists of values into the records. Only the whole profile
		# contains these pointers.
		python3 tests/host/lib/raw_same.py "$2" "$3" &&
			{ python3 tests/capture/agrees.py "$2" "$1.sent" 2 2>/dev/null ||
				python3 tests/capture/agrees.py "$3" "$1.sent" 2; }
	fi
}

# one BOARD [VARIABLE=VALUE]: builds and runs an image, and compares it with the hosted program.
one() {
	board=$1
	shift
	name=$dir/$board
	image "$board" DROPIN="$DROP_IN" "$@" && run "$(folder "$board")" "$dir/$board/kernel.elf" "$name" || return
	same "$board" "$name" >"$name.same" || { cat "$name.same"; return 1; }
	shown "$name" && if [ ! -e "$name.excused" ]; then cmp "$dir/hosted.shown" "$name.shown"; fi || return
	cat "$name.same"
}

# base: makes the first profile that the kind cs needs. It is the profile of the hosted program, compiled with the kind
# irpgo. Neither this profile nor the builds of the kind cs have values.
base() {
	[ "$kind" = cs ] || return 0
	(kind=irpgo && dir=$dir/base && mkdir -p "$dir" && twin)
	MATRIX_USE=$dir/base/hosted.profdata
	MATRIX_EXTRA="$MATRIX_EXTRA -mllvm -disable-vp=true"
}

what="clang $llvm $kind $opt"
log=$dir/hosted.log
if ! { base && twin && shown "$dir/hosted"; } >"$log" 2>&1; then
	say 1 "$what, hosted" "$log"
	exit 0
fi
for board in $boards; do
	one "$board" "$@" >"$dir/$board.log" 2>&1
	status=$?
	say $status "$board, $what" "$dir/$board.log"
	[ $status -ne 0 ] || echo "$kind $board" >>"$dir/agreed"
	[ ! -e "$dir/$board.excused" ] || sed "s/^/$board, $what: /" "$dir/$board.excused" >>"$dir/excused"
done
sees
rm -f "$dir"/*.json
