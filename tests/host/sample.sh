#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sample.sh: tests the commands of samples. tests/host/lib/samples.py makes dumps of samples for real images, and
# sample_check.py compares the results with llvm-symbolizer and with readers of its own.
. "$(dirname "$0")/../lib.sh"

w=$WORK
llvm=$(newest_clang)
sample() { "$BAREPROF" sample "$@"; }
made() { python3 tests/host/lib/samples.py || not_ok "the dumps were made"; }
checked() { python3 tests/host/lib/sample_check.py "$@"; }

# image NAME LLVM TARGET FLAG...: makes the image $w/NAME.
image() {
	name=$1
	release=$2
	target=$3
	shift 3
	"clang-$release" --target="$target" -g -O2 -ffreestanding "$@" -c tests/host/samples/sample_image.c -o "$w/image.o" &&
		"ld.lld-$release" --build-id=sha1 -Ttext 0x300000 --section-start=.note.gnu.build-id=0x310000 --image-base=0x10000 \
			-o "$w/$name" "$w/image.o" || not_ok "the image $name was made"
}
image x86_64 "$llvm" x86_64-none-elf -funique-internal-linkage-names
image aarch64 13 aarch64-none-elf
image thumb 16 thumbv7m-none-eabi
id() { readelf -n "$w/$1" | sed -n 's/.*Build ID: //p'; }
at() { nm "$w/$1" | sed -n "s/^\([0-9a-f]*\) . $2$/0x\1/p"; } # at IMAGE SYMBOL: prints its address
x=$w/x86_64
ours=$(id x86_64)
other=$(id aarch64)
outer=$(at x86_64 outer)
sized=$(at x86_64 sized)

for pair in x86_64:1 aarch64:4 thumb:2; do
	mkdir -p "$w/${pair%:*}.work"
	check "${pair%:*}: lines and inlined functions are those of llvm-symbolizer" \
		checked sources "$BAREPROF" "llvm-symbolizer-$llvm" "$w/${pair%:*}" "${pair#*:}" "$w/${pair%:*}.work"
done

# The last return address is the start of sized(), so the call is the last instruction before it, in label().
# A dump has run-time addresses: the image was moved by 0x7000000.
moved=$((0x7000000))
code=$((0x300000 + moved))
note=$((0x310010 + moved)) # the build id follows the head and the name of the note
dump="id=$ours base=$code range=0x200 id_address=$note rate=997 rings=3"
list="words=3 samples=$((outer + moved))*5,$((outer + moved + 16)):$((outer + moved + 2)):$((sized + moved))*7,$((sized + moved))"
made <<END
$w/text $dump dropped=3 outside=4 $list
$w/file $dump dropped=3 outside=4 form=file span=64 $list
$w/frames $dump dropped=3 outside=4 form=frames span=32 $list
$w/big $dump dropped=3 outside=4 order=> span=8 $list
$w/second $dump generation=4 dropped=1 rate=100 rings=4 samples=$((outer + moved + 16))*3
$w/fixed id=$ours base=0x300000 range=0x200 samples=$((outer))*2
$w/anonymous base=0x300000 range=0x200 samples=$((outer))*2
$w/foreign id=$other base=0x300000 range=0x200 samples=0x300000*9
$w/histogram $dump shift=4 generation=7 samples=$((outer + moved))*70000,$((sized + moved))*6
$w/histogram2 $dump shift=4 generation=7 nonce=8 samples=$((outer + moved))*4
$w/histogram3 $dump span=64 shift=4 generation=7 taken=4 rate=5 samples=$((outer + moved))*4
$w/outside $dump samples=$((outer + moved)),$((0x3001f0 + moved))*8
$w/nothing $dump outside=9
$w/cut $dump drop=1 $list
$w/cut2 $dump drop=1 generation=9 $list
$w/headless $dump drop=0 generation=9 $list
END
cp "$w/text" "$w/log"
{ echo 'console: hello'; cat "$w/text" "$w/text" "$w/second" "$w/foreign"; } >"$w/log"

