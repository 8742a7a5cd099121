#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# doubles.sh: tests profiles that LLVM's runtime writes for programs in which several objects define the same weak
# function. In the output of every command, the prevailing definition must have its counts, and the weak duplicates must
# have none. The expected counts come from a program whose definitions have different names. Profiles that look similar
# but have other faults must be refused. BAREPROF_WIDE=1 tests all orders with all linkers.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"

LLVMS=$(some_clang_releases)
newest=$(echo "$LLVMS" | tail -n 1)
coverage="-fprofile-instr-generate -fcoverage-mapping"

# Each part is an object with another definition of the weak function. An order such as 1.3.2 lists the parts in the
# order in which they are linked. The definitions in parts 3 and 4 have the same number of counters. The other
# definitions have fewer.
orders="1.2 2.1 1.3.2 4.3 3.4.1 2.3.4"

# flags KIND: prints the compiler options for profiles of KIND.
flags() {
	case $1 in
	coverage) echo $coverage ;;
	mcdc) echo $coverage -fcoverage-mcdc ;;
	bytes) echo $coverage -mllvm -enable-single-byte-coverage ;;
	values) echo -fprofile-generate ;;
	temporal) echo -fprofile-generate -mllvm -disable-vp=true -mllvm -pgo-temporal-instrumentation ;;
	esac
}

# raw LLVM: prints the raw version that clang LLVM writes.
raw() {
	case $1 in
	13) echo 7 ;;
	14 | 15 | 16) echo 8 ;;
	*) echo 10 ;;
	esac
}

# objects: compiles each part twice: once with the name of the weak function, once with another name for it.
objects() {
	for part in 1 2 3 4; do
		"clang-$llvm" $(flags $kind) -O1 -DPART=$part -c tests/runtime/weak_duplicates/weak.c -o "$made/$part.o" &&
			"clang-$llvm" $(flags $kind) -O1 -DPART=$part -Dchosen=other$part -c tests/runtime/weak_duplicates/weak.c \
				-o "$made/other$part.o" || return
	done
	"clang-$llvm" -O1 -c tests/runtime/weak_duplicates/hosted.c -o "$made/hosted.o"
}

# counted PROGRAM OBJECTS...: links and runs the program.
counted() {
	program=$1
	shift
	"clang-$llvm" $(flags $kind) -fuse-ld=$linker -Wl,--build-id "$@" "$made/hosted.o" -o "$program" &&
		LLVM_PROFILE_FILE=$program.profraw "$program"
}

# program: links two programs from the definitions in $order. In the first program, all definitions have the same name.
# In the second program, each definition has a name of its own, so its counts are the expected counts.
program() {
	all=
	one=
	other=
	for part in $(echo $order | tr . ' '); do
		all="$all $made/$part.o"
		one="$one $made/$other$part.o"
		other=other
	done
	counted "$dir/weak" $all && counted "$dir/one" $one &&
		"llvm-profdata-$llvm" merge -text -o "$dir/expected" "$dir/one.profraw"
}

same() { python3 tests/runtime/weak_duplicates/same_counts.py "$@"; }

merged() {
	cp "$dir/weak.profraw" "$dir/again.profraw"
	"$BAREPROF" merge --text -o "$dir/text" "$dir/weak.profraw" 2>"$dir/said" &&
		grep -q "note: the linker did not use $((parts - 1)) duplicate definition.* for example of function chosen; " "$dir/said" &&
		[ "$(wc -l <"$dir/said")" -eq 1 ] && same 1 "$dir/expected" "$dir/text" &&
		"$BAREPROF" merge --jobs 1 --text -o "$dir/three" "$dir/weak.profraw" "$dir/again.profraw" \
			"$dir/weak.profraw" 2>"$dir/said" && same 3 "$dir/expected" "$dir/three" &&
		grep -q "note: the linker did not use $((parts - 1)) " "$dir/said" && [ "$(wc -l <"$dir/said")" -eq 1 ] &&
		"$BAREPROF" merge --jobs 2 --weight 3 --text -o "$dir/five" "$dir/weak.profraw" 2>/dev/null &&
		same 3 "$dir/expected" "$dir/five"
}

