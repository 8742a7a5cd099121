#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dumps.sh: tests logs and captures with several dumps. Each command prints the number of dumps, and
# reports whether it added up all dumps or used only one dump. merge adds the dumps whose counts can
# be added (docs/SPEC.md, 1.9). The other commands use the last dump.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1
make=$ROOT/tests/capture/make.py
cp "$ROOT"/tests/host/samples/program.[ch] "$ROOT"/tests/host/samples/other.c .
clang=clang-$(newest_clang)
check "a program" "$clang" -O1 -no-pie -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 program.c other.c -o program
for n in 3 9; do
	LLVM_PROFILE_FILE=$n.profraw ./program $n >/dev/null
done
# dump NAME PROFRAW KEY=VALUE...: writes a log NAME with one dump, whose counters come from PROFRAW.profraw.
# tests/capture/make.py describes the keys.
dump() {
	name=$1
	from=$2
	shift 2
	python3 "$make" program "$name" "profraw=$from.profraw" form=text span=16 "$@"
}
# sum OUT FILE...: merges the files to OUT, as text.
sum() {
	out=$1
	shift
	"$BAREPROF" merge --elf program --text -o "$out" "$@" 2>said
}
# adds WHAT LOG FILE...: if LOG is merged, the result must be the same as if the FILEs are merged.
adds() {
	what=$1
	log=$2
	shift 2
	check "$what" sum of-log "$log"
	cp said said.log
	sum of-files "$@"
	check "$what: the sum" cmp of-log of-files
}
says() { check "$1" grep -Eq "$2" "${3:-said.log}"; }
last="of 2 dumps, one was used: 'bareprof pull' lists them with --list, and takes another dump with --dump"

dump boot1 3 nonce=1
dump boot2 9 nonce=2
cat boot1 boot2 >boots
adds "two boots add up" boots 3.profraw 9.profraw
says "two boots: merge reports that it added both" '^bareprof: boots: note: has 2 dumps: 2 were added$'
dump reset 9 nonce=1 generation=1
cat boot1 reset >resets
adds "two dumps with a reset in between add up" resets 3.profraw 9.profraw
dump later 9 nonce=1 span=32
cat boot1 later >reads
adds "two dumps of one boot: the last dump has all counts" reads 9.profraw
says "two dumps of one boot: merge reports that it left one out" 'reads: note: has 2 dumps: 1 was added, and 1 was left out, because a later dump of the same boot has all counts of the earlier dump$'
cat boot1 later boot2 >three
adds "three dumps of two boots: two of them add up" three 9.profraw 9.profraw
says "three dumps of two boots: merge reports that it left one out" 'has 3 dumps: 2 were added, and 1 was left out'
check "a single dump: merge prints no note" sh -c "'$BAREPROF' merge --elf program --text -o x boot1 2>said && [ ! -s said ]"
sed '4d' boot1 >lost
cat lost boot2 >bad
refuses "an incomplete dump of another boot is not left out silently" \
	"bad: .*block 3 of .* is missing.*; the file has 2 dumps, which this command adds up; 'bareprof pull --dump' takes a single dump" \
	"$BAREPROF" merge --elf program --text -o none bad
check "an incomplete dump of another boot: nothing is written" test ! -e none
cat lost later >repaired
adds "an incomplete dump of the same boot is left out, because the later dump has its counts" repaired 9.profraw

# The commands other than merge must use the last dump.
"$BAREPROF" pull --elf program boots -o pulled 2>said
check "pull writes the last dump" cmp pulled 9.profraw
says "pull reports which dump it wrote" "; $last" said
check "pull reports it once" test "$(grep -c 'of 2 dumps' said)" -eq 1
check "pull --all writes both dumps and does not report that" sh -c "'$BAREPROF' pull --elf program boots --all all 2>said && ! grep -E 'of [0-9]+ dumps' said && [ \$(ls all | wc -l) -eq 2 ]"
"$BAREPROF" show --elf program --counts boots >shown 2>said
check "show reads the last dump" sh -c "'$BAREPROF' show --counts 9.profraw | grep -v '^file' >x; grep -v '^file' shown | cmp - x"
says "show reports which dump it read" "^bareprof: boots: note: $last" said
"$BAREPROF" report program boots >reported 2>said
check "report reads the last dump" sh -c "'$BAREPROF' report program 9.profraw | cmp - reported"
says "report reports which dump it read" "boots: note: $last" said

