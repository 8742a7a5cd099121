#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_rewrite.sh: adds machine-profile code to the assembly text of compilers. Checks that nothing else changes, that
# assemblers and linkers take the result, what the map records contain, and what a program counts. With BAREPROF_WIDE=1,
# it tests each compiler, target and mode with many options.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
rewriter=$ROOT/build/tests/bin/rewriter
mark='/\*bareprof\*/$'

clang=clang-$(newest_clang)
lld=ld.lld-$(newest_clang)

# originals FILE: prints the lines that the rewriter did not add.
originals() { grep -v "$mark" "$1"; }

# linked NAME OBJECT...: links objects whose other symbols are missing.
linked() {
	out=$1
	shift
	$lld --unresolved-symbols=ignore-all --noinhibit-exec -e 0 --defsym __bareprof_mip_first=0x200000 \
		--defsym __bareprof_mip_first_at=0x200004 -o "$out" "$@" 2>"$out.log"
}

# compiled SOURCE MODES COMPILER...: compiles, adds, assembles, links and checks. MODES are options of the rewriter.
compiled() {
	source=$1
	modes=$2
	shift 2
	what="$* ${source##*.}, $modes"
	if ! "$@" -w -fverbose-asm -S -o "$WORK/a.s" "$source" 2>"$WORK/a.log"; then
		fails "$what: compiled" "$WORK/a.log"
	elif ! "$rewriter" "$WORK/a.s" $modes >"$WORK/b.s" 2>"$WORK/b.log"; then
		fails "$what: rewritten" "$WORK/b.log"
	elif originals "$WORK/b.s" | cmp -s - "$WORK/a.s" && [ -s "$WORK/b.s" ]; then
		if "$@" -w -x assembler -c -o "$WORK/b.o" "$WORK/b.s" 2>"$WORK/b.log" && linked "$WORK/b" "$WORK/b.o" &&
			python3 tests/host/lib/mip_image.py $modes "$WORK/b" >"$WORK/b.map"; then
			ok "$what: $(grep -vc '^raw' "$WORK/b.map") functions"
		else
			fails "$what: assembled, linked, records as expected" "$WORK/b.log" "$WORK/b.map"
		fi
	else
		not_ok "$what: other lines differ"
	fi
}
functions=tests/host/samples/mip_functions.c
classes=tests/host/samples/mip_classes.cc
arm_gcc=arm-none-eabi-gcc
compiled $functions "x86_64 coverage" gcc -O2
check "excluded sections and inline assembly are left out with their reasons" sh -c "
	grep -qx 'in_excluded_section 0 3 [0-9]*' '$WORK/b.map' && grep -qx 'begins_with_assembly 1 0 [0-9]*' '$WORK/b.map' &&
	grep -qx 'only_assembly 0 1 [0-9]*' '$WORK/b.map' &&
	grep -qx 'begins_with_barrier 1 0 [0-9]*' '$WORK/b.map'"
"$rewriter" "$WORK/a.s" small=3 'name=tail_*' 'section=.init.*' x86_64 >"$WORK/b.s" 2>"$WORK/b.counts"
check "excluded by name, section and size" sh -c "gcc -c -o '$WORK/b.o' '$WORK/b.s' &&
	$lld --unresolved-symbols=ignore-all --noinhibit-exec -e 0 -o '$WORK/b' '$WORK/b.o' 2>/dev/null &&
	python3 tests/host/lib/mip_image.py '$WORK/b' >'$WORK/b.map' && cat '$WORK/b.map' &&
	grep -qx 'tail_recursion 0 4 [0-9]*' '$WORK/b.map' && grep -qx 'in_section 0 3 [0-9]*' '$WORK/b.map' &&
	grep -qx 'small 0 5 [0-9]*' '$WORK/b.map'"