# convert corrects the records of weak duplicates. LLVM's tools must read the right counts from its output.
converted() {
	"$BAREPROF" convert --to "raw:$(raw "$llvm")" -o "$dir/raw" "$dir/weak.profraw" &&
		"llvm-profdata-$llvm" merge -text -o "$dir/theirs" "$dir/raw" && same 1 "$dir/expected" "$dir/theirs" &&
		"$BAREPROF" convert --to raw:11 -o "$dir/eleven" "$dir/weak.profraw" &&
		"$BAREPROF" merge --text -o "$dir/text" "$dir/raw" 2>"$dir/said" && same 1 "$dir/expected" "$dir/text" &&
		"$BAREPROF" merge --text -o "$dir/text" "$dir/eleven" 2>>"$dir/said" && same 1 "$dir/expected" "$dir/text" &&
		[ ! -s "$dir/said" ]
}

shown() {
	"$BAREPROF" show --json "$dir/weak.profraw" >"$dir/json" &&
		"$BAREPROF" show --json --all --counts "$dir/weak.profraw" >"$dir/json.all" &&
		"$BAREPROF" merge -o "$dir/profdata" "$dir/weak.profraw" 2>/dev/null &&
		"$BAREPROF" show --json --all --counts "$dir/profdata" >"$dir/json.profdata" &&
		"$BAREPROF" show "$dir/weak.profraw" | grep -q "^weak:  *$((parts - 1)) definition" &&
		python3 - "$dir/json" "$dir/json.all" "$dir/json.profdata" $parts <<'PYTHON'
import json, sys
short, full, merged = (json.load(open(path)) for path in sys.argv[1:4])
assert short["weak_duplicates"] == full["weak_duplicates"] == int(sys.argv[4]) - 1 and merged["weak_duplicates"] == 0
assert all(shown["doubles"] == shown["weak_duplicates"] for shown in (short, full, merged))
assert short["totals"] == full["totals"] == merged["totals"], (full["totals"], merged["totals"])
assert full["functions"] == merged["functions"], "functions"
PYTHON
}

# one KIND ORDER LINKER: builds one program and tests all commands with its profile.
one() {
	kind=$1
	order=$2
	linker=$3
	made=$WORK/$llvm-$kind
	dir=$made/$order-$linker
	parts=$(echo $order | tr . ' ' | wc -w)
	label="clang $llvm, $kind, definitions $order, $linker"
	[ -d "$made" ] || { mkdir -p "$made" && check "clang $llvm, $kind: compiles" objects; }
	mkdir -p "$dir"
	check "$label: links and runs" program
	check "$label: merge" merged
	check "$label: convert" converted
	check "$label: show" shown
}

turn=0
for llvm in $LLVMS; do
	kinds="coverage values"
	[ "$llvm" -lt 19 ] || kinds="$kinds mcdc temporal"
	[ "$llvm" -lt "$newest" ] || kinds="$kinds bytes"
	for kind in $kinds; do
		for order in $orders; do
			for linker in lld bfd; do
				turn=$((turn + 1))
				# Only every seventh combination runs. The numbers of kinds, orders and linkers are
				# not multiples of 7, so each kind, order and linker is tested.
				[ -n "${BAREPROF_WIDE-}" ] || [ $((turn % 7)) -eq 0 ] || continue
				one $kind $order $linker
			done
		done
	done
done

# spoil.py changes a profile with weak duplicates, so that the profile contradicts itself. No linker
# makes such a profile. Every command must refuse it.
llvm=$newest
one mcdc 1.3.2 lld
for spoilt in another-name within itself fewer more over of-a-double bitmap; do
	check "crafted: $spoilt" python3 tests/runtime/weak_duplicates/spoil.py $spoilt "$dir/weak.profraw" "$dir/crafted"
	rm -f "$dir/out"
	refuses "crafted: $spoilt, refused by merge" 'functions [0-9]* and [0-9]* share counters' \
		"$BAREPROF" merge -o "$dir/out" "$dir/crafted"
	check "crafted: $spoilt, nothing is written" test ! -e "$dir/out"
	refuses "crafted: $spoilt, refused by convert" 'share counters' \
		"$BAREPROF" convert --to raw:11 -o "$dir/out" "$dir/crafted"
	refuses "crafted: $spoilt, refused by show" 'share counters' "$BAREPROF" show "$dir/crafted"
done
