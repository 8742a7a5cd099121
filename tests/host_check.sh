#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# host_check.sh: `bareprof check` on images with faults made on purpose: each is
# found, and gone where the line that is proposed was added.
# shellcheck disable=SC2086
. "$(dirname "$0")/lib.sh"

# finds WHAT SEVERITY ID ELF: the finding is there, and its exit code.
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
# lacks WHAT ID ELF: the finding is not there.
lacks() {
	"$BAREPROF" check --json "$3" >"$WORK/json" 2>"$WORK/err"
	check "$1: no $2" sh -c "[ -s '$WORK/json' ] && ! grep '\"id\": \"$2\"' '$WORK/json'"
}
clean() { check "$1: nothing above a note" "$BAREPROF" check "$2"; }

refuses "ELF file that is none" 'is no ELF file' "$BAREPROF" check "$ROOT/README.md"
refuses "no such file" 'cannot be opened: No such file' "$BAREPROF" check "$WORK/none"
refuses "folder" 'Is a directory' "$BAREPROF" check "$WORK"
: >"$WORK/empty"
refuses "empty file" 'is no ELF file' "$BAREPROF" check "$WORK/empty"
refuses "speed that is none" "'fast' is no speed" "$BAREPROF" check --baud fast "$BAREPROF"
finds "a host program" error not-instrumented "$BAREPROF"

make -s linker || { not_ok "make linker"; exit 0; }
clang=
for version in 22 19 16 15 14; do
	if command -v clang-$version ld.lld-$version llvm-objcopy-$version >/dev/null; then
		clang=clang-$version
		break
	fi
done
if [ -z "$clang" ] || ! command -v ld >/dev/null; then
	skip "prepared faults: no clang with lld, or no ld"
	exit 0
fi
lld=ld.lld-$version
objcopy=llvm-objcopy-$version

# The target has no constructors of the profile's own, and its linker no opinion.
options="--target=x86_64-linux-gnu -O1 -ffreestanding -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections
	-fno-stack-protector -fno-asynchronous-unwind-tables -fno-pic"
coverage="-fprofile-instr-generate -fcoverage-mapping"
cat >"$WORK/a.c" <<'C'
int b(int);
int unused(int x);
int unused(int x) { return x ? 1 : 2; }
void entry(void);
void entry(void) { b(4); }
C
cat >"$WORK/b.c" <<'C'
int x(int);
int y(int);
int b(int v);
#ifdef NOINSTR
__attribute__((noinline, section(".noinstr.text")))
#endif
#ifdef FIXED
__attribute__((no_profile_instrument_function))
#endif
static int early(int v) { return v > 7 ? v * 3 : v; }
int b(int v) { return v ? x(early(v)) : y(v); }
C
cat >"$WORK/inline.h" <<'C'
template<class T> __attribute__((noinline)) T clamp(T x) { return x > T(9) ? T(9) : x; }
C
printf '#include "inline.h"\nextern "C" int x(int v) { return clamp(v) + 1; }\n' >"$WORK/x.cc"
printf '#include "inline.h"\nextern "C" int y(int v) { return clamp(v) - 1; }\n' >"$WORK/y.cc"
cat >"$WORK/kernel.ld" <<'LD'
ENTRY(entry)
SECTIONS
{
	. = 0x100000;
	.text : { *(.text .text.*) }
	.noinstr.text : { *(.noinstr.text) }
	.rodata : { *(.rodata*) }
	.data : { *(.data*) }
	.bss : { *(.bss*) }
}
LD

