#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip.sh: tests the commands of machine profiles that read and write files: create, merge, show, report and convert. The
# images come from assembly that tests/mip/make.py writes. tests/mip/mip.py reads all files a second time, at the end of
# this script. Both scripts run once for many files, because a process for each file would take most of the time.
. "$(dirname "$0")/../lib.sh"

w=$WORK
made() { python3 tests/mip/make.py batch || not_ok "the inputs were made"; }
later() { echo "$*" >>"$w/verify"; } # later WHAT: VERB ARGUMENT...: what mip.py checks at the end
mip() { "$BAREPROF" mip "$@"; }
# Every width, at addresses at which 32-bit distances do not link; both modes together, and alone.
made <<END
asm x86_64 40 seed=3 out=$w/x86_64.s
script 0xffff82d040200000 out=$w/x86_64.ld
asm arm 40 seed=3 out=$w/arm.s
script 0x40000000 out=$w/arm.ld
asm aarch64 30 mode=coverage out=$w/coverage.s
script 0xffff800008000000 out=$w/coverage.ld
script 0xffff800008000000 raw=0xffff900008000000 out=$w/far.ld
asm aarch64 30 mode=calls out=$w/calls.s
script 0x40000000 out=$w/calls.ld
map8 $w/v8.1.mipmap kinds=1 count=20 seed=1
map8 $w/v8.3.mipmap kinds=3 count=20 blocks=5 seed=3
map8 $w/v8.12.mipmap kinds=12 count=20 seed=12
map8 $w/v8.14.mipmap kinds=14 count=20 blocks=5 seed=14
END
for image in x86_64:x86_64-linux-gnu arm:armv7a-none-eabi coverage:aarch64-none-elf calls:aarch64-none-elf; do
	name=${image%:*}
	"clang-$(newest_clang)" --target="${image#*:}" -c "$w/$name.s" -o "$w/$name.o" &&
		"ld.lld-$(newest_clang)" --build-id=sha1 -e 0 -T "$w/$name.ld" -o "$w/$name.elf" "$w/$name.o" || not_ok "image $name"
done
"ld.lld-$(newest_clang)" --build-id=sha1 -e 0 -T "$w/far.ld" -o "$w/far.elf" "$w/coverage.o"
objcopy --dump-section "__llvm_mipmap=$w/map" "$w/x86_64.elf" /dev/null
for name in x86_64 arm coverage calls; do
	# Targets without blocks and samples have a shorter header.
	header=$(case $name in calls | arm) echo 64 ;; *) echo 96 ;; esac)
	for seed in 1 2 3; do echo "raw $w/$name.elf $w/$name.$seed.mipraw seed=$seed slide=0x10000 header=$header"; done
done >"$w/raws"
for kinds in 1 3 12 14; do
	for seed in 1 2; do echo "raw $w/v8.$kinds.mipmap $w/v8.$kinds.$seed.mipraw version=8 seed=$seed"; done
done >>"$w/raws"
x=$w/x86_64
a=$w/arm
cat >>"$w/raws" <<END
words $w/calls.1.mipraw $w/limits 88=-1:4 92=-1:4 96=0x7fffffff:4 100=1:4 104=0:4 108=0x1000002:4 112=5:4 116=0xff000003:4 120=7:4 124=-1:4
sections $a.1.mipraw $w/raw.cov $w/raw.calls
capture $a.1.mipraw $w/dump.text form=text span=64
capture $a.1.mipraw $w/dump.file form=file span=64
capture $a.1.mipraw $w/dump.frames form=frames span=8 uniform=1
capture $a.2.mipraw $w/second.text form=text nonce=9
capture $a.3.mipraw $w/third.text form=text nonce=9 span=32
capture $x.1.mipraw $w/foreign.text form=text nonce=9
capture $a.1.mipraw $w/cut.text form=text span=64 drop=2
raw $x.elf $w/other.mipraw id=00112233
END
made <"$w/raws"

# Version 9: from the map to the sum of three boots.
flow() {
	mip create -p "$1.mip" "$1.elf" && mip merge -p "$1.mip" "$1.1.mipraw" "$1.2.mipraw" &&
		mip merge -p "$1.mip" -o "$1.all.mip" "$1.3.mipraw"
}
for name in arm coverage calls ${BAREPROF_WIDE:+x86_64}; do
	check "$name: create, and merge twice" flow "$w/$name"
	later "$name: the map and the profile agree with the second reader: agree $BAREPROF $w/$name.elf $w/$name.all.mip"
	later "$name: three raw profiles are added up: sums $w/$name.all.mip $w/$name.elf $w/$name.1.mipraw $w/$name.2.mipraw $w/$name.3.mipraw"
