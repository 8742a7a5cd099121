#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check.sh: tests `bareprof check`. Sound images of all kinds must have no finding, and other kinds of files must be
# refused. For some findings, check cannot propose a fix. This test covers these findings too. For the other findings,
# check proposes a line for the linker script, the options or the source. check_cures.sh tests these other findings.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib/check.sh"

# finds WHAT SEVERITY ID ELF: check must report the finding ID with SEVERITY for ELF. The exit code must be 1 if any
# finding is an error, 7 if the findings have warnings but no error, and otherwise 0.
finds() {
	"$BAREPROF" check --json "$4" >"$WORK/json" 2>"$WORK/err"
	code=$?
	check "$1: $3" python3 - "$WORK/json" "$2" "$3" $code <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
found = [(f["severity"], f["id"]) for f in report["findings"]]
print(*report["findings"], sep="\n")
assert (sys.argv[2], sys.argv[3]) in found
assert int(sys.argv[4]) == (1 if report["errors"] else 7 if report["warnings"] else 0)
PYTHON
}
# sound WHAT FUNCTIONS ELF: check must report no finding for ELF, and must report that ELF has FUNCTIONS functions.
sound() {
	"$BAREPROF" check "$3" >"$WORK/sound" 2>&1
	code=$?
	check "$1: no finding, $2 functions" sh -c "[ $code -eq 0 ] && grep -q '^Nothing is missing' '$WORK/sound' &&
		grep -q '^functions: $2\$' '$WORK/sound' || { cat '$WORK/sound'; exit 1; }"
}
# made WHAT: builds the image of the case. If the build fails, it reports that test WHAT failed.
made() {
	build_case && return
	not_ok "$1: does not build"
	sed 's/^/    /' "$case/log"
	return 1
}

# two COMPILER TARGET OPTION: compiles the C sources of the case for TARGET, with COMPILER and OPTION.
two() (
	cd "$case" && for source in a b; do
		$1 $options --target=$2 $3 -fvisibility=hidden $coverage -c $source.c -o $source.$2.o || exit
	done
) >"$case/log" 2>&1
# two_linked TARGET LINKER OPTIONS...: links the objects that `two` compiled for TARGET. The image is $case/image.
two_linked() (
	target=$1
	shift
	cd "$case" && rm -f image &&
		"$@" --build-id=sha1 --defsym x=entry --defsym y=entry -T script.ld a.$target.o b.$target.o -o image
) >"$case/log" 2>&1

# Each finding in the table findings.h needs a test, code that reports it, and a row in docs/JSON.md.
sed -n 's/^	X(\([A-Z_]*\), "\([a-z-]*\)", \([A-Z]*\), "\(.*\)").*/\1|\2|\3|\4/p' host-tools/check/findings.h >"$WORK/findings"
check "the table of findings can be read" test "$(wc -l <"$WORK/findings")" -ge 38
while IFS='|' read -r name id severity meaning; do
	grep -qE "(error|warning|note) $id( |\$)" tests/host/check*.sh || echo "$id: no test"
	grep -q "FINDING_$name\>" host-tools/check/check*.c || echo "$id: is never found"
	grep -qF "| \`$id\` | $(echo "$severity" | tr A-Z a-z) | $meaning |" docs/JSON.md || echo "$id: docs/JSON.md differs"
done <"$WORK/findings" >"$WORK/untested"
check "every finding has a test, code that adds it, and a row in docs/JSON.md" sh -c "! grep . '$WORK/untested'"

refuses "a text file" 'is not an ELF file' "$BAREPROF" check "$ROOT/README.md"
refuses "a file that does not exist" 'cannot be opened: No such file' "$BAREPROF" check "$WORK/none"
refuses "a folder" 'Is a directory' "$BAREPROF" check "$WORK"
: >"$WORK/empty"
refuses "an empty file" 'is not an ELF file' "$BAREPROF" check "$WORK/empty"
refuses "a speed that is not a number" "a speed in bits per second, not 'fast'" "$BAREPROF" check --baud fast "$BAREPROF"
finds "a host program" error not-instrumented "$BAREPROF"

[ -n "$version" ] || { skip "images: no clang with lld"; exit 0; }

# Images are linked in two ways. First, the integrator's script places all sections. Then our
# fragment places the sections of the profile, and the integrator's script places the other
# sections.
for linker in $lld ld; do
	new_case
	echo $linker >"$case/ld"
	made "sound image, $linker" && sound "sound image, $linker" 7 "$case/image"
	cp "$case/image" "$WORK/whole.$linker"
	echo "--build-id=sha1 --gc-sections -T $ROOT/build/linker/bareprof.ld" >"$case/ldflags"
	sed -i '/__llvm_\|\.note/d' "$case/script.ld"
	made "bareprof.ld, $linker" && sound "bareprof.ld, $linker" 7 "$case/image"