# compile SUFFIX COMPILER OPTIONS...: all four.
compile() {
	suffix=$1
	compiler=$2
	shift 2
	for source in a.c b.c x.cc y.cc; do
		(cd "$WORK" && "$compiler" $options "$@" -c $source -o "${source%.*}.$suffix") || not_ok "$source: does not compile"
	done
}
# link NAME LINKER OPTIONS AND OBJECTS...: in the scratch directory.
link() {
	out=$1
	shift
	(cd "$WORK" && "$@" -T kernel.ld -o "$out") >"$WORK/link.log" 2>&1 || {
		not_ok "$out: does not link"
		sed 's/^/    /' "$WORK/link.log"
	}
}
fragment="-T $ROOT/build/linker/bareprof.ld --build-id=sha1"
all="a.o b.o x.o y.o"
compile o $clang $coverage

for linker in $lld ld; do
	link whole.$linker $linker $fragment $all
	clean "whole image, $linker" "$WORK/whole.$linker"
	check "all records counted, $linker" sh -c \
		"'$BAREPROF' check '$WORK/whole.$linker' | grep -q '^functions: 7$'"

	link unbounded.$linker $linker --build-id=sha1 $all
	finds "without the fragment, $linker" error bounds-undefined "$WORK/unbounded.$linker"

	sed 's/KEEP(\(\*([^)]*)\))/\1/g' build/linker/bareprof.ld >"$WORK/nokeep.lds"
	link nokeep.$linker $linker -T nokeep.lds --build-id=sha1 --gc-sections $all
	finds "no KEEP under --gc-sections, $linker" note names-unused "$WORK/nokeep.$linker"
	link keep.$linker $linker $fragment --gc-sections $all
	lacks "KEEP, $linker" names-unused "$WORK/keep.$linker"

	grep -v '(\*(__llvm_prf_names))' build/linker/bareprof.ld >"$WORK/nonames.lds"
	echo 'SECTIONS { /DISCARD/ : { *(__llvm_prf_names) } }' >>"$WORK/nonames.lds"
	link nonames.$linker $linker -T nonames.lds --build-id=sha1 $all
	finds "names dropped, $linker" error no-names "$WORK/nonames.$linker"

	sed 's/KEEP(\*(__llvm_prf_data))/KEEP(*(EXCLUDE_FILE(*b.o) __llvm_prf_data))/' \
		build/linker/bareprof.ld >"$WORK/some.lds"
	echo 'SECTIONS { .other : { KEEP(*(__llvm_prf_data)) } }' >>"$WORK/some.lds"
	link some.$linker $linker -T some.lds --build-id=sha1 $all
	finds "records of one object lost, $linker" error records-lost "$WORK/some.$linker"
	check "they are named" grep -q 'functions without a record are .*b' "$WORK/json"

	sed 's/__llvm_prf_data : ALIGN(8)/__llvm_prf_data (ALIGN(8) + 4) :/' \
		build/linker/bareprof.ld >"$WORK/odd.lds"
	packed=
	for source in a b x y; do
		$objcopy --set-section-alignment __llvm_prf_data=4 "$WORK/$source.o" "$WORK/$source.packed.o"
		packed="$packed $source.packed.o"
	done
	link odd.$linker $linker -T odd.lds --build-id=sha1 $packed
	finds "misaligned records, $linker" error misaligned "$WORK/odd.$linker"
	link even.$linker $linker $fragment $packed
	lacks "ALIGN(8), $linker" misaligned "$WORK/even.$linker"

	link noid.$linker $linker -T "$ROOT/build/linker/bareprof.ld" --build-id=none $all
	finds "no build id, $linker" warning no-build-id "$WORK/noid.$linker"
done

sed 's/__start___llvm_prf_cnts = \./& + 8/' build/linker/bareprof.ld >"$WORK/bound.lds"
link bound.elf $lld -T bound.lds --build-id=sha1 $all
finds "a bound that is off" error bound-wrong "$WORK/bound.elf"

sed 's/KEEP(\*(__llvm_prf_cnts))/KEEP(*(EXCLUDE_FILE(*b.o) __llvm_prf_cnts))/' build/linker/bareprof.ld >"$WORK/out.lds"
echo 'SECTIONS { .other : { KEEP(*(__llvm_prf_cnts)) } }' >>"$WORK/out.lds"
link out.elf $lld -T out.lds --build-id=sha1 $all
finds "counters that lie elsewhere" error counters-lost "$WORK/out.elf"