done
shuffled() {
	for i in 1 2 3; do mip merge --elf "$a.elf" -o "$w/one$i.mip" "$a.$i.mipraw" || return 1; done
	mip merge -o "$w/shuffled.mip" "$w/one3.mip" "$w/one1.mip" "$a.2.mipraw" && cmp "$w/shuffled.mip" "$a.all.mip"
}
check "merging in another order, and merging profiles, gives the same file" shuffled

# Counts at the limits: the entries start at offset 88, after the header and the build id.
limits() {
	mip merge --elf "$w/calls.elf" -o "$w/limits.mip" "$w/limits" && mip show "$w/limits.mip" |
		awk '/Call Count|Order/ && ++n <= 9' | sed 's/^ *//' >"$w/limits.txt" && printf '%s\n' 'Call Count: 0' \
		'Call Count: 2147483648' 'Order: 1' 'Call Count: 2147483649' 'Order: 2' \
		'Call Count: at least 547608330246' 'Order: 3' 'Call Count: 8' 'Order: not known' | diff - "$w/limits.txt"
}
check "counts near 2^31, the maximum number of overflows, and an order that is not known" limits

# A map that objcopy took out has no build id.
from_map() {
	mip create -p "$w/x.mip" "$w/map" && mip merge -p "$w/x.mip" "$x.1.mipraw" "$x.2.mipraw" 2>"$w/x.err" &&
		[ "$(grep -c 'the map has no build id' "$w/x.err")" = 1 ]
}
check "a map that objcopy took out: sizes are compared, and the first raw profile gives the build id" from_map
later "a profile from a map that objcopy took out: agree $BAREPROF $w/map $w/x.mip"
later "its sums: sums $w/x.mip $w/map $x.1.mipraw $x.2.mipraw"
check "convert writes the map that objcopy takes out" sh -c \
	"'$BAREPROF' mip convert --to mipmap -o '$w/again.mipmap' '$x.elf' && cmp '$w/map' '$w/again.mipmap'"

# The sections of a module (ld -r) have no addresses, and its map has relocations. A loader places each section
# anywhere.
module() {
	cat >"$w/module.ld" <<'END'
SECTIONS {
	.text 0 : { *(.text .text.*) }
	__llvm_mipraw_cov 0 : ALIGN(8) { *(__llvm_mipraw_cov) }
	__llvm_mipraw_calls 0 : ALIGN(8) { *(__llvm_mipraw_calls) }
	__llvm_mipmap 0 : { *(__llvm_mipmap) }
}
END
	"ld.lld-$(newest_clang)" -r -T "$w/module.ld" -o "$w/module.ko" "$w/arm.o" && mip create -o "$w/module.mip" "$w/module.ko" &&
		printf '%s\n' "raw $w/module.mip $w/fixed seed=5" "words $w/fixed $w/module.mipraw 48=0x9000:8 56=0x5000:8" |
		python3 tests/mip/make.py batch && mip merge -p "$w/module.mip" -o "$w/module.all.mip" "$w/module.mipraw" 2>/dev/null
}
check "a module: its map is relocated, and its sections may be anywhere" module
later "a module has all functions, and its sums: sums $w/module.all.mip $w/module.mip $w/module.mipraw"
check "a module has the functions of the linked image" test \
	"$(mip show "$w/module.mip" --sort name | grep -v '^ ' | sed '$d')" = "$(mip show "$a.mip" --sort name | grep -v '^ ' | sed '$d')"