done

# Tests lean images. check must find the records and names in the ELF file, and must find that they are not loaded.
for linker in $lld ld; do
	new_case
	echo $linker >"$case/ld"
	echo "--build-id=sha1 --gc-sections -T $ROOT/build/linker/bareprof-lean.ld" >"$case/ldflags"
	sed -i '/__llvm_\|\.note/d' "$case/script.ld"
	made "bareprof-lean.ld, $linker" && sound "bareprof-lean.ld, $linker" 7 "$case/image"
	records=$(sed -n 's/^sections:.* records \([0-9]*\), names \([0-9]*\)$/\1 + \2/p' "$WORK/sound")
	check "bareprof-lean.ld, $linker: check reports how much stays in the file" grep -q "^lean: *$(($records)) bytes" "$WORK/sound"
	check "bareprof-lean.ld, $linker: no constants are loaded" grep -q '^loaded: .* of which 0 ' "$WORK/sound"
	stamp_room
	made "lean image to stamp, $linker" && finds "lean image before stamp, $linker" error not-stamped "$case/image"
	check "stamp the lean image, $linker" "$BAREPROF" stamp "$case/image" &&
		sound "lean image after stamp, $linker" 7 "$case/image"
done

# The sections of the profile may be merged into other sections if symbols mark where each starts and ends.
new_case
sed -i -e '/^	__llvm_prf_/d' "$case/script.ld"
bounded=
for name in __llvm_prf_cnts __llvm_prf_data __llvm_prf_names; do
	bounded="$bounded . = ALIGN(8); __start_$name = .; KEEP(*($name)) __stop_$name = .;"
done
sed -i "s/^	\.data : {/&$bounded/" "$case/script.ld"
made "all in .data" && sound "all in .data" 7 "$case/image"

# An image that is linked like Linux has sections with load addresses, relocations kept in the image, and a high
# address.
new_case
sed -i -e 's/0x100000/0xffffffff81000000/' \
	-e 's/\(__llvm_prf_[a-z]*\) : ALIGN(8) {/\1 : AT(ADDR(\1) - 0xffffffff80000000) {/' \
	-e 's/__start_\(__llvm_prf_[a-z]*\) = /. = ALIGN(8); \1_start = /' \
	-e 's/__stop_\(__llvm_prf_[a-z]*\) = /. = ALIGN(8); \1_end = /' "$case/script.ld"
echo "$coverage -mcmodel=kernel" >"$case/cflags"
echo "--build-id=sha1 --emit-relocs" >"$case/ldflags"
for linker in $lld ld; do
	echo $linker >"$case/ld"
	made "an image as Linux, $linker" || continue
	finds "an image as Linux, $linker" note bounds-linux-names "$case/image"
	check "an image as Linux, $linker: no other finding" sh -c "[ \$(grep -c '\"id\"' '$WORK/json') -eq 1 ] &&
		grep '\"functions\": 7,' '$WORK/json'"
done
# An image that is linked like Xen has position-independent code at an address that needs 64 bits.
new_case
sed -i 's/0x100000/0xffff82d040000000/' "$case/script.ld"
echo "$coverage -fpic -fvisibility=hidden" >"$case/cflags"
for linker in $lld ld; do
	echo $linker >"$case/ld"
	made "an image as Xen, $linker" && sound "an image as Xen, $linker" 7 "$case/image"
done

# kind WHAT OPTIONS: compiles an image with OPTIONS; check must report no finding.
kind() {
	new_case
	echo "$coverage $2" >"$case/cflags"
	made "$1" && sound "$1" 7 "$case/image"
}
if [ $version -ge 19 ]; then
	kind "MC/DC" -fcoverage-mcdc
	kind "records of binary correlation" "-mllvm -profile-correlate=binary"
	check "records of binary correlation: check reports that they are in the file" grep -q '^lean:' "$WORK/sound"
	kind "single-byte counters" "-mllvm -enable-single-byte-coverage"
	check "check reports single-byte counters" grep -q 'single-byte counters' "$WORK/sound"
fi

# If ld -r keeps COMDAT groups, the final link drops one of the two copies of the inline function. check must find
# nothing in this image.
new_case
echo >"$case/partial"
echo ld >"$case/partial_ld"
made "COMDAT groups kept by ld -r" && sound "COMDAT groups kept by ld -r" 7 "$case/image"