# A log has dumps of two programs, for example of a hypervisor and its guest. The dump of the ELF file is used.
check "another program" "$clang" -O2 -no-pie -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 program.c other.c -o guest
LLVM_PROFILE_FILE=guest.profraw ./guest 5 >/dev/null
python3 "$make" guest guests profraw=guest.profraw form=text span=16 nonce=3
by_id="of 3 dumps, the last one with the build id of an ELF file was used: 'bareprof pull' lists them"
cat boot1 boot2 guests >mixed
"$BAREPROF" pull --elf program mixed -o of-program 2>said
check "dumps of two programs: pull takes the last dump of the ELF file" cmp of-program 9.profraw
says "dumps of two programs: pull reports which dump it wrote" "; $by_id" said
"$BAREPROF" pull --elf guest mixed -o of-guest 2>said
check "dumps of two programs: the ELF file of the last dump" cmp of-guest guest.profraw
says "dumps of two programs: pull reports that it used one of them" 'of 3 dumps, one was used' said
"$BAREPROF" report program mixed >reported 2>said
check "dumps of two programs: report takes the last dump of the ELF file" sh -c "'$BAREPROF' report program 9.profraw | cmp - reported"
mkdir -p images && cp program images/
check "dumps of two programs: the ELF file is found in a folder" "$BAREPROF" pull --elf-dir images mixed -o in-folder
check "dumps of two programs: the folder's dump" cmp in-folder 9.profraw
"$BAREPROF" pull --list mixed >list
for image in program guest; do
	id=$(readelf -n $image | sed -n 's/.*Build ID: //p')
	check "--list shows the build id of $image" grep -q ", build id $id  complete\$" list
done
"$clang" -O0 -no-pie -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 program.c other.c -o third
refuses "no dump of the ELF file: the message names the dumps" \
	"mixed: comes from another build .*; there are 3 dumps, and none has the build id of an ELF file: [0-9a-f]{8} \(build id [0-9a-f]{40}\), .*; 'bareprof pull' takes one of them with --dump" \
	"$BAREPROF" pull --elf third mixed -o none
check "no dump of the ELF file: nothing is written" test ! -e none
# The dump without BEGIN may come from the ELF file, so the older dump is not used silently.
grep -v '@bp:AQA' boot2 >beginless
cat boot1 beginless guests >unclear
refuses "a later dump whose BEGIN is missing" 'block 0 \(BEGIN\) .* an older dump is complete|older dumps are complete: ' \
	"$BAREPROF" pull --elf program unclear -o none
check "a later dump whose BEGIN is missing: nothing is written" test ! -e none

# A dump is sent twice. If a block was lost in the second transmission, pull takes this block from the first
# transmission.
dump again 9 nonce=1
cat boot1 again >sent-twice
"$BAREPROF" pull --elf program sent-twice -o pulled 2>said
check "a dump sent twice, the second time completely: pull writes the second transmission" cmp pulled 9.profraw
check "pull prints nothing about the first transmission" sh -c "! grep -E 'earlier|of [0-9]+ dumps' said"
sed '4d' again >again-lost
cat again again-lost >filled
"$BAREPROF" pull --elf program filled -o pulled 2>said
check "a lost line comes from the earlier transmission" cmp pulled 9.profraw
says "pull reports the block from the earlier transmission" '; has 1 block from an earlier transmission of the same dump, because the last one lost it' said
check "merge uses the earlier transmission, too" sum x filled
says "merge reports the block from the earlier transmission" '^bareprof: filled: note: has 1 block from an earlier transmission of the same dump' said
head -n 5 again >again-cut
cat again again-cut >filled
"$BAREPROF" pull --elf program filled -o pulled 2>said
says "the lines after a cut come from the earlier transmission" '; has [1-9][0-9]* blocks from an earlier transmission' said
tail -n +4 again >again-tail
cat again again-tail >filled
"$BAREPROF" pull --elf program filled -o pulled 2>said
says "the lines before a late start come from the earlier transmission" '; has [1-9] blocks from an earlier transmission' said
# Two dumps of one boot, with code in between: the counts of the block that comes from the first one are older.
cat boot1 again-lost >filled
"$BAREPROF" pull --elf program filled -o pulled 2>said
says "pull tells that the counts of an older dump fill a gap" '; has 1 block from an earlier dump of this boot, because the last one lost it: code ran between' said
"$BAREPROF" pull --list filled >said
says "pull --list tells it, too" 'complete, with 1 block from an earlier dump of this boot' said
"$BAREPROF" doctor program filled >said 2>&1
says "doctor tells it, too" 'capture or log with 1 dump, 1 complete, with 1 block from an earlier dump of this boot' said
# A counter never decreases within one boot, so counts that are lower in the second dump show that two boots used one
# nonce.
sed '4d' boot1 >boot1-lost
cat again boot1-lost >mixed
refuses "counts that are lower the second time: refused" \
	'block [0-9]+ of the dump [0-9a-f]{8} arrived twice, and some counts are lower the second time, so two different dumps have this tag' \
	"$BAREPROF" pull --elf program mixed -o none
check "counts that are lower the second time: nothing is written" test ! -e none
cat again boot1 >mixed
"$BAREPROF" pull --elf program mixed -o pulled 2>said
check "a complete second dump with lower counts is used alone" cmp pulled 3.profraw
