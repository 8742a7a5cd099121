#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# values.sh: tests captures with values. The runtime writes captures with blocks of many sizes, and at the same moment
# a .profraw. From each capture, pull and the decoder of the tests must make that .profraw. Captures that contradict
# themselves must be refused, and missing values must be reported. A damaged capture must never give a wrong value.
. "$(dirname "$0")/../lib.sh"

make=$ROOT/tests/capture/make.py
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
RUNTIME="image_walk image profraw read profraw_write copy symbols values_record values_pool values_serialize capture_values capture_blocks capture capture_counters counter_codec capture_file crc32c"

# program LLVM SOURCE PIE FLAGS...: builds SOURCE as the program $dir/run.
program() {
	compiler=clang-$1
	source=$2
	pie=$3
	shift 3
	mkdir -p "$dir"
	# shellcheck disable=SC2086
	if ! [ -f "$WORK/$llvm.o" ]; then
		for f in $RUNTIME; do
			$compiler $CFLAGS -DBAREPROF_VALUES -O2 -fPIC -c runtime/$f.c -o "$WORK/$llvm.$f.o" || return
		done
		$compiler -Wall -Wextra -Werror -Iinclude -O2 -fPIE -c tests/runtime/values/captures.c -o "$WORK/$llvm.o" || return
	fi
	# shellcheck disable=SC2086,SC2046
	$compiler -fPIE "$@" -c "$source" -o "$dir/subject.o" &&
		$compiler -$pie -fuse-ld=lld -Wl,--build-id=none,--defsym=__start_bareprof_build_id=0 "$WORK/$llvm.o" \
			"$dir/subject.o" $(for f in $RUNTIME; do echo "$WORK/$llvm.$f.o"; done) -o "$dir/run"
}

# same PREFIX: from each PREFIX.*.capture, pull must make the same bytes as PREFIX.profraw. It must not warn that values
# are lacking.
same() {
	for capture in "$1".*.capture; do
		"$BAREPROF" pull --elf "$dir/run" "$capture" -o "$1.pulled" 2>"$1.said" && cmp "$1.pulled" "$1.profraw" &&
			! grep 'lacks [0-9]* values' "$1.said" &&
			python3 tests/capture/agrees.py "$1.profraw" "$capture" 1 || return
	done
}

# by_name FILE: FILE is an output of `llvm-profdata show`. Writes it to FILE.by_name, one function per line, sorted by
# name. Up to LLVM 16, the order of functions comes from a hash table inside LLVM, which bareprof does not imitate.
by_name() {
	awk '/^ ? ?[^ ]/ { if (text) print text; text = "" } { text = text "|" $0 } END { print text }' "$1" |
		LC_ALL=C sort >"$1.by_name" && [ -s "$1.by_name" ]
}

# captured PATTERN: if the target has enough nodes, LLVM's tools must find values that match PATTERN. A merge of the
# captures by bareprof must have the same values as a merge of the profiles by LLVM.
captured() {
	said=$("$dir/run" "$dir/all" 1000 4096 3) && [ "$said" = 0 ] && same "$dir/all" &&
		"llvm-profdata-$llvm" show --all-functions --ic-targets --memop-sizes "$dir/all.pulled" >"$dir/shown" &&
		grep -Eq "$1" "$dir/shown" &&
		"$BAREPROF" merge --elf "$dir/run" -o "$dir/ours" "$dir/all.320.capture" "$dir/all.40000.capture" 2>/dev/null &&
		"llvm-profdata-$llvm" merge -o "$dir/theirs" "$dir/all.profraw" "$dir/all.profraw" &&
		"llvm-profdata-$llvm" show --all-functions --counts --ic-targets --memop-sizes "$dir/ours" >"$dir/ours.said" &&
		"llvm-profdata-$llvm" show --all-functions --counts --ic-targets --memop-sizes "$dir/theirs" >"$dir/theirs.said" &&
		by_name "$dir/ours.said" && by_name "$dir/theirs.said" && cmp "$dir/ours.said.by_name" "$dir/theirs.said.by_name"
}