compiled $classes "x86_64 calls atomic" $clang -O2 -ffunction-sections
compiled $functions "aarch64 coverage" $clang --target=aarch64-none-elf -O2 -g
compiled $functions "arm calls" $arm_gcc -mcpu=cortex-m4 -mthumb -O2
compiled $functions "arm coverage pic" clang-13 --target=armv7a-none-eabi -O2
compiled $classes "arm calls" $clang --target=armv6m-none-eabi -Os

# The linker must drop the record and the byte of a function that it drops.
cat >"$WORK/live.c" <<'C'
int dead(int a);
int live(int a);
__attribute__((section(".exit.text"))) int discarded(int a);
__attribute__((section(".exit.text"))) int discarded(int a) { return a + 1; }
int dead(int a) { return a + 1; }
int live(int a) { return a + 2; }
int _start(int a);
int _start(int a) { return live(a); }
C
cat >"$WORK/weak.c" <<'C'
__attribute__((weak)) int live(int a);
__attribute__((weak)) int live(int a) { return a + 5; }
int only(int a);
int only(int a) { return live(a); }
C
cat >"$WORK/inline.cc" <<'C'
inline int shared(int a) { static int sum; return sum += a; }
inline int gone(int a) { static int sum; return sum += a; }
extern "C" int NAME(int a) { return shared(a); }
extern "C" int DEAD(int a) { return gone(a); }
C
echo 'SECTIONS { .text : { *(.text*) } __llvm_mipraw_cov : { *(__llvm_mipraw_cov) } __llvm_mipmap 0 (INFO) :
	{ *(__llvm_mipmap) } /DISCARD/ : { *(.exit.text .eh_frame .comment .note*) } }' >"$WORK/discards.ld"
# object NAME SOURCE COMPILER...: compiles, adds and assembles.
object() {
	out=$WORK/$1
	source=$2
	shift 2
	"$@" -ffunction-sections -fno-inline -O1 -fverbose-asm -S -o "$out.1.s" "$source" &&
		"$rewriter" "$out.1.s" >"$out.2.s" 2>"$out.log" && "$@" -w -x assembler -c -o "$out.o" "$out.2.s"
}
# same_names WHAT EXPECTED IMAGE: compares the names and kinds of the map records, in alphabetical order, and the size
# of the raw section.
same_names() {
	python3 tests/host/lib/mip_image.py "$3" >"$3.map" || cat "$3.map"
	actual=$(cut -d ' ' -f 1,2 <"$3.map" | LC_ALL=C sort | tr '\n' ' ')
	if [ "$actual" = "$2" ]; then
		ok "$1"
	else
		not_ok "$1: $actual, expected: $2"
	fi
}
assembled() {
	linkers=$1
	shift
	object live "$WORK/live.c" "$@" && object weak "$WORK/weak.c" "$@" &&
		object one "$WORK/inline.cc" "$@" -x c++ -DNAME=one -DDEAD=dead_one &&
		object two "$WORK/inline.cc" "$@" -x c++ -DNAME=two -DDEAD=dead_two || { not_ok "$*: objects"; return; }
	for linker in $linkers; do
		$linker --gc-sections -o "$WORK/gc" "$WORK/live.o" && same_names "$linker, $*: --gc-sections" \
			"_start 1 live 1 raw 2 " "$WORK/gc"
		$linker --gc-sections -e one -u two -o "$WORK/groups" "$WORK/one.o" "$WORK/two.o" &&
			same_names "$linker, $*: COMDAT groups" "_Z6sharedi 1 one 1 raw 3 two 1 " "$WORK/groups"
		[ $linker = ld ] || [ -n "${BAREPROF_WIDE-}" ] || continue
		$linker -z noexecstack -N -T "$WORK/discards.ld" -o "$WORK/discards" "$WORK/live.o" 2>"$WORK/ld.log" && same_names "$linker, $*: discarded code" \
			"_start 1 dead 1 live 1 raw 3 " "$WORK/discards"
		$linker -e only -o "$WORK/weak" "$WORK/live.o" "$WORK/weak.o" && same_names "$linker, $*: weak definitions" \
			"_start 1 dead 1 live 1 live 1 only 1 raw 5 " "$WORK/weak"
		$linker -e one -o "$WORK/twice" "$WORK/one.o" "$WORK/two.o" && same_names "$linker, $*: groups of two objects" \
			"_Z4gonei 1 _Z6sharedi 1 dead_one 1 dead_two 1 one 1 raw 6 two 1 " "$WORK/twice"
	done
}
assembled "ld $lld" gcc -fno-pic

