#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_cures.sh: builds images with faults made on purpose. `bareprof check` must find each fault and describe the
# fault correctly. The test then applies the line that check proposes, at the location that check proposes. After that,
# the finding must be gone and no new finding may appear.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib/check.sh"

[ -n "$version" ] || { skip "prepared faults: no clang with lld"; exit 0; }

# findings NAME [PATTERN]: sets $found to a line "SEVERITY ID" for each finding about the image of the case, and writes
# the findings to $case/NAME. Writes a line for each fix to $case/fixes: the id of the finding, location, line and
# function. Fails if PATTERN is given and matches the text of no finding. The last line of this script checks the form
# of all JSON files.
findings() {
	"$BAREPROF" check --json "$case/image" >"$case/$1" 2>"$case/err"
	found=$(PATTERN=${2:+"\"text\": .*($2)"} FIXES=$case/fixes awk '
		function value() { sub(/^[^:]*: "/, ""); sub(/",?$/, ""); gsub(/\\"/, "\""); return $0 }
		BEGIN { printf "" >ENVIRON["FIXES"] }
		ENVIRON["PATTERN"] == "" || $0 ~ ENVIRON["PATTERN"] { matched = 1 }
		/^ *"severity": / { severity = value(); name = "" }
		/^ *"id": / { id = value(); print severity, id }
		/^ *"function": / { name = value() }
		/^ *"where": / { where = value() }
		/^ *"line": / { print id "\t" where "\t" value() "\t" name >ENVIRON["FIXES"] }
		END { exit !matched }' "$case/$1")
}

# cure ID: applies the fixes that check proposed for the finding ID, and sets $places to their locations. Fails if check
# proposed none.
cure() {
	places=
	tab=$(printf '\t')
	while IFS=$tab read -r of where line function; do
		[ "$of" = "$1" ] || continue
		apply "$where" "$line" "$function" || return
		case " $places" in *" $where "*) ;; *) places="$places$where " ;; esac
	done <"$case/fixes"
	[ -n "$places" ]
}

# has_line LINE LINES: succeeds if LINE is one of the LINES.
has_line() { case "$newline$2$newline" in *"$newline$1$newline"*) ;; *) return 1 ;; esac; }
newline='
'

