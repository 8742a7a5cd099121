#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_cures.sh: images with faults made on purpose. `bareprof check` finds
# each, says whose it is, and what it proposes is done, word for word, where it
# says: then the finding is gone and nothing else is wrong.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib/check.sh"

[ -n "$version" ] || { skip "prepared faults: no clang with lld"; exit 0; }

# findings: of the image of the case, "SEVERITY ID" each.
findings() {
	"$BAREPROF" check --json "$case/image" >"$case/json" 2>"$case/err"
	python3 - "$case/json" "$1" <<'PYTHON'
import json, sys
for finding in json.load(open(sys.argv[1]))["findings"]:
    if sys.argv[2] == "all":
        print(finding["severity"], finding["id"])
    elif finding["id"] == sys.argv[2]:
        for fix in finding["fixes"]:
            print(fix["where"], fix["line"], finding.get("function", ""), sep="\t")
PYTHON
}

# cure ID: do what is proposed for it; there must be something.
cure() {
	findings "$1" >"$case/fixes"
	[ -s "$case/fixes" ] || return
	tab=$(printf '\t')
	while IFS=$tab read -r where line function; do
		apply "$where" "$line" "$function" || return
	done <"$case/fixes"
}

fails() {
	not_ok "$1"
	shift
	for file; do [ ! -s "$file" ] || sed 's/^/    /' "$file"; done
}

# fault WHAT SEVERITY ID WHO SETUP...: SETUP spoils the case that it is called in.
# WHO is a pattern that the text must have. With $linkers each, if they matter.
fault() {
	what=$1
	severity=$2
	id=$3
	who=$4
	shift 4
	for linker in ${linkers:-$lld}; do
		new_case
		name="$what${linkers:+ ($linker)}"
		echo $linker >"$case/ld"
		if ! (cd "$case" && "$@") || ! build_case; then
			fails "$name: does not build" "$case/log"
			continue
		fi
		findings all >"$case/before"
		cp "$case/json" "$WORK/$id.json"
		if ! grep -qx "$severity $id" "$case/before" || ! grep -Eq "\"text\": .*($who)" "$case/json"; then
			fails "$name: $severity $id is not found, or not of $who" "$case/json" "$case/err"
			continue
		fi
		if ! cure $id || ! build_case; then
			fails "$name: what is proposed cannot be done" "$case/fixes" "$case/log"
			continue
		fi
		findings all >"$case/after"
		# What else was there before is another matter.
		if [ ! -s "$case/json" ] || grep -q " $id\$" "$case/after" ||
			grep -vxFf "$case/before" "$case/after" >"$case/new"; then
			fails "$name: what is proposed does not help" "$case/fixes" "$case/after" "$case/err"
		else
			ok "$name: $id, and gone with $(awk -F'\t' '{ print $1 }' "$case/fixes" | sort -u | tr '\n' ' ')"
		fi
	done
	linkers=
}

# How the linker script says it wrongly: drop SECTION, in_section OTHER SECTION, and
# respell SECTION HEAD [CONTENT [TAIL]] for a statement of its own.
replace() {
	LINE="$2" awk -v name="$1" '$1 == name { print "\t" ENVIRON["LINE"]; next } { print }' script.ld >new.ld
	mv new.ld script.ld
}
drop() { replace "$1" "/DISCARD/ : { *($1) }"; }
in_section() { sed -i -e "/^	$2 /d" -e "s/^	$1 : {/& *($2)/" script.ld; }
respell() { replace "$1" "$1 $2 { __start_$1 = .; ${3:-KEEP(*($1))} __stop_$1 = .; } ${4-}"; }
# apart SECTION: that of b.o goes to another section.
apart() { respell "$1" ': ALIGN(8)' "*(EXCLUDE_FILE(*b.o) $1)" ".other : { KEEP(*($1)) }"; }
no_keep() {
	sed -i 's/KEEP(\(\*([^)]*)\))/\1/g' script.ld
	echo "$(cat ldflags) --gc-sections" >ldflags
}
extra() { echo "$(cat "$1") $2" >"$1"; }
of_compiler() { # SOURCE COMPILER OPTIONS
	source=$1
	shift
	echo "$1 $options $2" >"$source.cc"
}
both="$lld ld"

new_case
for linker in $both; do
	echo $linker >"$case/ld"
	build_case
	findings all >"$case/all"
	check "an image with no fault has no finding ($linker)" sh -c "[ -s '$case/json' ] && [ ! -s '$case/all' ]"
done