# A script may put all of it into .data, with its own bounds.
{
	echo 'SECTIONS { .data : { . = ALIGN(8);'
	for section in cnts data names; do
		name=__llvm_prf_$section
		echo ". = ALIGN(8); __start_$name = .; KEEP(*($name)) __stop_$name = .;"
	done
	echo '} }'
} >"$WORK/data.lds"
link data.elf $lld -T data.lds --build-id=sha1 $all
clean "all in .data" "$WORK/data.elf"
check "all in .data: records counted" sh -c "'$BAREPROF' check '$WORK/data.elf' | grep -q '^functions: 7$'"

if [ $version -ge 19 ]; then
	compile mcdc.o $clang $coverage -fcoverage-mcdc
	link mcdc.elf $lld $fragment a.mcdc.o b.mcdc.o x.mcdc.o y.mcdc.o
	clean "MC/DC" "$WORK/mcdc.elf"
	compile byte.o $clang $coverage -mllvm -enable-single-byte-coverage
	link byte.elf $lld $fragment a.byte.o b.byte.o x.byte.o y.byte.o
	clean "single-byte counters" "$WORK/byte.elf"
	check "single-byte counters: told" sh -c "'$BAREPROF' check '$WORK/byte.elf' | grep -q 'single-byte counters'"
	compile corr.o $clang $coverage -mllvm -profile-correlate=binary
	link corr.elf $lld $fragment a.corr.o b.corr.o x.corr.o y.corr.o
	finds "records in the ELF file only" error correlated "$WORK/corr.elf"
fi

# In two steps the groups must stay: both copies of the inline function come, its counters once.
groups() {
	(cd "$WORK" && ld -r "$@" a.o x.o -o one.ro && ld -r "$@" b.o y.o -o two.ro) || not_ok "ld -r"
}
groups --force-group-allocation
link shared.elf ld $fragment -z muldefs one.ro two.ro
finds "a COMDAT group that came twice" error counters-shared "$WORK/shared.elf"
groups
link stepped.elf ld $fragment one.ro two.ro
clean "groups that stayed" "$WORK/stepped.elf"

compile early.o $clang $coverage -DNOINSTR
link early.elf $lld $fragment a.o b.early.o x.o y.o
finds "instrumented function in .noinstr.text" warning forbidden "$WORK/early.elf"
check "it is named" grep -q 'early' "$WORK/json"
compile fixed.o $clang $coverage -DNOINSTR -DFIXED
link fixed.elf $lld $fragment a.o b.fixed.o x.o y.o
clean "the attribute that was proposed" "$WORK/fixed.elf"
"$BAREPROF" check --forbid .init,.text "$WORK/whole.$lld" >"$WORK/out"
check "--forbid: status 7" test $? -eq 7
check "--forbid names the section" grep -q 'lies\{0,1\} in .text' "$WORK/out"

for source in a b x y; do
	$objcopy --set-section-flags __llvm_covmap=alloc,readonly --set-section-flags __llvm_covfun=alloc,readonly \
		"$WORK/$source.o" "$WORK/$source.loaded.o"
done
sed 's/__llvm_cov\(map\|fun\) 0 :/__llvm_cov\1 :/g' build/linker/bareprof.ld >"$WORK/nocov.lds"
link loaded.elf $lld -T nocov.lds --build-id=sha1 a.loaded.o b.loaded.o x.loaded.o y.loaded.o
finds "coverage mapping that is loaded" warning mapping-loaded "$WORK/loaded.elf"
compile nomap.o $clang -fprofile-instr-generate
link nomap.elf $lld $fragment a.nomap.o b.nomap.o x.nomap.o y.nomap.o
finds "no coverage mapping" warning no-mapping "$WORK/nomap.elf"