merged() { sample merge -o "$w/$1.samples" --elf "$x" "$w/$1" 2>"$w/$1.said"; }
forms() {
	for form in text file frames big; do
		merged "$form" && cmp "$w/text.samples" "$w/$form.samples" || return 1
	done
	cat >"$w/expected" <<END
bareprof samples 1
build-id $ours
rate 997
cpus 3
dropped 3
outside 4
total 13
samples
$(printf '%#x 1' "$sized")
$(printf '%#x 5' "$outer")
$(printf '%#x 7 %#x %#x' $((outer + 16)) $((outer + 2)) "$sized")
END
	diff "$w/expected" "$w/text.samples"
}
check "dumps in text, in files, in frames and from a big-endian target; link addresses" forms
log() {
	merged log && merged second && checked merged "$w/log.samples" "$w/text.samples" "$w/second.samples" &&
		grep -q '1 of 3 dumps of samples was left out, because of another build id' "$w/log.said" &&
		grep -q 'different rates (997 and 100 Hz)' "$w/log.said" && grep -qx 'cpus 4' "$w/log.samples" && ! grep -q rate "$w/log.samples"
}
check "a log with a dump that came twice, a second dump, and one of another image" log
files() { sample merge -o "$w/both" "$w/text.samples" "$w/second.samples" 2>"$w/said" && cmp "$w/both" "$w/log.samples"; }
check "merging files gives the same as merging dumps" files
check "without a build id in memory no ELF file is needed" sh -c "'$BAREPROF' sample merge -o - '$w/fixed' | grep -qx '$(printf '%#x 2' "$outer")'"
anonymous() { sample merge -o /dev/null "$w/fixed" "$w/anonymous" 2>"$w/said" && grep -q 'build ids were not compared' "$w/said"; }
check "samples without a build id: merged with a note" anonymous

refuses "another build id: both are named" "build id is $other, and not $ours" sample merge -o "$w/no" "$w/fixed" "$w/foreign"
refuses "another build id than that of the ELF file" "build id is $other, and not $ours" sample show "$x" "$w/foreign"
refuses "a file of samples with another build id" "build id is $ours, and not $other" sample show "$w/aarch64" "$w/text.samples"
refuses "a moved image without its ELF file" 'a loader may have moved; name its ELF file with --elf' sample merge -o "$w/no" "$w/text"
refuses "a dump that lacks a block" 'is incomplete: .*block 1 of 2' sample merge -o "$w/no" --elf "$x" "$w/cut"
partial() {
	cat "$w/text" "$w/cut2" >"$w/parts" && sample merge --partial -o "$w/parts.samples" --elf "$x" "$w/parts" 2>"$w/said" &&
		cmp "$w/parts.samples" "$w/text.samples" && grep -q '1 of 2 dumps of samples was left out, because blocks are missing' "$w/said" &&
		sample show --partial "$x" "$w/parts" >/dev/null 2>&1 && cat "$w/text" "$w/headless" >"$w/parts" &&
		sample merge -o "$w/parts.samples" --elf "$x" "$w/parts" 2>"$w/said" && cmp "$w/parts.samples" "$w/text.samples" &&
		grep -q '1 dump was left out, because BEGIN is missing; it may be of samples' "$w/said"
}
check "--partial leaves out dumps that lack blocks; dumps without BEGIN are named" partial
refuses "--partial without a complete dump" 'has no dump of samples that arrived completely' sample merge --partial -o "$w/no" --elf "$x" "$w/cut"
refuses "lists and histograms together" 'stand for 16 bytes, but those of the other samples stand for 1' \
	sample merge -o "$w/no" --elf "$x" "$w/text" "$w/histogram"