# What --gc-sections takes.
linkers=$both fault "no KEEP under --gc-sections" note names-unused unused no_keep
no_retain() { extra cflags -fno-integrated-as && no_keep; }
linkers=$both fault "names without SHF_GNU_RETAIN, of another assembler" error no-names __llvm_prf_names no_retain
one_no_retain() { of_compiler x.cc $clang "$coverage -fno-integrated-as" && no_keep; }
linkers=$both fault "names of one object so" error names-missing 'of some objects' one_no_retain

# What groups come to.
merged() { echo ld >partial_ld && echo "$1" >partial && cp "$WORK/merge.ld" partial.ld; }
cat >"$WORK/merge.ld" <<'LD'
SECTIONS
{
	__llvm_prf_cnts : { *(__llvm_prf_cnts) }
	__llvm_prf_data : { *(__llvm_prf_data) }
	__llvm_prf_bits : { *(__llvm_prf_bits) }
}
LD
linkers=$both fault "a COMDAT group that two ld -r made sections of" error weak-duplicate 'clamp.*COMDAT' \
	merged --force-group-allocation
merged_askew() { merged --force-group-allocation && respell __llvm_prf_cnts ': ALIGN(8)' 'KEEP(*two.ro(__llvm_prf_cnts)) KEEP(*(__llvm_prf_cnts))'; }
linkers=$both fault "the same, and counters in another order" error counters-shared clamp merged_askew
merged_by_lld() { merged "-T partial.ld" && echo $lld >partial_ld; }
linkers=ld fault "COMDAT groups lost by lld -r with a script" error records-unrelocated 'function' merged_by_lld
as_module() { extra ldflags -r; }
linkers=ld fault "a module: COMDAT groups that ld -r left apart" error section-split __llvm_prf_data as_module

# What a script does.
linkers=$both fault "names discarded" error no-names 'dropped __llvm_prf_names' drop __llvm_prf_names
linkers=$both fault "records discarded" error no-records 'nothing tells' drop __llvm_prf_data
linkers=$both fault "records of one object elsewhere" error records-lost 'b\.c:early' apart __llvm_prf_data
linkers=$both fault "counters of one object elsewhere" error counters-lost 'function .*(b|early)' apart __llvm_prf_cnts
linkers=$both fault "counters in .bss" error no-counters 'no section __llvm_prf_cnts' in_section .bss __llvm_prf_cnts
linkers=$both fault "records that start at odd words" error misaligned __llvm_prf_data \
	respell __llvm_prf_data '(ALIGN(8) + 4) : SUBALIGN(4)'
linkers=$both fault "a gap between records" error records-unknown 'record [0-9]' respell __llvm_prf_data ': SUBALIGN(512)'
linkers=$both fault "names with filling" error names-damaged 'names section' \
	respell __llvm_prf_names ': ALIGN(8)' 'KEEP(*(__llvm_prf_names)) . = ALIGN(64);' '=0x90909090'
linkers=$both fault "names NOLOAD" error names-not-filled __llvm_prf_names respell __llvm_prf_names '(NOLOAD) : ALIGN(8)'
linkers=$both fault "records NOLOAD" error records-not-filled __llvm_prf_data respell __llvm_prf_data '(NOLOAD) : ALIGN(8)'
linkers=$both fault "a bound that is off" error bound-wrong '__start___llvm_prf_cnts is 0x' \
	sed -i 's/__start___llvm_prf_cnts = \./& + 8/' script.ld
linkers=$both fault "no bounds" error bounds-undefined __stop___llvm_prf_names \
	sed -i 's/__st[artop]*___llvm_prf_[a-z]* = \.;//g' script.ld
linux_names() {
	sed -i -e 's/__start_\(__llvm_prf_[a-z]*\) = /\1_start = /' \
		-e 's/__stop_\(__llvm_prf_[a-z]*\) = /\1_end = /' script.ld
}
linkers=$both fault "bounds as Linux calls them" note bounds-linux-names '__llvm_prf_data_start' linux_names
all_in_data() { for name in cnts data names; do in_section .data __llvm_prf_$name; done; }
linkers=$both fault "all of it in .data" error bounds-undefined 'merged into other sections' all_in_data
read_only() {
	in_section .rodata __llvm_prf_cnts
	sed -i -e 's/^ENTRY/PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }\n&/' \
		-e 's/\*(__llvm_prf_cnts)/. = ALIGN(8); __start___llvm_prf_cnts = .; & __stop___llvm_prf_cnts = .;/' \
		-e '/^	\.head\.text/s/$/ :text/' -e '/^	\.data/s/$/ :data/' script.ld
}
linkers=$both fault "counters in a read-only segment" warning counters-read-only '\.rodata' read_only