# fault WHAT SEVERITY ID PATTERN SETUP...: makes a new case. The command SETUP, which runs in the folder of the case,
# adds the fault. check must report the finding ID with a text that matches PATTERN, and the proposed fix must remove
# the finding. If $linkers is set, the test is repeated with each linker in $linkers. Without BAREPROF_WIDE=1, only one
# of these linkers is used; the linker changes from case to case.
turn=0
fault() {
	what=$1
	severity=$2
	id=$3
	pattern=$4
	shift 4
	if [ -n "$linkers" ] && [ -z "${BAREPROF_WIDE-}" ]; then
		turn=$((turn + 1))
		[ $((turn % 2)) -eq 0 ] && linkers=${linkers%% *} || linkers=${linkers##* }
	fi
	for linker in ${linkers:-$lld}; do
		new_case
		name="$what${linkers:+ ($linker)}"
		echo $linker >"$case/ld"
		if ! (cd "$case" && "$@") || ! build_case; then
			fails "$name: does not build" "$case/log"
			continue
		fi
		if ! findings $id.json "$pattern" || ! has_line "$severity $id" "$found"; then
			fails "$name: no $severity $id with a text like '$pattern'" "$case/$id.json" "$case/err"
			continue
		fi
		before=$found
		if ! cure $id || ! build_case; then
			fails "$name: what is proposed cannot be done" "$case/fixes" "$case/log"
			continue
		fi
		# Findings that were there before the fix may remain, but the fix must not add a finding.
		findings after
		new=
		while read -r line; do
			[ -z "$line" ] || has_line "$line" "$before" || new=$line
			[ "${line#* }" != $id ] || new=$line
		done <<END
$found
END
		if [ ! -s "$case/after" ] || [ -n "$new" ]; then
			fails "$name: what is proposed does not help" "$case/after" "$case/err"
		else
			ok "$name: $id, fixed by $places"
		fi
	done
	linkers=
}

# Functions that make faults in the linker script. drop SECTION discards the section. in_section OTHER SECTION merges
# SECTION into OTHER. respell SECTION HEAD [CONTENT [TAIL]] replaces the statement that places SECTION: HEAD is the text
# between the name and the brace, CONTENT is the text in the braces, and TAIL is the text after them.
replace() {
	LINE="$2" awk -v name="$1" '$1 == name { print "\t" ENVIRON["LINE"]; next } { print }' script.ld >new.ld
	mv new.ld script.ld
}
drop() { replace "$1" "/DISCARD/ : { *($1) }"; }
in_section() { sed -i -e "/^	$2 /d" -e "s/^	$1 : {/& *($2)/" script.ld; }
respell() { replace "$1" "$1 $2 { __start_$1 = .; ${3:-KEEP(*($1))} __stop_$1 = .; } ${4-}"; }
# apart SECTION: puts b.o's part of SECTION into another section.
apart() { respell "$1" ': ALIGN(8)' "*(EXCLUDE_FILE(*b.o) $1)" ".other : { KEEP(*($1)) }"; }
no_keep() {
	sed -i 's/KEEP(\(\*([^)]*)\))/\1/g' script.ld
	echo "$(cat ldflags) --gc-sections" >ldflags
}
extra() { echo "$(cat "$1") $2" >"$1"; }
# of_compiler SOURCE COMPILER OPTIONS: makes the build compile SOURCE with COMPILER and OPTIONS, in place of the
# compiler and options of the other sources.
of_compiler() {
	source=$1
	shift
	echo "$1 $options $2" >"$source.cc"
}
both="$lld ld"

new_case
for linker in $both; do
	echo $linker >"$case/ld"
	build_case
	findings sound
	check "an image with no fault has no finding ($linker)" [ -s "$case/sound" -a -z "$found" ]
done

# Faults that the linker option --gc-sections causes.
linkers=$both fault "no KEEP under --gc-sections" warning names-unused unused no_keep
no_retain() { extra cflags -fno-integrated-as && no_keep; }
linkers=$both fault "names without SHF_GNU_RETAIN, of another assembler" error no-names __llvm_prf_names no_retain
one_no_retain() { of_compiler x.cc $clang "$coverage -fno-integrated-as" && no_keep; }
linkers=$both fault "names of one object without SHF_GNU_RETAIN" error names-missing 'of some objects' one_no_retain

# Faults that ld -r causes if the objects have COMDAT groups.
merged() { echo ld >partial_ld && echo "$1" >partial && cp "$WORK/merge.ld" partial.ld; }
cat >"$WORK/merge.ld" <<'LD'
SECTIONS
{
	__llvm_prf_cnts : { *(__llvm_prf_cnts) }
	__llvm_prf_data : { *(__llvm_prf_data) }
	__llvm_prf_bits : { *(__llvm_prf_bits) }
}
LD
linkers=$both fault "a COMDAT group that ld -r turned into sections twice" error weak-duplicate 'clamp.*COMDAT' \
	merged --force-group-allocation
merged_askew() { merged --force-group-allocation && respell __llvm_prf_cnts ': ALIGN(8)' 'KEEP(*two.ro(__llvm_prf_cnts)) KEEP(*(__llvm_prf_cnts))'; }
linkers=$both fault "a COMDAT group turned into sections twice, counters in another order" error counters-shared clamp merged_askew
merged_by_lld() { merged "-T partial.ld" && echo $lld >partial_ld; }
linkers=ld fault "COMDAT groups lost by lld -r with a script" error records-unrelocated 'function' merged_by_lld
as_module() { extra ldflags -r; }
linkers=ld fault "a module in which ld -r left COMDAT groups apart" error section-split __llvm_prf_data as_module

# Faults in the linker script.
linkers=$both fault "names discarded" error no-names 'dropped __llvm_prf_names' drop __llvm_prf_names
linkers=$both fault "records discarded" error no-records 'functions are unknown' drop __llvm_prf_data
linkers=$both fault "records of one object elsewhere" error records-lost 'b\.c:early' apart __llvm_prf_data
linkers=$both fault "counters of one object elsewhere" error counters-lost 'function .*(b|early)' apart __llvm_prf_cnts
linkers=$both fault "counters in .bss" error no-counters 'neither a section __llvm_prf_cnts' in_section .bss __llvm_prf_cnts
linkers=$both fault "records that start 4 bytes after a multiple of 8" error misaligned __llvm_prf_data \
	respell __llvm_prf_data '(ALIGN(8) + 4) : SUBALIGN(4)'
linkers=$both fault "a gap between records" error records-unknown 'record [0-9]' respell __llvm_prf_data ': SUBALIGN(512)'
linkers=$both fault "names with fill bytes after them" error names-damaged 'names section' \
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
linkers=$both fault "the profile's sections merged into .data" error bounds-undefined 'merged them into others' all_in_data
read_only() {
	in_section .rodata __llvm_prf_cnts
	sed -i -e 's/^ENTRY/PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }\n&/' \
		-e 's/\*(__llvm_prf_cnts)/. = ALIGN(8); __start___llvm_prf_cnts = .; & __stop___llvm_prf_cnts = .;/' \
		-e '/^	\.head\.text/s/$/ :text/' -e '/^	\.data/s/$/ :data/' script.ld
}
linkers=$both fault "counters in a read-only segment" warning counters-read-only '\.rodata' read_only

# Faults with the coverage mapping.
no_covmap() { echo -fprofile-instr-generate >cflags; }
fault "no coverage mapping" warning no-mapping 'no coverage mapping' no_covmap
in_rodata() { in_section .rodata __llvm_covfun && in_section .rodata __llvm_covmap; }
linkers=$both fault "the coverage mapping in .rodata" warning no-mapping 'needs the sections __llvm_covmap and __llvm_covfun' in_rodata
no_mapping() { drop __llvm_covmap && drop __llvm_covfun; }
linkers=$both fault "the coverage mapping discarded" warning no-mapping 'no coverage mapping' no_mapping
# clang 12 and older releases mark the sections of the coverage mapping as allocated, so they are loaded.
loaded() {
	echo "$objcopy --set-section-flags __llvm_covmap=alloc,readonly --set-section-flags __llvm_covfun=alloc,readonly" >after_cc
	sed -i 's/__llvm_cov\(map\|fun\) 0 :/__llvm_cov\1 :/' script.ld
}
linkers=$both fault "the coverage mapping loaded" warning mapping-loaded 'bytes of memory; only llvm-cov reads' loaded

# Faults with the build id.
linkers=$both fault "no build id" warning no-build-id 'build id.* bareprof.c with -DBAREPROF_STAMP, and run bareprof stamp' sh -c 'echo >ldflags'
headed() {
	bounded='__start_bareprof_build_id = .; KEEP(*(.note.gnu.build-id)) __stop_bareprof_build_id = .;'
	replace .note.gnu.build-id ".note.gnu.build-id : { $bounded }"
}
linkers=$both fault "bounds of the build id that include the note's header" warning build-id-unbounded \
	'20 bytes, but the symbols at its start and end enclose 36' headed

# Faults in lean images, whose records and names are in the ELF file only.
lean() { script bareprof-lean >script.ld; }
lean_without() { lean && echo --build-id=none >ldflags; }
linkers=$both fault "lean, no build id" error no-build-id 'the ELF file that has its records' lean_without
lean_room() { lean && stamp_room; }
linkers=$both fault "lean, not stamped" error not-stamped 'only empty space for a build id' lean_room
linkers=$both fault "not stamped" warning not-stamped 'only empty space for a build id' stamp_room
lean_edit() { lean && sed -i "$1" script.ld; }
linkers=$both fault "lean, bounds that enclose memory" error bounds-not-loaded '__llvm_prf_data .* 48 bytes' \
	lean_edit 's/__stop___llvm_prf_data = \./& + 48/'
linkers=$both fault "lean, no bounds" error bounds-undefined __stop___llvm_prf_names \
	lean_edit 's/__st[artop]*___llvm_prf_names = \.;//g'
linkers=$both fault "lean, bounds 4 bytes after a multiple of 8" error misaligned __start___llvm_prf_data \
	lean_edit 's/\.bareprof_lean : ALIGN(8)/.bareprof_lean (ALIGN(8) + 4) :/'
lean_drop() { lean && drop $1; }
linkers=$both fault "lean, names discarded" error no-names 'dropped __llvm_prf_names' lean_drop __llvm_prf_names
lean_apart() { lean && replace __llvm_prf_data '__llvm_prf_data 0 (INFO) : { KEEP(*(EXCLUDE_FILE(*b.o) __llvm_prf_data)) } .other : { KEEP(*(__llvm_prf_data)) }'; }
linkers=$both fault "lean, records of one object elsewhere" error records-lost 'b\.c:early' lean_apart
linkers=$both fault "counters that are not loaded" error counters-not-loaded '__llvm_prf_cnts is not loaded' \
	respell __llvm_prf_cnts '0 (INFO) :'

# Faults in compiler options and sources.
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
fault "value sites, but no runtime that records values" error value-sites 'nothing in the image records values' sites
served() { sites && extra ldflags "--defsym=bareprof_values_start=entry"; }
# in_text SECTION: merges SECTION into .rodata, in a read-only segment.
in_text() {
	in_section .rodata $1
	sed -i -e 's/^ENTRY/PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }\n&/' \
		-e "s/\*($1)/. = ALIGN(8); __start_$1 = .; & __stop_$1 = .;/" \
		-e '/^	\.head\.text/s/$/ :text/' -e '/^	\.data/s/$/ :data/' script.ld
}
served_heads() { served && in_text __llvm_prf_vals; }
linkers=$both fault "list heads of values in a read-only segment" error values-read-only '__llvm_prf_vals is in .*\.rodata' served_heads
served_nodes() { served && in_text __llvm_prf_vnds; }
linkers=$both fault "nodes of values in a read-only segment" error values-read-only '__llvm_prf_vnds is in .*\.rodata' served_nodes
# Records may be read-only if the runtime does not write to them.
served_records() { served && in_text __llvm_prf_data; }
new_case
if (cd "$case" && served_records) && build_case && findings before && [ -s "$case/before" ]; then
	case $found in
	*value* | *fixed*) not_ok "records in a read-only segment, list heads elsewhere: $found" ;;
	*) ok "records in a read-only segment, list heads elsewhere: no finding" ;;
	esac