# Dumps in captures and logs.
dumps() {
	for form in text file frames; do
		mip convert --to mipraw -o "$w/dump.mipraw" --elf "$a.elf" "$w/dump.$form" && cmp "$w/dump.mipraw" "$a.1.mipraw" &&
			mip merge --elf "$a.elf" -o "$w/dump.mip" "$w/dump.$form" && cmp "$w/dump.mip" "$w/one1.mip" || return 1
	done
}
decoded() {
	for form in text frames; do
		python3 tests/capture/decode.py -o "$w/decoded" "$w/dump.$form" && cmp "$w/decoded.mip_cov" "$w/raw.cov" &&
			cmp "$w/decoded.mip_calls" "$w/raw.calls" || return 1
	done
}
check "the second reader of captures reads the dump" decoded
check "a dump as text, as a file and in frames becomes the target's .mipraw" dumps
boots() {
	cat "$w/dump.text" "$w/second.text" "$w/foreign.text" "$w/third.text" >"$w/boots.log"
	mip merge --elf "$a.elf" -o "$w/boots.mip" "$w/boots.log" 2>"$w/boots.err" && cat "$w/boots.err" &&
		grep -q 'note: 1 of 4 dumps of machine profiles was left out, because a later dump' "$w/boots.err" &&
		grep -q 'note: 1 of 4 dumps of machine profiles was left out, because of another build id' "$w/boots.err"
}
check "a log with two boots, a later dump of one boot, and a dump of another program" boots
later "its sums: sums $w/boots.mip $a.elf $a.1.mipraw $a.3.mipraw"
# A log with both kinds of dumps: each command takes its kind, whichever comes last.
build/tests/bin/emit raw >"$w/llvm.profraw"
build/tests/bin/emit text >"$w/llvm.text"
both() {
	cat "$w/llvm.text" "$w/dump.text" >"$w/both1.log" && cat "$w/dump.text" "$w/llvm.text" >"$w/both2.log"
	for log in "$w/both1.log" "$w/both2.log"; do
		mip merge --elf "$a.elf" -o "$w/both.mip" "$log" && cmp "$w/both.mip" "$w/one1.mip" &&
			"$BAREPROF" pull "$log" -o "$w/both.profraw" 2>"$w/both.err" && cmp "$w/both.profraw" "$w/llvm.profraw" &&
			grep -q "the input also has 1 dump of machine profiles, which 'bareprof mip merge' reads" "$w/both.err" &&
			"$BAREPROF" merge "$log" -o "$w/both.profdata" || return 1
	done
	"$BAREPROF" pull --list "$w/both1.log" | grep -q 'machine profile of [0-9]* coverage bytes'
}
check "a log with both kinds of dumps: each command takes its kind" both
saved() {
	"$BAREPROF" pull "$w/dump.text" && cmp "$w/dump.capture" "$w/dump.file" &&
		"$BAREPROF" pull --all "$w/all" "$w/both2.log" && [ "$(find "$w/all" -name '*.capture' | wc -l)" = 1 ]
}
check "pull saves a dump of a machine profile as a capture" saved

# live LOG: pulls from a target that sends the content of LOG and then "done".
live() {
	rm -f "$w/live" "$w"/live.profraw* "$w/socket"
	python3 - "$w/socket" "$1" <<'END' &
import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen(1)
client = server.accept()[0]
with open(sys.argv[2], "rb") as log:
    client.sendall(log.read() + b"done\r\n")
client.recv(1)
END
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$w/socket" ] && break || sleep 0.2; done
	"$BAREPROF" pull "unix:$w/socket" --until done --timeout 20 -o "$w/live.profraw" >/dev/null && wait
}
for log in both1 ${BAREPROF_WIDE:+both2}; do
	if live "$w/$log.log" 2>"$w/live.err" && cmp "$w/live.profraw" "$w/llvm.profraw" &&
		"$BAREPROF" mip merge --elf "$a.elf" -o "$w/live.mip" "$w"/live.profraw.* && cmp "$w/live.mip" "$w/one1.mip"; then
		ok "$log: pull from a live source writes both dumps, and OUT is the .profraw"
	else
		fails "$log: pull from a live source" "$w/live.err"
	fi
done

found() {
	mip merge --elf "$x.elf" --elf "$a.elf" -o "$w/found.mip" "$a.1.mipraw" && cmp "$w/found.mip" "$w/one1.mip" &&
		mip merge --elf-dir "$w" -o "$w/found.mip" "$w/dump.text" && cmp "$w/found.mip" "$w/one1.mip" &&
		mip merge --elf-dir "$w" -o "$w/found.mip" "$w/one1.mip" && [ -s "$w/found.mip" ]
}
check "merge finds the ELF file by its build id" found