# The mapping.
no_covmap() { echo -fprofile-instr-generate >cflags; }
fault "no coverage mapping" warning no-mapping 'no coverage mapping' no_covmap
in_rodata() { in_section .rodata __llvm_covfun && in_section .rodata __llvm_covmap; }
linkers=$both fault "the mapping in .rodata" warning no-mapping 'sections of its own' in_rodata
no_mapping() { drop __llvm_covmap && drop __llvm_covfun; }
linkers=$both fault "the mapping discarded" warning no-mapping 'no coverage mapping' no_mapping
# Objects of clang 12 and before have it in memory.
loaded() {
	echo "$objcopy --set-section-flags __llvm_covmap=alloc,readonly --set-section-flags __llvm_covfun=alloc,readonly" >after_cc
	sed -i 's/__llvm_cov\(map\|fun\) 0 :/__llvm_cov\1 :/' script.ld
}
linkers=$both fault "the mapping loaded" warning mapping-loaded 'bytes that only llvm-cov' loaded

# The build id.
linkers=$both fault "no build id" warning no-build-id 'build id' sh -c 'echo >ldflags'
headed() {
	bounded='__start_bareprof_build_id = .; KEEP(*(.note.gnu.build-id)) __stop_bareprof_build_id = .;'
	replace .note.gnu.build-id ".note.gnu.build-id : { $bounded }"
}
linkers=$both fault "a build id with its header" warning build-id-unbounded '20 bytes, but its bounds have 36' headed

# Lean images: records and names are in the file only.
lean() { script bareprof-lean >script.ld; }
lean_without() { lean && echo --build-id=none >ldflags; }
linkers=$both fault "lean, no build id" error no-build-id 'which ELF file' lean_without
lean_room() { lean && stamp_room; }
linkers=$both fault "lean, not stamped" error not-stamped 'nobody filled it in' lean_room
linkers=$both fault "not stamped" warning not-stamped 'nobody filled it in' stamp_room
lean_edit() { lean && sed -i "$1" script.ld; }
linkers=$both fault "lean, bounds of more than nothing" error bounds-not-loaded '__llvm_prf_data .* 48 bytes' \
	lean_edit 's/__stop___llvm_prf_data = \./& + 48/'
linkers=$both fault "lean, no bounds" error bounds-undefined __stop___llvm_prf_names \
	lean_edit 's/__st[artop]*___llvm_prf_names = \.;//g'
linkers=$both fault "lean, bounds at odd words" error misaligned __start___llvm_prf_data \
	lean_edit 's/\.bareprof_lean : ALIGN(8)/.bareprof_lean (ALIGN(8) + 4) :/'
lean_drop() { lean && drop $1; }
linkers=$both fault "lean, names discarded" error no-names 'dropped __llvm_prf_names' lean_drop __llvm_prf_names
lean_apart() { lean && replace __llvm_prf_data '__llvm_prf_data 0 (INFO) : { KEEP(*(EXCLUDE_FILE(*b.o) __llvm_prf_data)) } .other : { KEEP(*(__llvm_prf_data)) }'; }
linkers=$both fault "lean, records of one object elsewhere" error records-lost 'b\.c:early' lean_apart
linkers=$both fault "counters that are not loaded" error counters-not-loaded '__llvm_prf_cnts is not in memory' \
	respell __llvm_prf_cnts '0 (INFO) :'

# What compilers do.
plain() { echo -O1 >cflags; }
fault "not instrumented" error not-instrumented 'none of it' plain
early() { sed -i "s/^static int early/__attribute__((section(\"$1\"))) &/" b.c; }
for section in .noinstr.text .head.text; do
	fault "instrumented code in $section" warning forbidden 'b\.c:early' early $section
done
sites() {
	printf 'int x(int);\nint y(int);\nint (*p)(int) = y;\nint b(int);\nint b(int v) { return p(v) + x(v); }\n' >b.c
	echo -fprofile-generate >cflags
	extra ldflags "--defsym=__llvm_profile_instrument_target=entry --defsym=__llvm_profile_instrument_memop=entry"
}
fault "value sites" error value-sites 'nothing in the image notes values' sites
served() { sites && extra ldflags "--defsym=bareprof_values_start=entry"; }
in_text() { # SECTION: in a segment that cannot be written to
	in_section .rodata $1
	sed -i -e 's/^ENTRY/PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }\n&/' \
		-e "s/\*($1)/. = ALIGN(8); __start_$1 = .; & __stop_$1 = .;/" \
		-e '/^	\.head\.text/s/$/ :text/' -e '/^	\.data/s/$/ :data/' script.ld
}
served_heads() { served && in_text __llvm_prf_vals; }
linkers=$both fault "list heads in a read-only segment" error values-read-only '__llvm_prf_vals is in .*\.rodata' served_heads
served_nodes() { served && in_text __llvm_prf_vnds; }
linkers=$both fault "nodes in a read-only segment" error values-read-only '__llvm_prf_vnds is in .*\.rodata' served_nodes
# Records that nobody writes to may lie anywhere.
served_records() { served && in_text __llvm_prf_data; }
new_case
if (cd "$case" && served_records) && build_case && findings all >"$case/before" && [ -s "$case/json" ]; then
	check "records in a read-only segment, list heads elsewhere: nothing to find" sh -c "! grep -E 'value|fixed' '$case/before'"