else
	fails "records in a read-only segment, list heads elsewhere: does not build" "$case/log"
fi
old_records() {
	served_records && extra cflags --target=x86_64-none-elf && echo clang-16 >cc
	for f in x y; do echo "extern \"C\" int $f(int v) { return v; }" >$f.cc; done
	for f in runtime register_function register_names_function; do extra ldflags --defsym=__llvm_profile_$f=entry; done
}
linkers=$both fault "records in a read-only segment, no list heads" error value-records-read-only \
	'clang before 18 makes no __llvm_prf_vals .*\.rodata' old_records
lean_sites() { sites && lean && sed -i 's/ ASSERT(.*)$//' script.ld; }
linkers=$both fault "lean, value sites" error value-sites-lean 'no record is in memory' lean_sites
if [ $version -ge 19 ]; then
	correlated() { echo "-g -fprofile-generate -mllvm -disable-vp=true -mllvm -profile-correlate=debug-info" >cflags; }
	fault "records in debug information" error correlated 'only in the debug information' correlated
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
	linkers=$both fault "single-byte counters at an odd address" error misaligned __llvm_prf_cnts bytes
fi
# declares COMPILER: adds an object that COMPILER made. The object has the version word of COMPILER, but no record.
declares() {
	printf 'int b(int);\nvoid entry(void);\nNONE void entry(void) { b(4); }\n' >a.c
	extra cflags "-DNONE="
	of_compiler a.c "$1" "-fprofile-generate -DNONE=__attribute__((no_profile_instrument_function))"
}
for other in 13 16; do
	if ! command -v clang-$other >/dev/null; then
		skip "objects of clang-$other: not installed"
	elif [ $version -lt 19 ]; then
		skip "objects of clang-$other: no other compiler here has another record layout"
	else
		fault "an object of clang-$other" error two-compilers 'from x\.cc' of_compiler x.cc clang-$other "$coverage"
		[ $other -eq 13 ] || fault "an object with the version word of clang-$other" error version-differs \
			'declares raw version 8' declares clang-$other
	fi