refuses "a file of another kind" 'is not a file of samples \(.samples\), and contains no dump' sample merge -o "$w/no" tests/lib.sh
refuses "an ELF file as input" 'is an ELF file' sample merge -o "$w/no" "$x"
refuses "a module" 'is not linked yet' sample show "$w/image.o" "$w/text"
refuses "no -o" 'name the file for the sum with -o' sample merge "$w/fixed"
refuses "--blocks with --lines" 'cannot be combined' sample show --blocks --lines "$x" "$w/text"
refuses "--folded with --json" 'cannot be combined' sample show --folded --json "$x" "$w/text"
refuses "other commands name the commands of samples" "is a file of samples .* 'bareprof sample'" "$BAREPROF" show "$w/text.samples"
refuses "merge names them for a dump" "has samples in the dump .* 'bareprof sample merge' reads them" "$BAREPROF" merge -o "$w/no" "$w/text"
pulled() {
	"$BAREPROF" pull -o "$w/pulled" "$w/log" 2>"$w/said" && grep -q "samples of the program counter, so it is saved as a capture, which 'bareprof sample merge' reads" "$w/said" &&
		sample merge -o /dev/null "$w/pulled" && "$BAREPROF" pull --list "$w/log" | grep -Eq '64-bit, [0-9]+ bytes of samples, build id .*  complete$'
}
check "pull saves a dump of samples as a capture, and lists it" pulled
check "nothing was written" test ! -e "$w/no"

# Damaged streams. Offsets are those of the word that is wrong.
while read -r what; do
	read -r pattern
	read -r change
	echo "$w/damaged $dump $change" | made
	refuses "damaged: $what" "$pattern" sample merge -o "$w/no" --elf "$x" "$w/damaged"
done <<END
version 2
version 2, kind 0 .* use a newer bareprof
samples=$code patch=0:2
kind 2
kind 2 and
samples=$code patch=0:0x201
a flag
flags 0x1
samples=$code patch=0:0x10001
a reserved word
word at offset 56
samples=$code patch=56:1
samples of no words
at offset 4 of its samples
samples=$code patch=4:0
samples of 300 words
at offset 4 of its samples
samples=$code patch=4:300
a counter for 2^32 bytes
at offset 4 of its samples
shift=31 samples=$code*2 patch=4:32
more samples than came
at offset 40 of its samples: 9 samples of 1 words need 100 bytes, but the stream has 72
samples=$code*2 taken=9
a sample that is cut
at offset 40 of its samples
samples=$code*2 cut=2
a header that is cut
end within their header, at offset 60
cut=4
an address before the range
at offset 68 of its samples: the address of a sample
samples=$code*3 patch=68:0
an address after the range
at offset 64 of its samples: the address of a sample
samples=$code*3 patch=64:0x201
a return address after the range
at offset 76 of its samples: a return address
words=2 samples=$code:$code*3 patch=76:0x202
a range that ends after the last address
at offset 16 of its samples
width=4 samples=$code patch=8:0xffffff00
an address of 64 bits on a target of 32
at offset 8 of its samples
width=4 samples=$code patch=12:1
a histogram without its last counter
at offset 16 of its samples: a range of 512 bytes has 32 counters
shift=4 samples=$code*3 cut=2
END

# Damaged files of samples.
while read -r what; do
	read -r pattern
	read -r lines
	printf "$lines" >"$w/damaged"
	refuses "a .samples file: $what" "$pattern" sample merge -o "$w/no" "$w/damaged"