vtables="-std=c++14 -fno-exceptions -fno-rtti -mllvm -enable-vtable-value-profiling"
for llvm in $(some_clang_releases); do
	for pie in pie no-pie; do
		dir=$WORK/$llvm-$pie
		check "clang $llvm, $pie: a program with value sites" \
			program "$llvm" tests/runtime/values/subject.c $pie -O2 -fprofile-generate
		check "clang $llvm, $pie: captures give the target's .profraw" captured '\[.*function_1.*\]'
		[ "$llvm" -ge 19 ] || continue
		dir=$WORK/$llvm-$pie-vtables
		# shellcheck disable=SC2086
		check "clang $llvm, $pie: a program with vtables" \
			program "$llvm" tests/runtime/unit/subject.cc $pie -O1 -fprofile-generate $vtables
		check "clang $llvm, $pie: captures with vtables give the target's .profraw" captured '\[.*5shape4area.*\]'
		check "clang $llvm, $pie: the values have virtual calls" sh -c \
			"'$BAREPROF' show --values '$dir/all.pulled' | grep -A2 'virtual call 1:' | grep -q ' 666 '"
	done
done

# The remaining tests use the newest clang, and two dumps of one program at the same load address.
dir=$WORK/$llvm-no-pie
cd "$dir" || exit 1
elf=run
./run run3 1000 4096 3 >/dev/null && ./run run5 700 4096 5 >/dev/null || not_ok "no captures"

# If the target has too few nodes, every command must warn once. For a capture with all values, no command may warn.
dropped=$(./run few 1000 0 3)
check "values are dropped if there are too few nodes" test "$dropped" -gt 100
# says WHAT COMMAND...: runs COMMAND once for each capture, with the capture's name in place of the word CAPTURE. The
# command must warn only if values were dropped.
says() {
	said=$1
	shift
	"$@" few.520.capture 2>few.said >/dev/null
	[ "$(grep -c "warning: .*lacks $dropped values: .* give bareprof_values_start() more nodes" few.said)" = 1 ] ||
		{ not_ok "$said: says what was dropped"; sed 's/^/    /' few.said; return; }
	"$@" run3.520.capture 2>run3.said >/dev/null
	check "$said: warns of dropped values, and only if there are some" sh -c '! grep "lacks [0-9]* values" run3.said'
}
says pull "$BAREPROF" pull --elf $elf -o out
says "pull without the ELF file" "$BAREPROF" pull -o out.capture
says merge "$BAREPROF" merge --elf $elf -o out
says convert "$BAREPROF" convert --to text --elf $elf -o out
says show "$BAREPROF" show --elf $elf
check "pull: the recorded values are complete" sh -c "'$BAREPROF' pull --elf $elf -o out few.520.capture 2>said && cmp out few.profraw"
"$BAREPROF" pull --list run3.320.capture >list
check "pull --list shows the number of values" grep -Eq 'bytes of counters, [1-9][0-9]* values(, build id [0-9a-f]+)?  complete$' list

# If a dump is sent again, both transmissions are one dump, and pull uses the values of the later transmission.
for size in 320 40000; do
	cat run3.$size.capture run3-later.$size.capture >twice.capture
	check "sent again, blocks of $size: the later counts" sh -c "'$BAREPROF' pull --elf $elf -o twice twice.capture 2>said &&
		cmp twice run3-later.profraw && ! cmp -s run3.profraw run3-later.profraw"
done