# Version 8: function coverage, call counts, and both with blocks.
version8() {
	mip create -p "$1.mip" "$1.mipmap" && mip merge -p "$1.mip" "$1".?.mipraw &&
		mip convert --to mip:8 -o "$1.8.mip" "$1.mip" && mip convert --to mip:9 -o "$1.9.mip" "$1.8.mip" &&
		mip convert --to mip:8 -o "$1.88.mip" "$1.9.mip" && cmp "$1.8.mip" "$1.88.mip" &&
		mip convert --to mipmap:8 -o "$1.again" "$1.mipmap"
}
for kinds in 1 14 ${BAREPROF_WIDE:+3 12}; do
	old=$w/v8.$kinds
	check "version 8, kinds $kinds: create, merge and convert" version8 "$old"
	later "version 8, kinds $kinds: the files agree with the second reader: agree $BAREPROF $old.mipmap $old.again $old.mip $old.8.mip $old.9.mip"
	later "version 8, kinds $kinds: the sums: sums $old.mip $old.mipmap $old.1.mipraw $old.2.mipraw"
done
to_version8() {
	mip merge --elf "$1.elf" -o "$1.mip" "$1.1.mipraw" && mip convert --to mipmap:8 -o "$1.8.mipmap" "$1.elf" &&
		mip convert --to mipraw:8 --elf "$1.elf" -o "$1.8.mipraw" "$1.1.mipraw" &&
		mip merge --elf "$1.8.mipmap" -o "$1.8.mip" "$1.8.mipraw" && mip convert --to mip:8 -o "$1.98.mip" "$1.mip"
}
for mode in coverage calls; do
	new=$w/$mode
	check "mode $mode: map, raw profile and profile become version 8" to_version8 "$new"
	later "mode $mode: the map of version 8: agree $BAREPROF $new.8.mipmap"
	later "mode $mode: the raw profile of version 8: sums $new.8.mip $new.8.mipmap $new.8.mipraw"
	later "mode $mode: it has what version 9 has: same $new.mip $new.8.mip calls,at_least,raw,address,start"
	later "mode $mode: the profile of version 8 has what version 9 has: same $new.mip $new.98.mip raw,address,start,orders,at_least"
done

# Damaged and wrong files: one sentence, and no output.
made <<END
cut $a.1.mipraw $w/cut1 63
cut $a.1.mipraw $w/cut2 -1
cut $a.all.mip $w/cut3 87
cut $a.all.mip $w/cut4 -1
cut $w/v8.14.8.mip $w/cut5 23
cut $w/v8.14.8.mip $w/cut6 100
cut $w/v8.14.8.mip $w/cut7 -1
cut $w/map $w/cut8 39
cut $w/map $w/cut9 -8
words $a.1.mipraw $w/version10 4=10:2
words $w/v8.1.mipmap $w/draft 6=0x12:2
words $a.1.mipraw $w/width3 16=3:4
words $a.1.mipraw $w/overflow 32=-1:8
overlap $w/map $w/overlap
words $w/map $w/long 8=0xfffffff8:4
words $w/map $w/kinds 12=5:2
words $w/v8.1.mipmap $w/kinds.mipmap 8=5:4
words $w/v8.1.1.mipraw $w/kinds.mipraw 8=5:4
words $w/v8.1.8.mip $w/kinds.mip 8=5:4
words $a.mip $w/many 16=0x100000000:8
words $a.mip $w/zero 16=0:8
words $w/v8.1.8.mip $w/many8 24=0x100000000:8
raw $a.elf $w/id id=0011
raw $a.elf $w/id0 id=0000
raw $a.elf $w/sizes id=none extra=1
zero $a.1.mipraw $w/unset
END
cp "$a.mip" "$w/flip"
printf '\001' | dd of="$w/flip" bs=1 seek=100 conv=notrunc 2>/dev/null
wrong() {
	refuses "$1" "$2" "$BAREPROF" mip $3 "$4" -o "$w/no"
	[ ! -e "$w/no" ] || not_ok "$1: an output was written"
}
merge="merge --elf $a.elf"
for i in 2 4 ${BAREPROF_WIDE:+1 3}; do wrong "a file that ends too early ($i)" "copy the file again" "$merge" "$w/cut$i"; done
for i in 6 ${BAREPROF_WIDE:+5 7}; do wrong "a file of version 8 that ends too early ($i)" "copy the file again" "merge -p $w/v8.14.mip" "$w/cut$i"; done
for i in 9 ${BAREPROF_WIDE:+8}; do wrong "a map that ends too early ($i)" "damaged record at offset [0-9]+" create "$w/cut$i"; done
wrong "an empty map" "is neither an ELF file nor a map .*; give such a file" create /dev/null
wrong "a raw profile in place of a map" "is a raw machine profile .*, but a map .* is needed here" create "$a.1.mipraw"
wrong "a version from the future" "has version 10 at offset 4, but this bareprof reads versions 8 and 9" "$merge" "$w/version10"
wrong "the later draft of version 8" "belongs to a later draft of version 8" create "$w/draft"
wrong "another pointer width" "comes from a 64-bit target, but the map from a 32-bit target" "$merge" "$x.1.mipraw"
wrong "an impossible pointer width" "damaged header: the pointer width at offset 16 is 3" "$merge" "$w/width3"
wrong "sizes that overflow" "do not fit its header .* 18446744073709551615 coverage bytes" "$merge" "$w/overflow"
wrong "records that overlap" "has two records, for '.*' and '.*', that share the raw byte at offset [0-9]+" create "$w/overlap"
wrong "a record without an end" "damaged record at offset 0: its size is not a multiple of 8" create "$w/long"
wrong "unknown kinds" "damaged record at offset 0: its kinds are neither 0, 1 nor 12" create "$w/kinds"
for i in mipmap mipraw mip; do
	case $i in mipmap) command=create ;; *) command="merge -p $w/v8.1.mip" ;; esac
	wrong "unknown kinds in a .$i of version 8" "has the kinds 0x5 at offset 8" "$command" "$w/kinds.$i"