done
# Faults with two kinds of instrumentation in objects of one compiler.
pgo="-fprofile-generate -mllvm -disable-vp=true"
# among OPTIONS SOURCE OTHER-OPTIONS: compiles SOURCE with OTHER-OPTIONS, and all other sources with OPTIONS.
among() {
	echo "$1" >cflags
	extra ldflags --defsym=__llvm_profile_set_timestamp=entry
	of_compiler "$2" $clang "$3"
}
fault "an object of IR PGO among front-end objects" error two-kinds '1 record .of y. with IR PGO, and 7 with front-end counters' \
	of_compiler y.cc $clang "$pgo"
fault "a front-end object without a coverage mapping among IR PGO" error two-kinds 'of unused, entry. with front-end counters, and [0-9] with IR PGO' \
	among "$pgo" a.c -fprofile-instr-generate
if [ $version -ge 19 ]; then
	narrow="$coverage -mllvm -enable-single-byte-coverage"
	fault "an object with counters of one byte" error two-kinds 'from b\.c. with counters of one byte, and 5 .* eight' \
		among "$coverage" b.c "$narrow"
	fault "an object with counters of eight bytes" error two-kinds 'from a\.c. with counters of eight bytes, .* one' \
		among "$narrow" a.c "$coverage"
	fault "an object without timestamps" error two-kinds 'of y. with no timestamps, and 6 with timestamps' \
		among "$pgo -mllvm -pgo-temporal-instrumentation" y.cc "$pgo"
	fault "an object that counts blocks, not only function entries" error two-kinds 'of b. with more than function entries, and 6 .* only' \
		among "$pgo -mllvm -pgo-function-entry-coverage" b.c "$pgo -mllvm -pgo-block-coverage"
fi

python3 tests/host/lib/json_schema.py check --without machine_profile "$WORK"/case*/*.json