done <<'END'
version 2
line 1 .* only version 1
bareprof samples 2\nsamples\n
no samples
ends after line 2
bareprof samples 1\nrate 5\n
an unknown line
line 2 is 'speed 5', but the lines before
bareprof samples 1\nspeed 5\nsamples\n
a line twice
line 3 .* such a line before
bareprof samples 1\nrate 5\nrate 5\nsamples\n
an odd build id
line 2 .* two hexadecimal digits each
bareprof samples 1\nbuild-id abc\nsamples\n
no number
line 2 .* one decimal number
bareprof samples 1\nrate fast\nsamples\n
a number of 65 bits
line 2 .* one decimal number
bareprof samples 1\ndropped 18446744073709551616\nsamples\n
histogram 32
line 2 .* at most 31
bareprof samples 1\nhistogram 32\nsamples\n
an address without 0x
line 4 is '1040 2', but a sample has an address
bareprof samples 1\n# remark\nsamples\n1040 2\n
a count of 0
line 3 .* count of 1 or more
bareprof samples 1\nsamples\n0x1040 0\n
a line that is cut
line 3 .* count of 1 or more
bareprof samples 1\nsamples\n0x1040
a file that lacks a line
should have 5 samples, but has 3; it may be cut short
bareprof samples 1\ntotal 5\nsamples\n0x10 1\n0x20 2\n
a name as return address
line 3 .* only return addresses
bareprof samples 1\nsamples\n0x1040 1 main\n
a stack in a histogram
line 4 .* no return addresses
bareprof samples 1\nhistogram 4\nsamples\n0x1040 1 0x20\n
END
check "none of them was written" test ! -e "$w/no"

# Functions: aliases, labels, functions without a size, and code that no symbol has.
cat >"$w/places" <<END
bareprof samples 1
samples
$(at thumb unsized | sed 's/$/ 1/')
$(printf '%#x 2' $(($(at thumb unsized) + 4)))
$(at thumb label) 4
$(printf '%#x 8' $(($(at thumb sized) | 1)))
$(printf '%#x 16' $(($(at thumb sized) + 8)))
$(printf '%#x 32' $(($(at thumb outer) + 2)))
0x2ffffc 64
END
places() {
	sample show "$w/thumb" "$w/places" >"$w/shown" 2>"$w/said" && awk 'NR > 2 { print $7, $8, $9 }' "$w/shown" >"$w/rows" &&
		printf '%s\n' '32 outer ' '16 [no function]' '8 sized ' '4 label ' '3 unsized ' | diff - "$w/rows" &&
		grep -q '^63 samples; dropped: 0; outside: 64$' "$w/shown" && grep -q '64 samples are at addresses without code' "$w/said"
}
check "labels, functions without a size, and code that belongs to no symbol" places
schema() {
	sample show --json --lines "$w/thumb" "$w/places" >"$w/places.json" 2>/dev/null && checked ranges "$w/places.json" &&
		sample show --json --lines "$x" "$w/text" >"$w/text.json" && checked ranges "$w/text.json" &&
		sample show --json --blocks "$x" "$w/histogram" >"$w/histogram.json" && grep -q '"renamed"' "$w/text.json"
}
check "the JSON has Wilson's ranges, aliases and addresses without a function" schema
python3 tests/host/lib/json_schema.py sample "$w/places.json" "$w/text.json" "$w/histogram.json"