# In relocatable images and modules, a pointer in the file can differ from the pointer in memory.
for other in 13 $version; do
	if ! command -v clang-$other ld.lld-$other >/dev/null; then
		skip "relocatable images of clang-$other: it is not installed"
		continue
	fi
	new_case
	echo clang-$other >"$case/cc"
	echo "$coverage -fpic -fvisibility=hidden" >"$case/cflags"
	for linker in ld.lld-$other ld; do
		for how in -pie -shared "-pie -z pack-relative-relocs" "-r --force-group-allocation"; do
			case "$linker $how" in
			ld.lld*pack*) how="-pie --pack-dyn-relocs=relr" ;;
			ld.lld*group*) how=-r ;;
			esac
			echo $linker >"$case/ld"
			echo "--build-id=sha1 $how" >"$case/ldflags"
			made "clang-$other, $linker $how" && sound "clang-$other, $linker $how" 7 "$case/image"
			case $other$how in 13-pie) cp "$case/image" "$WORK/pie" ;; 13-r*) cp "$case/image" "$WORK/module" ;; esac
		done
	done
	for target in aarch64-linux-gnu armv7a-linux-gnueabi i386-linux-gnu; do
		two clang-$other $target -fpic || { not_ok "$target: clang-$other does not compile for it"; continue; }
		case $target in
		aarch64*) linkers="ld.lld-$other aarch64-linux-gnu-ld" ;;
		arm*) linkers="ld.lld-$other arm-none-eabi-ld" ;;
		*) linkers="ld.lld-$other" ;;
		esac
		for linker in $linkers; do
			for how in "" -pie -r --emit-relocs; do
				case $linker$how in *-ld-r) how="-r --force-group-allocation" ;; esac
				what="$target, clang-$other, $linker${how:+ $how}"
				if two_linked $target $linker $how; then
					sound "$what" 4 "$case/image"
				else
					not_ok "$what: does not link"
					sed 's/^/    /' "$case/log"
				fi
			done
		done
	done
done

# A finding about a static function must not name the function of the same name in another file.
new_case
cat >>"$case/a.c" <<'C'
__attribute__((noinline, section(".noinstr.text"), no_profile_instrument_function))
static int early(int v) { return v + 1; }
int other(int v);
int other(int v) { return early(v) + early(v + 2); }
C
made "two static functions of one name" && sound "two static functions of one name" 8 "$case/image"
"$BAREPROF" check --forbid .init,.text "$WORK/whole.$lld" >"$WORK/out"
check "--forbid: exit code 7" test $? -eq 7
check "--forbid: the finding names the section" grep -q 'functions\{0,1\} \(is\|are\) in the section .text' "$WORK/out"
"$BAREPROF" check --forbid .txet,.text "$WORK/whole.$lld" >/dev/null 2>"$WORK/err"
check "--forbid: a warning about a section that does not exist" grep -q "has no section '.txet' (--forbid), so nothing was checked there" "$WORK/err"
check "--forbid: no warning about a section that exists" test "$(wc -l <"$WORK/err")" -eq 1
refuses "--forbid with too many sections" '^bareprof: --forbid takes at most 62 sections; check the others in a second call' \
	"$BAREPROF" check --forbid "$(seq -s, 1 63)" "$WORK/whole.$lld"
new_case
cat >>"$case/b.c" <<'C'
__attribute__((section(".head.text"), no_profile_instrument_function)) int head(int v);
int head(int v) { return v; }
__attribute__((always_inline)) static inline int inlined(int v) { return v ? 1 : 2; }
int other(int v);
int other(int v) { return inlined(v) + head(v); }
C
made "a function that is inlined everywhere" && finds "a function that is inlined everywhere" note forbidden-unknown "$case/image"

$objcopy --strip-all "$WORK/whole.$lld" "$WORK/stripped.elf"
finds "a stripped image" note stripped "$WORK/stripped.elf"
refuses "an object file" 'is a relocatable object without symbols that bound' "$BAREPROF" check "$case/a.o"
head -c 3000 "$WORK/whole.$lld" >"$WORK/short.elf"
refuses "an image that is cut short" 'is cut short' "$BAREPROF" check "$WORK/short.elf"

# Tests objects of two compilers with different record layouts. One compiler made a single object, which has fewer
# records than the other objects together. check must report this object. In one image it is linked last, and in another
# image first.
for other in 13 14 16 19; do
	command -v clang-$other >/dev/null || { skip "objects of clang-$other: not installed"; continue; }
	new_case
	echo clang-$other >"$case/cc"
	made "all of clang-$other" && sound "all of clang-$other" 7 "$case/image"
	[ $other -ge 19 ] && [ $version -ge 19 ] && continue
	[ $other -ge 14 ] && [ $version -lt 18 ] && continue
	echo "$clang $options $coverage" >"$case/y.cc.cc"
	made "objects of two compilers" &&
		finds "objects of clang-$other, the last of $clang" error two-compilers "$case/image"
	check "clang-$other and $clang: the last file is to be compiled again" grep -q '"line": "y.cc"' "$WORK/json"
	mv "$case/y.cc.cc" "$case/a.c.cc"
	made "objects of two compilers" &&
		finds "objects of clang-$other, the first of $clang" error two-compilers "$case/image"
	check "clang-$other and $clang: the first file is to be compiled again" grep -q '"line": "a.c"' "$WORK/json"
	cp "$case/image" "$WORK/mixed"