# A capture without streams of values gives no values. If a capture has these streams, the streams must agree with each
# other.
made() { python3 "$make" $elf "$1.capture" expected="$1.expected" profraw=run3.profraw span=48 id=none "${2:-nonce=7}" "${3:-nonce=7}"; }
made plain values=none
check "without values: a profile" sh -c "'$BAREPROF' pull --elf $elf -o plain.pulled plain.capture 2>said && cmp plain.pulled plain.expected"
check "without values: LLVM reads it" sh -c "llvm-profdata-$llvm show --all-functions --counts --ic-targets plain.pulled >shown &&
	grep -q 'Indirect Call Site Count: 2' shown && ! grep -q ', function_' shown"
# The sizes that `bareprof check` reports must be right.
"$BAREPROF" check --json $elf >checked 2>/dev/null
check "check: the size of a .profraw without values is right" sh -c "grep -q '\"profraw_bytes\": $(wc -c <plain.expected)' checked &&
	! grep -q '\"id\": \"value' checked"
made full dropped=0
check "with values, from the encoder of the tests" sh -c "'$BAREPROF' pull --elf $elf -o full.pulled full.capture 2>said && cmp full.pulled run3.profraw"
# wrong WHAT PATTERN KEY=VALUE...: merge must refuse the capture with a message that matches PATTERN, and write
# nothing.
wrong() {
	what=$1
	pattern=$2
	shift 2
	made wrong "$@"
	rm -f none
	refuses "$what" "$pattern" "$BAREPROF" merge -o none --elf $elf wrong.capture
	check "$what: nothing is written" test ! -e none
}
wrong "other numbers of sites than in the ELF file" 'has [0-9]+ value sites, but the records in the ELF file run have [0-9]+; give the ELF file' sites=1
wrong "more values than the sites have" 'contradicts itself: .* announce ([0-9]+) values, but [0-9]+ arrived, .* call bareprof_values_hold' pairs=1
sizes='block 0 of the dump [0-9a-f]+ announces values with impossible sizes'
wrong "a stream of sites without values" "$sizes" without=5
wrong "a stream of values without sites" "$sizes" without=4
wrong "half a value" "$sizes" short=8
wrong "a value apart from its count" "$sizes" span=24
wrong "dropped values in another width" "$sizes" dropped=1 short=4
python3 - "$ROOT/tests/capture" <<'PY'
import struct
import sys

sys.path.insert(0, sys.argv[1])
from elf import Elf
from profraw import layout

elf = Elf("run")
data = elf.section("__llvm_prf_data")
_, count_at, size = layout(10, 8)
raw = bytearray(elf.bytes)
for at in range(data.offset, data.offset + data.size, size):
    struct.pack_into("<3H", raw, at + count_at + 4, *[65535] * 3)
open("claims", "wb").write(raw)
PY
made plain values=none
refuses "an ELF file with more sites than can be" 'the records in the ELF file claims claim [0-9]+ value sites, more than a file of [0-9]+ bytes can have' \
	"$BAREPROF" merge -o none --elf claims plain.capture

# With --partial, functions keep their counts, but lose their values.
made part drop=3
"$BAREPROF" merge --partial --text -o part --elf $elf part.capture 2>said
check "--partial: values are left out, with a warning" sh -c "grep -q 'is partial because block 3 of .* all values are left out' said &&
	! grep -q 'lacks [0-9]* values' said && grep -q . part && ! grep -q '^# ValueKind' part"

# A program that is instrumented for source coverage also records values.
dir=$WORK/$llvm-coverage
cd "$ROOT" || exit 1
check "clang $llvm: source coverage with values" program "$llvm" tests/runtime/values/subject.c no-pie -O1 \
	-fprofile-instr-generate -fcoverage-mapping -mllvm -enable-value-profiling
cd "$dir" || exit 1
dropped=$(./run few 1000 0 3)
./run run3 1000 4096 3 >/dev/null
says report "$BAREPROF" report run

# Tests damaged captures.
cd "$WORK/$llvm-no-pie" || exit 1
"$ROOT/build/tests/bin/faults" $elf run3.320.capture run3.profraw run5.320.capture run5.profraw ||
	not_ok "host_faults ended with an error"