seen() {
	sample show --seen "$x" "$w/text" >"$w/shown" && grep '  ' "$w/shown" | LC_ALL=C sort >"$w/rows" && printf '%s\n' '_start  not seen' \
		'label  not seen' 'leaf(int)  not seen' 'outer  seen 12 times' 'sized  seen 1 time' 'unsized  not seen' | diff - "$w/rows" &&
		grep -q '^2 of 6 functions were seen; the others may have run' "$w/shown"
}
check "--seen lists functions that were not seen" seen
lines() {
	sample show --seen --lines "$x" "$w/x86_64.work/all.samples" >"$w/shown" && ! grep -q 'not executed' "$w/shown" &&
		grep -q 'sample_image.c:21  seen [0-9]* times$' "$w/shown" && grep -Eq '^[0-9]+ of [0-9]+ lines were seen' "$w/shown" &&
		sample show --seen --lines "$x" "$w/text" >"$w/less" && [ "$(grep -c ':[0-9]*  ' "$w/less")" = "$(grep -c ':[0-9]*  ' "$w/shown")" ] &&
		grep -q 'sample_image.c:21  not seen$' "$w/less"
}
check "--seen --lines lists the same lines, with and without samples" lines
stacks() {
	sample show --folded "$x" "$w/text" >"$w/folded" && grep -Eqx 'label;outer.* 7' "$w/folded" || return 1
	sample show --html "$w/x.html" "$x" "$w/text" >/dev/null && checked graph "$w/x.html" "$w/folded" &&
		sample show --folded "$x" "$w/x86_64.work/all.samples" >"$w/folded" && sample show --html "$w/x.html" "$x" \
			"$w/x86_64.work/all.samples" >/dev/null && checked graph "$w/x.html" "$w/folded"
}
check "--folded and --html have the same stacks, the outermost function first" stacks
totals() { sample show "$x" "$w/text" | grep -Eq ' 0 +53.85 %  label$'; }
check "the column 'total' has the callers" totals
recursion() {
	printf 'bareprof samples 1\nsamples\n%#x 5 %#x %#x\n' $((outer + 8)) $((outer + 32)) $((outer + 32)) >"$w/deep" &&
		sample show "$x" "$w/deep" | grep -Eq ' 5  100.00 %  outer$'
}
check "a recursive function counts once" recursion
blocks() { sample show --blocks "$x" "$w/text" | grep -Eq '^    0x[0-9a-f]+: [0-9]+ instructions?, [1-9][0-9]* samples, [0-9.]+ runs$'; }
check "--blocks lists instructions, samples and runs of each block" blocks
stale() {
	printf 'bareprof samples 1\nsamples\n%#x 3 %#x\n' $(($(at aarch64 outer) + 8)) $(($(at aarch64 outer) + 16)) >"$w/stale" &&
		sample show --folded "$w/aarch64" "$w/stale" | grep -Eq '^outer(;inlined)* 3$|^outer;inlined;innermost 3$'
}
check "a link register with an old address is not a caller" stale
filter() {
	[ "$(sample show --function '^siz' --json "$x" "$w/text" | grep -c demangled)" = 1 ] &&
		[ "$(sample show --top 1 "$x" "$w/text" | wc -l)" = 3 ] &&
		sample show --mangled --seen "$x" "$w/text" | grep -q '^_ZL4leafi.__uniq.*  not seen$'
}
check "--function, --top and --mangled" filter
check "--function without samples is an error" sh -c "! '$BAREPROF' sample show --function nothing '$x' '$w/text' 2>/dev/null"
stripped() { objcopy --strip-all "$x" "$w/stripped" && sample show "$w/stripped" "$w/text" >"$w/shown" 2>"$w/said" && grep -q 'has no symbols of functions' "$w/said" && grep -q ' 13  100.00 %  \[no function\]$' "$w/shown"; }
check "an ELF file without symbols" stripped
check "samples only outside" sh -c "'$BAREPROF' sample show '$x' '$w/nothing' | grep -q 'no sample is in the code'"
check "addresses without code count as outside" sh -c "'$BAREPROF' sample show '$x' '$w/outside' 2>&1 | grep -q '^1 samples.*outside: 8'"

# With identical code folding, two functions have one address. The inlined functions of one of them are shown.
folded_code() {
	echo '#include "tests/host/samples/sample_image.c"
		__attribute__((noinline)) int twin(int n) { return inlined(n) + leaf(n) + (n > 3 ? inlined(n + 1) : 0); }
		int (*volatile used)(int) = twin;' >"$w/twin.c"
	"clang-$llvm" --target=x86_64-none-elf -g -O2 -ffreestanding -ffunction-sections -I . -c "$w/twin.c" -o "$w/twin.o" &&
		"ld.lld-$llvm" --icf=all --build-id=sha1 -o "$w/twin" "$w/twin.o" && [ "$(at twin twin)" = "$(at twin outer)" ] || return 1
	{ printf 'bareprof samples 1\nsamples\n' && for i in 0 8 16 24 32 40 48 56 64 72; do printf '%#x 1\n' $(($(at twin outer) + i)); done; } >"$w/twin.samples"
	sample show --folded "$w/twin" "$w/twin.samples" >"$w/folded" && grep -q ';inlined' "$w/folded" && ! grep -Eq 'outer.*twin|twin.*outer|inlined.*;inlined' "$w/folded"
}
check "two functions with one address" folded_code