done
if command -v clang-13 clang-16 >/dev/null; then
	new_case
	echo clang-16 >"$case/cc"
	echo "clang-13 $options $coverage" >"$case/b.c.cc"
	made "objects of clang 13 and 16" &&
		finds "records of one size with different pointers (clang 13 and 16)" error two-compilers "$case/image"
	check "clang 13 and 16: the file is named" grep -q '"line": "b.c"' "$WORK/json"
	# Without a coverage mapping, check does not know the source file, so it names a function instead.
	echo -fprofile-instr-generate >"$case/cflags"
	echo "clang-13 $options -fprofile-instr-generate" >"$case/b.c.cc"
	made "objects of clang 13 and 16" &&
		finds "clang 13 and 16, without a coverage mapping" error two-compilers "$case/image"
	check "clang 13 and 16, without a coverage mapping: the function is named" grep -q '"function": "\(b\|b.c:early\)"' "$WORK/json"
fi

# Tests an image with two kinds of instrumentation. If a user fixes the finding about the two kinds, another finding
# remains. check_cures.sh has the cases in which no finding remains.
new_case
echo "-fprofile-generate -mllvm -disable-vp=true" >"$case/cflags"
echo "$clang $options $coverage" >"$case/a.c.cc"
made "coverage and IR PGO" && finds "an object of coverage among those of IR PGO" error two-kinds "$case/image"
check "both kinds are named, and the file" grep -q 'of unused, entry, from a\.c) with front-end counters, and [0-9] with IR PGO' \
	"$WORK/json"

for target in armv7a-linux-gnueabi riscv64-linux-gnu; do
	if two $clang $target -fno-pic && two_linked $target $lld; then
		sound "$target" 4 "$case/image"
		cp "$case/image" "$WORK/$target"
	else
		skip "$target: $clang does not compile for it"
	fi
done

for board in x86_64 mps2-an385; do
	if make -s image BOARD=$board LLVM=$version DROPIN="$DROP_IN" OUT="$WORK/$board" >"$WORK/image.log" 2>&1; then
		check "demo image of $board" "$BAREPROF" check "$WORK/$board/kernel.elf"
	else
		skip "demo image of $board: does not build here"
	fi
done

# The check of a large image must take neither much time nor much memory.
many=${BAREPROF_WIDE:+100000}
many=${many:-20000}
new_case
awk -v n=$many 'BEGIN { for (i = 0; i < n; i++) printf "void f%d(int x) { if (x) __asm__(\"\"); }\n", i }' >"$case/many.c"
echo "--build-id=sha1 many.o" >"$case/ldflags"
if (cd "$case" && $clang $options -O0 $coverage -w -c many.c -o many.o) >"$case/log" 2>&1 && made "many functions"; then
	check "$many functions in 5 s and 200 MB" sh -c "ulimit -v 200000 &&
		timeout 5 '$BAREPROF' check --forbid .text '$case/image' >'$WORK/many'; [ \$? -eq 7 ]"
	check "$many functions: all in .text" grep -q "$((many + 7)) instrumented functions are in the section .text" "$WORK/many"
else
	not_ok "many functions: does not build"
fi

if [ -x build/tests/bin/elf ]; then
	(cd "$WORK" && "$ROOT/build/tests/bin/elf" damaged.elf whole.ld mixed pie module armv7a-linux-gnueabi) ||
		not_ok "damaged images"
else
	not_ok "damaged images: build/tests/bin/elf is not built"
fi

# capstone is loaded only when code is decoded.
mkdir "$WORK/damaged"
: >"$WORK/damaged/$(ldconfig -p | sed -n 's/^[[:space:]]*\(libcapstone.so.[0-9]*\) .*/\1/p' | head -n 1)"
LD_LIBRARY_PATH=$WORK/damaged
export LD_LIBRARY_PATH
check "capstone is not needed to show a help text" "$BAREPROF" check --help
refuses "capstone cannot be loaded" 'needs libcapstone.so.[0-9]+, which cannot be loaded .*: install capstone' "$BAREPROF" check "$case/image"