# The counts of a program that runs on this machine. Each function is called a known number of times, and a loop at the
# entry of a function is not a call.
cat >"$WORK/run.c" <<'C'
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
extern unsigned char __start_RAW[], __stop_RAW[];
volatile int sink = 3;
APART static void leaf(int a) { sink += a; }
APART static int recursion(int n, int sum) { return n ? recursion(n - 1, sum * n + sink) : sum; }
APART static void loop(int n) { do sink = n; while (--n); }
APART static void never(void) { sink = 9; }
/* The caller may keep values in registers that leaf() does not change. */
APART static unsigned pressure(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f)
{
	unsigned i, g = a * b, h = c * d, k = e * f;

	for (i = 0; i < 7; i++) {
		leaf((int)i);
		g += h ^ k, h += k - a, k += g * b, a += b ^ c, d += e - f, e ^= g;
	}
	return g + h + k + a + b + c + d + e + f;
}
APART static unsigned expected(void)
{
	unsigned i, a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = a * b, h = c * d, k = e * f;

	for (i = 0; i < 7; i++)
		g += h ^ k, h += k - a, k += g * b, a += b ^ c, d += e - f, e ^= g;
	return g + h + k + a + b + c + d + e + f;
}
int main(int argc, char **argv)
{
	int i;

	for (i = 0; i < 1000; i++)
		leaf(i);
	for (i = 1; i < 6; i++)
		loop(20 * i);
	recursion(10, 1);
	if (argc > 7)
		never();
	if (pressure(1, 2, 3, 4, 5, 6) != expected())
		return 1;
	return write(1, __start_RAW, (size_t)(__stop_RAW - __start_RAW)) <= 0;
}
C
printf '\t.globl __bareprof_mip_first\n__bareprof_mip_first:\tret\n\t.section .note.GNU-stack,"",@progbits\n' >"$WORK/first.s"
# counts RAW: prints the name and the number of calls of each function, from the map of $WORK/run and the bytes that it
# printed.
counts() {
	python3 - "$WORK/run" "$WORK/run.raw" "$1" <<'PYTHON'
import sys
sys.path[:0] = ["tests/capture", "tests/host/lib"]
from elf import Elf
from mip_image import records
elf, raw, section = Elf(sys.argv[1]), open(sys.argv[2], "rb").read(), sys.argv[3]
start = elf.symbols["__start_" + section]
for record in sorted(records(elf.section("__llvm_mipmap").content), key=lambda r: r["name"]):
    entry = raw[record["raw"] - start:][:4 if record["kinds"] == 12 else 1]
    ran = (int.from_bytes(entry, "little") + 1) % 2**32 if record["kinds"] == 12 else entry[0]
    print(record["name"] + ":" + str(ran), end=" ")
PYTHON
}
# runs EXPECTED MODES RAW COMPILER...
runs() {
	expected=$1 modes=$2 raw=$3
	shift 3
	sed "s/RAW/$raw/g" "$WORK/run.c" >"$WORK/run.1.c"
	if ! { "$@" -w -fverbose-asm -fno-pic -O2 -S -o "$WORK/run.s" "$WORK/run.1.c" &&
		"$rewriter" "$WORK/run.s" $modes >"$WORK/run.2.s" &&
		"$1" -no-pie -o "$WORK/run" "$WORK/run.2.s" "$WORK/first.s" &&
		"$WORK/run" >"$WORK/run.raw"; } 2>"$WORK/run.log"; then
		fails "counts: $*, $modes: the program fails" "$WORK/run.log"
		return
	fi
	actual=$(counts "$raw")
	if [ "$actual" = "$expected" ]; then
		ok "counts: $*, $modes"
	else
		not_ok "counts: $*, $modes: $actual"
	fi
}
calls="expected:1 leaf:1007 loop:5 main:1 never:0 pressure:1 recursion:1 "
ran="expected:1 leaf:1 loop:1 main:1 never:0 pressure:1 recursion:1 "
runs "$calls" "calls x86_64" __llvm_mipraw_calls gcc
runs "$ran" "coverage x86_64" __llvm_mipraw_cov $clang
[ -n "${BAREPROF_WIDE-}" ] || exit 0