# Histograms: counters that stand for several functions, counters at their maximum, and dumps with all counts since the boot.
histogram() {
	sample show "$x" "$w/histogram" >"$w/shown" && grep -q '^65541 samples .*dropped: 4465; ' "$w/shown" &&
		cat "$w/histogram3" "$w/histogram" "$w/histogram2" >"$w/boots" && sample merge --elf "$x" -o "$w/boots.samples" "$w/boots" 2>"$w/said" &&
		grep -q '1 of 3 dumps of samples was left out, because a later dump of the same boot has all of its counts' "$w/said" &&
		[ "$(sample show --json "$x" "$w/boots.samples" | sed -n 's/.*"samples": \([0-9]*\),/\1/p' | head -n 1)" = 65545 ] &&
		sample show --seen "$x" "$w/histogram" | grep -q '^unsized  may have been seen$'
}
check "a histogram: counters at their maximum, boots, and counters of several functions" histogram
refuses "--lines with a coarse histogram" 'a counter for every 16 bytes' sample show --lines "$x" "$w/histogram"

# Real samples: 200 interrupts of a program, three quarters of them in three().
real() {
	"clang-$llvm" -g -O2 -fno-omit-frame-pointer -static -o "$w/sampled" tests/host/samples/sampled.c && "$w/sampled" >"$w/sampled.samples" &&
		sample show --json --lines "$w/sampled" "$w/sampled.samples" >"$w/real.json" && sample show --folded "$w/sampled" "$w/sampled.samples" >"$w/folded" &&
		python3 - "$w/real.json" "$w/folded" <<'PYTHON'
import json, sys
shown = json.load(open(sys.argv[1]))
functions = {f["name"]: f for f in shown["functions"]}
assert functions["three"]["samples"] + functions["one"]["samples"] >= 180, functions
assert functions["three"]["low"] - 20 <= 150 <= functions["three"]["high"] + 20, functions["three"]
assert functions["both"]["total"] >= 190
assert any(line["function"] == "work" and line["samples"] > 100 for line in shown["lines"])
assert any(line.startswith("main;both;three;work ") for line in open(sys.argv[2]))
PYTHON
}
check "samples of a real program: shares, callers and inlined functions" real

# Samples of a kernel: four CPUs, taken by NMIs. Each interrupt is a sample, or dropped, or outside.
kernel() {
	make -s image BOARD=x86_64 LLVM="$llvm" SAMPLES=6 OUT="$w/kernel" && "$BAREPROF" run "$w/kernel/kernel.elf" --log "$w/kernel.log" -o "$w/kernel.capture" \
		--send 'cov sample on 997\ntest\ncov sample dump\ntest\ncov sample off\ncov sample info\ncov sample dump\nexit\n' &&
		sample show --json "$w/kernel/kernel.elf" "$w/kernel.log" >"$w/kernel.json" && sample show --folded "$w/kernel/kernel.elf" "$w/kernel.log" >"$w/folded" &&
		python3 - "$w/kernel.json" "$w/kernel.log" "$w/folded" <<'PYTHON'
import json, re, sys
totals = json.load(open(sys.argv[1]))["totals"]
taken = int(re.search(r"interrupts .*, sum (\d+)", open(sys.argv[2], errors="replace").read()).group(1))
assert totals["samples"] + totals["dropped"] + totals["outside"] == taken, (totals, taken)
# On a busy machine, QEMU raises fewer interrupts: 29 were seen.
assert taken > 8, taken
assert totals["no_function"] == 0, totals
assert "do_test;selftest_run;" in open(sys.argv[3]).read()
PYTHON
}
check "samples of a kernel: each interrupt of its CPUs is counted once" kernel