compile plain.o $clang
link plain.elf $lld $fragment a.plain.o b.plain.o x.plain.o y.plain.o
finds "not instrumented" error not-instrumented "$WORK/plain.elf"

printf 'int x(int v);\nint y(int);\nint (*p)(int) = y;\nint x(int v) { return p(v); }\n' >"$WORK/sites.c"
for more in "" "-mllvm -disable-vp=true"; do
	(cd "$WORK" && $clang $options -fprofile-generate $more -c sites.c -o sites.o) || not_ok "sites.c"
	compile ir.o $clang -fprofile-generate -mllvm -disable-vp=true
	link sites.elf $lld $fragment --defsym __llvm_profile_instrument_target=entry a.ir.o b.ir.o sites.o y.ir.o
	if [ -z "$more" ]; then
		finds "value sites" error value-sites "$WORK/sites.elf"
	else
		clean "value sites off" "$WORK/sites.elf"
	fi
done

$objcopy --strip-all "$WORK/whole.$lld" "$WORK/stripped.elf"
finds "stripped" note stripped "$WORK/stripped.elf"
refuses "object" 'is a relocatable object' "$BAREPROF" check "$WORK/a.o"
head -c 3000 "$WORK/whole.$lld" >"$WORK/short.elf"
refuses "cut short" 'is cut short' "$BAREPROF" check "$WORK/short.elf"

# Two compilers whose records differ, in either order; and one image of each target.
for other in 13 14 16 19; do
	command -v clang-$other >/dev/null || { skip "objects of clang-$other: not installed"; continue; }
	compile other.o clang-$other $coverage
	link other.elf $lld $fragment a.other.o b.other.o x.other.o y.other.o
	clean "all of clang-$other" "$WORK/other.elf"
	[ $other -ge 19 ] && [ $version -ge 19 ] && continue
	[ $other -ge 14 ] && [ $version -lt 18 ] && continue
	link mixed.elf $lld $fragment a.other.o b.other.o x.o y.o
	finds "objects of clang-$other and $clang" error two-compilers "$WORK/mixed.elf"
	check "the function is named where they meet" grep -q 'of function x,' "$WORK/json"
	link mixed.elf $lld $fragment a.o b.o x.other.o y.other.o
	finds "objects of $clang and clang-$other" error two-compilers "$WORK/mixed.elf"
done
if command -v clang-13 clang-16 >/dev/null; then
	compile old.o clang-13 $coverage
	compile new.o clang-16 $coverage
	link mixed.elf $lld $fragment a.old.o b.old.o x.new.o y.new.o
	finds "records of the same size, pointers not (13 and 16)" error two-compilers "$WORK/mixed.elf"
fi
for target in aarch64-linux-gnu armv7a-linux-gnueabi i386-linux-gnu riscv64-linux-gnu; do
	if (cd "$WORK" && for source in a b; do
		$clang --target=$target -O1 -ffreestanding -fno-pic $coverage -c $source.c -o $source.$target || exit 1
	done) >/dev/null 2>&1; then
		link $target.elf $lld $fragment --defsym x=entry --defsym y=entry a.$target b.$target
		clean "$target" "$WORK/$target.elf"
	else
		skip "$target: $clang does not compile for it"
	fi
done

for board in x86_64 mps2-an385; do
	if make -s image BOARD=$board LLVM=$version OUT="$WORK/$board" >"$WORK/image.log" 2>&1; then
		clean "demo image of $board" "$WORK/$board/kernel.elf"
	else
		skip "demo image of $board: does not build here"
	fi
done

if [ -x build/tests/bin/host_elf ]; then
	(cd "$WORK" && "$ROOT/build/tests/bin/host_elf" damaged.elf whole.ld mixed.elf sites.elf loaded.elf armv7a-linux-gnueabi.elf) ||
		not_ok "damaged images"
else
	skip "damaged images: build/tests/bin/host_elf is not built"
fi