for compiler in gcc $(clang_releases | sed 's/^/clang-/'); do
	runs "$calls" "calls x86_64 atomic" __llvm_mipraw_calls $compiler
	runs "$calls" "calls x86_64" __llvm_mipraw_calls $compiler -fcf-protection
	runs "$ran" "coverage x86_64" __llvm_mipraw_cov $compiler -pg -mfentry
	[ "$compiler" = gcc ] || assembled "ld $lld" $compiler -fno-pic
done

# every COMPILER... with many options: the first argument is the processor as the rewriter knows it, the second is "gcc"
# or "clang".
every() {
	processor=$1 kind=$2
	shift 2
	case $processor.$kind in
	x86_64.*) more="-O2_-fcf-protection_-fpatchable-function-entry=4,2 -O1_-mcmodel=kernel_-mno-red-zone_-fno-pic -O2_-masm=intel" ;;
	aarch64.*) more="-O2_-mbranch-protection=standard_-fpatchable-function-entry=4,2 -O2_-mbranch-protection=pac-ret+leaf+b-key" ;;
	arm.gcc) more="-O2_-fpatchable-function-entry=3 -O2_-g_-fno-dwarf2-cfi-asm" ;;
	*) more= ;;
	esac
	[ $kind = gcc ] || more="$more -Oz_-g -O2_-ffunction-sections_-fno-unique-section-names"
	[ $kind = clang ] || more="$more -O2_-g_-fno-toplevel-reorder"
	for source in $functions $classes; do
		for options in -O0 -Os_-g_-ffunction-sections -O2_-fPIC_-fstack-protector-all -O3_-g_-fno-asynchronous-unwind-tables $more; do
			options=$(echo $options | tr _ ' ')
			compiled $source "$processor coverage" "$@" $options
			compiled $source "$processor calls" "$@" $options
		done
		compiled $source "$processor calls atomic" "$@" -O2
		compiled $source "$processor calls pic" "$@" -O2
		compiled $source "$processor coverage pic" "$@" -O2
	done
}
every x86_64 gcc gcc
every aarch64 gcc aarch64-linux-gnu-gcc
every arm gcc $arm_gcc -mcpu=cortex-a15
every arm gcc $arm_gcc -mcpu=cortex-a15 -mthumb
every arm gcc $arm_gcc -mcpu=cortex-m4 -mthumb
every arm gcc $arm_gcc -mcpu=cortex-m0 -mthumb
every arm gcc $arm_gcc -mcpu=cortex-m23 -mthumb
for compiler in $(clang_releases | sed 's/^/clang-/'); do
	every x86_64 clang $compiler
	every aarch64 clang $compiler --target=aarch64-none-elf
	every arm clang $compiler --target=armv7a-none-eabi
	every arm clang $compiler --target=armv7a-none-eabi -mthumb
	every arm clang $compiler --target=armv7m-none-eabi
	every arm clang $compiler --target=armv8m.main-none-eabi
	every arm clang $compiler --target=armv6m-none-eabi
done