done
wrong "2^32 functions" "announces 4294967296 functions" "$merge" "$w/many"
wrong "2^32 functions in version 8" "announces 4294967296 functions at offset 24" "merge -p $w/v8.1.mip" "$w/many8"
wrong "zero functions" "has blocks or names that belong to none of its 0 functions" "$merge" "$w/zero"
wrong "a changed byte" "is damaged: the checksum at offset [0-9]+ does not fit" "$merge" "$w/flip"
wrong "a profile of another link" "comes from another link: its build id is" "$merge" "$w/coverage.mip"
wrong "a raw profile of another link" "comes from another link: its build id is 0011, but the map has [0-9a-f]{40}" "$merge" "$w/id"
wrong "a build id of zeros" "has a build id of zeros, .* 'bareprof stamp'" "$merge" "$w/id0"
wrong "other sizes without a build id" "has [0-9]+ coverage bytes, but the map has [0-9]+, so they come from different links" "$merge" "$w/sizes"
wrong "call entries that were not set to the start value" "has an impossible call entry .* start function of the runtime" "$merge" "$w/unset"
wrong "another build id than that of the first raw profile" "its build id is 00112233, but" "merge -p $w/x.mip" "$w/other.mipraw"
wrong "no ELF file with the build id" "00112233" "merge --elf-dir $w" "$w/other.mipraw"
wrong "an ELF file without a map" "has no section '__llvm_mipmap'" create "$BAREPROF"
wrong "an object that was not linked" "has 40 sections '__llvm_mipmap', so it is not linked yet" create "$w/x86_64.o"
wrong "text" "contains no dump" "$merge" "$w/arm.s"
wrong "an incomplete dump" "the dump [0-9a-f]{8} is incomplete: block 2 of 4 is missing; dump again" "$merge" "$w/cut.text"
wrong "a profile that has runs" "is a machine profile that already has runs" create "$a.mip"
wrong "version 8 cannot hold both modes" "has functions in mode 'coverage' and in mode 'calls'.* but .* use version 9" "convert --to mip:8" "$a.mip"
wrong "version 8 cannot hold large distances" "more than 2 GiB away" "convert --to mip:8" "$w/far.elf"
wrong "a map of version 8 has no addresses" "is a map of version 8, which has no addresses" "convert --to mipmap:9" "$w/v8.1.mipmap"
wrong "a raw profile of version 9 for a map of version 8" "is a raw profile of version 9, but the map or profile has version 8" \
	"merge -p $w/v8.1.mip" "$a.1.mipraw"
refuses "merge says which command reads a machine profile" "has a machine profile in the dump .*'bareprof mip merge' reads it" \
	"$BAREPROF" merge "$w/dump.text" -o "$w/no"
refuses "merge says which commands read a .mip" "is a file of a machine profile .* 'bareprof mip'" "$BAREPROF" merge "$a.mip" -o "$w/no"
check "after an error, the profile is as it was" sh -c "cp '$a.mip' '$w/keep.mip'
	! '$BAREPROF' mip merge -p '$w/keep.mip' '$a.1.mipraw' '$x.1.mipraw' && cmp '$a.mip' '$w/keep.mip'"
python3 tests/mip/mip.py batch <"$w/verify"