else
	fails "records in a read-only segment, list heads elsewhere: does not build" "$case/log"
fi
old_records() {
	served_records && extra cflags --target=x86_64-none-elf && echo clang-16 >cc
	for f in x y; do echo "extern \"C\" int $f(int v) { return v; }" >$f.cc; done
	for f in runtime register_function register_names_function; do extra ldflags --defsym=__llvm_profile_$f=entry; done
}
linkers=$both fault "records in a read-only segment, no list heads" error value-records-read-only \
	'clang before 18 leaves no __llvm_prf_vals .*\.rodata' old_records
lean_sites() { sites && lean && sed -i 's/ ASSERT(.*)$//' script.ld; }
linkers=$both fault "lean, value sites" error value-sites-lean 'no record is in memory' lean_sites
if [ $version -ge 19 ]; then
	correlated() { echo "-g -fprofile-generate -mllvm -disable-vp=true -mllvm -profile-correlate=debug-info" >cflags; }
	fault "records in debug information" error correlated 'debug information only' correlated
	timeless() {
		echo "-fprofile-generate -mllvm -disable-vp=true -mllvm -pgo-temporal-instrumentation -mllvm -pgo-function-entry-coverage" >cflags
		extra ldflags "--defsym=__llvm_profile_set_timestamp=entry"
	}
	fault "a temporal profile of function entries" error no-timestamps 'clang makes no timestamps' timeless
	bytes() {
		extra cflags "-mllvm -enable-single-byte-coverage"
		respell __llvm_prf_cnts :
		sed -i 's/^	.data : {/& BYTE(1)/' script.ld
	}
	linkers=$both fault "single-byte counters behind a byte" error misaligned __llvm_prf_cnts bytes
fi
declares() { # COMPILER: an object with its version word, and no record
	printf 'int b(int);\nvoid entry(void);\nNONE void entry(void) { b(4); }\n' >a.c
	extra cflags "-DNONE="
	of_compiler a.c "$1" "-fprofile-generate -DNONE=__attribute__((no_profile_instrument_function))"
}
for other in 13 16; do
	if ! command -v clang-$other >/dev/null; then
		skip "objects of clang-$other: not installed"
	elif [ $version -lt 19 ]; then
		skip "objects of clang-$other: there is no other of another layout"
	else
		fault "an object of clang-$other" error two-compilers 'from x\.cc' of_compiler x.cc clang-$other "$coverage"
		[ $other -eq 13 ] || fault "an object that says to be of clang-$other" error version-differs \
			'says raw version 8' declares clang-$other
	fi
done
# Objects of one compiler and two kinds.
pgo="-fprofile-generate -mllvm -disable-vp=true"
among() { # OPTIONS SOURCE OPTIONS: of another kind than the others
	echo "$1" >cflags
	extra ldflags --defsym=__llvm_profile_set_timestamp=entry
	of_compiler "$2" $clang "$3"
}
fault "an object of IR PGO" error two-kinds '1 record .of y. with IR PGO, 7 with front-end counters' \
	of_compiler y.cc $clang "$pgo"
fault "one without a mapping" error two-kinds 'of unused, entry. with front-end counters, [0-9] with IR PGO' \
	among "$pgo" a.c -fprofile-instr-generate
if [ $version -ge 19 ]; then
	narrow="$coverage -mllvm -enable-single-byte-coverage"
	fault "an object with counters of one byte" error two-kinds 'from b\.c. with counters of one byte, 5 .* eight' \
		among "$coverage" b.c "$narrow"
	fault "an object with counters of eight bytes" error two-kinds 'from a\.c. with counters of eight bytes, .* one' \
		among "$narrow" a.c "$coverage"
	fault "an object without timestamps" error two-kinds 'of y. with no timestamps, 6 with timestamps' \
		among "$pgo -mllvm -pgo-temporal-instrumentation" y.cc "$pgo"
	fault "an object with blocks" error two-kinds 'of b. with more than function entries, 6 .* only' \
		among "$pgo -mllvm -pgo-function-entry-coverage" b.c "$pgo -mllvm -pgo-block-coverage"
fi

python3 tests/host/lib/json_schema.py check "$WORK"/*.json
