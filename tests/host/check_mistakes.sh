#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_mistakes.sh: tests `bareprof check` with the mistakes that people made when they added bareprof to their own
# trees. Each mistake is put into a small kernel that a real compiler and linker build, and `bareprof check` must find
# the mistake. In the kernel without a mistake, check must find nothing. With BAREPROF_WIDE=1, each mistake is tested with
# all compilers and linkers. Otherwise each mistake is tested with one compiler and one linker, and each machine has one
# compiler. This is enough, because most mistakes are tested on several machines, and so with several compilers. With
# one compiler for each machine, fewer objects differ, so fewer are compiled.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"

[ -s $DROP_IN/bareprof.c ] || { not_ok "the drop-in files are missing: make test-programs"; exit 0; }

# Writes the sources of the kernel: code with counters, the dump with its sink, and start-up code. All cases copy the
# folder $sound.
sound=$WORK/sound
mkdir "$sound"
cp $DROP_IN/bareprof.c $DROP_IN/*.ld "$sound"
cat >"$sound/header.h" <<'C'
static inline int never_used(int x) { return x ? x * 2 : 1; }
static inline int never_used_either(int x) { return x > 3 ? x : 1; }
C
cat >"$sound/kernel.c" <<'C'
#include "header.h"
int deep(int);
int start(void);
int coverage_dump(void);
__attribute__((noinline)) static int step(int x) { return x > 3 ? x - 1 : x + 1; }
int deep(int x) { return x ? step(x) : 2; }
int unused_here(int x);
int unused_here(int x) { return x ? 1 : 2; }
int start(void) { return deep(3) + coverage_dump(); }
C
cat >"$sound/uart.c" <<'C'
extern volatile unsigned int uart[8];
volatile unsigned int uart[8];
void uart_put(int c);
void uart_put(int c) { while (uart[6] & 32) ; uart[0] = (unsigned int)c; }
C
cat >"$sound/coverage.c" <<'C'
#include "bareprof.h"
#include <stddef.h>
#include <stdint.h>
void uart_put(int c);
int coverage_dump(void);
int fix_weak(void);
static struct bareprof_image image;
static struct bareprof_capture capture;
static unsigned char block[512];
static int put(void *context, const void *data, size_t n)
{
	const unsigned char *text = data;
	(void)context;
	while (n--)
		uart_put(*text++);
	return 0;
}
int coverage_dump(void)
{
	int error;
#ifdef NOLOAD
	error = bareprof_start(&image);
#else
	error = bareprof_image_self(&image);
#endif
#ifdef WEAK
	if (error)
		bareprof_fix_weak_duplicates(&image);
#endif
	if (!error)
		error = bareprof_capture_open(&capture, &image, 1, block, sizeof(block));
	return error ? error : bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, 0);
}
C
cat >"$sound/kernel.ld" <<'LD'
ENTRY(start)
SECTIONS
{
	. = 0x100000;
	.text : { *(.text .text.*) }
	.rodata : { *(.rodata .rodata.*) }
	.init_array : { *(.init_array .init_array.*) }
	.data : ALIGN(4096) { *(.data .data.*) }
	.bss : { __bss_start = .; *(.bss .bss.* COMMON) __bss_end = .; }
	/DISCARD/ : { *(.ARM.exidx*) *(.eh_frame*) }
}
LD

coverage="-fprofile-instr-generate -fcoverage-mapping"
options="-O1 -ffreestanding -ffunction-sections -fdata-sections -fno-stack-protector -fno-unwind-tables
	-fno-asynchronous-unwind-tables -fno-pic -w -I$ROOT/$DROP_IN -I."

# set_machine MACHINE: sets $target to the compiler's options for MACHINE, $gnu to the name of its GNU ld, and $usual to
# the release of clang with which its mistakes are tested without BAREPROF_WIDE=1.
set_machine() {
	machine=$1
	case $1 in
	x86_64) target=--target=x86_64-linux-gnu gnu=ld usual=22 ;;
	aarch64) target=--target=aarch64-linux-gnu gnu=aarch64-linux-gnu-ld usual=19 ;;
	m3) target="--target=thumbv7m-none-eabi -mfloat-abi=soft" gnu=arm-none-eabi-ld usual=22 ;;
	armv7a) target="--target=armv7a-linux-gnueabi -mfloat-abi=soft" gnu=arm-none-eabi-ld usual=14 ;;
	esac
}

# $all lists all installed pairs of a compiler and a linker.
all=
for version in 22 14 19; do
	for linker in lld gnu; do
		command -v clang-$version ld.lld-$version >/dev/null && all="$all $version,$linker"
	done
done
[ -n "$all" ] || { skip "mistakes: no clang with lld"; exit 0; }
# each_tools: sets $each to the pairs for the next mistake. $only is the release of clang that the mistake needs, if
# any. The linker changes from mistake to mistake.
turn=0
each_tools() {
	each=
	for tools in $all; do
		[ "${only:-${tools%,*}}" != ${tools%,*} ] || each="$each $tools"
	done
	[ -z "${BAREPROF_WIDE:-}" ] || return
	turn=$((turn + 1))
	[ $((turn % 3)) -eq 0 ] && linker=gnu || linker=lld
	pair=${only:-$usual},$linker
	case " $each " in *" $pair "*) each=$pair ;; *) each=$(echo $each | cut -d' ' -f1) ;; esac
}

# prepare: makes the folder $case with the kernel that has no mistake. The SETUP command of `mistake` then changes the
# files in $case, or the variables below.
cases=0
prepare() {
	cases=$((cases + 1))
	case=$WORK/case$cases
	cp -r "$sound" "$case"
	counted=kernel # the sources that are compiled with $kind
	kind=$coverage
	extra= # options for all sources
	fragment=bareprof.ld
	link_options="--gc-sections --build-id=sha1"
	check_options=
	other= # source,version: a source for another compiler
	special= # source,option: an option for one source
	after=true # is run after the link
}

# build VERSION LINKER: makes $case/image. Keeps the compiled objects in $WORK/objects for later cases. An object has the
# options in the name of its folder, and the checksums of its source and of header.h in its own name.
build() (
	cd "$case" || exit
	release=$1
	linker=ld.lld-$1
	[ $2 = lld ] || linker=$gnu
	set --
	cksum header.h *.c >sums
	while read -r sum size source; do
		[ "$source" != header.h ] || { header=$sum; continue; }
		name=${source%.c}
		flags=$extra
		case " $counted " in *" $name "*) flags="$flags $kind" ;; esac
		[ "${special%,*}" != "$name" ] || flags="$flags ${special#*,}"
		version=$release
		[ "${other%,*}" != "$name" ] || version=${other#*,}
		folder="$WORK/objects/$version $machine $flags"
		object="$folder/$name $sum $size $header.o"
		[ -d "$folder" ] || mkdir -p "$folder"
		[ -f "$object" ] || clang-$version $target $options $flags -c "$source" -o "$object" || exit
		set -- "$@" "$object"
	done <sums
	$linker $link_options ${fragment:+-T $fragment} -T kernel.ld "$@" -o image || exit
	$after
) >"$case/log" 2>&1

# found [PATTERN]: writes a line "SEVERITY ID" to $case/found for each finding about $case/image. Fails if PATTERN is
# given and matches the text of no finding. The last line of this script checks the form of all JSON files.
found() {
	(cd "$case" && exec "$BAREPROF" check --json $check_options image) >"$case/json" 2>"$case/err"
	PATTERN=${1:+"\"text\": .*($1)"} awk '
		function value() { sub(/^[^:]*: "/, ""); sub(/".*/, ""); return $0 }
		ENVIRON["PATTERN"] == "" || $0 ~ ENVIRON["PATTERN"] { matched = 1 }
		/^ *"severity": / { severity = value() }
		/^ *"id": / { print severity, value() }
		END { exit !matched }' "$case/json" >"$case/found" 2>&1
}

# mistake WHAT MACHINE SEVERITY ID PATTERN SETUP...: check must find the mistake that SETUP makes, and report it as ID
# with SEVERITY. The text of the finding must match PATTERN. If SEVERITY and ID are `no finding`, check must find
# nothing.
mistake() {
	what=$1
	set_machine $2
	wanted="$3 $4"
	pattern=$5
	shift 5
	each_tools
	for tools in $each; do
		name="$what (clang ${tools%,*}, ${tools#*,}, $machine)"
		prepare
		cd "$case" && "$@"
		cd "$ROOT" || exit
		if ! build ${tools%,*} ${tools#*,}; then
			fails "$name: does not build" "$case/log"
			continue
		fi
		if [ "$wanted" = "no finding" ]; then
			found
			if [ -s "$case/json" ] && [ ! -s "$case/found" ]; then ok "$name: no finding"; else fails "$name: findings" "$case/found" "$case/json" "$case/err"; fi
		elif found "$pattern" && grep -qx "$wanted" "$case/found"; then
			ok "$name: $wanted"
		else
			fails "$name: not '$wanted' with '$pattern'" "$case/found" "$case/json" "$case/err"
		fi
	done
}

# The kernel without a mistake is tested with all linkers, and with the usual compiler of each machine.
for machine in x86_64 aarch64 m3 armv7a; do
	set_machine $machine
	for tools in $all; do
		[ -n "${BAREPROF_WIDE:-}" ] || [ ${tools%,*} = $usual ] || continue
		prepare
		if build ${tools%,*} ${tools#*,}; then
			found
			check "no mistake: clang ${tools%,*}, ${tools#*,}, $machine" \
				sh -c "[ -s '$case/json' ] && ! grep . '$case/found' && grep -q '\"unused_functions\": 2,' '$case/json'"
		else
			fails "no mistake: clang ${tools%,*}, ${tools#*,}, $machine: does not build" "$case/log"
		fi
	done
done
"$BAREPROF" check "$case/image" >"$WORK/out"
check "check says for which buffer it computes the size of a dump" grep -q '^dump: .*with a buffer of 1024 bytes:' "$WORK/out"
check "check reports the cause of unused names" grep -q 'unused: .*2 functions.*limited-coverage-experimental=true' "$WORK/out"

# 1. __llvm_covfun is discarded.
discard_covfun() { sed -i 's/__llvm_covfun 0 : {[^}]*}//' bareprof.ld && sed -i 's|/DISCARD/ : {|& *(__llvm_covfun)|' kernel.ld; }
mistake "__llvm_covfun discarded" x86_64 warning mapping-without-functions 'every report will be empty' discard_covfun
mistake "__llvm_covfun discarded" aarch64 warning mapping-without-functions '__llvm_covfun' discard_covfun
# 2. KEEP is missing in the linker script.
no_keep() { sed -i 's/KEEP(\(\*(__llvm_prf[^)]*)\))/\1/g' bareprof.ld; }
mistake "KEEP dropped" x86_64 warning names-unused 'unused_here.*dropped the records' no_keep
mistake "KEEP dropped" aarch64 warning names-unused 'unused_here.*dropped the records' no_keep
# 3. The runtime, the sink, or a function that the sink calls is instrumented.
runtime_counts() { counted="kernel bareprof"; }
mistake "runtime instrumented" armv7a warning runtime-instrumented 'from bareprof\.c' runtime_counts
sink_counts() { counted="kernel coverage"; }
uart_counts() { counted="kernel uart"; }
for machine in x86_64 aarch64 m3 armv7a; do
	mistake "sink instrumented" $machine warning sink-instrumented 'coverage\.c:put' sink_counts
	mistake "a function of the sink instrumented" $machine warning sink-instrumented 'uart_put' uart_counts
done
# 4. The helper for atomic counters is instrumented.
helper() {
	kind="$coverage -fprofile-update=atomic"
	cat >helper.c <<'C'
typedef unsigned long long word;
unsigned long long lock(void);
static int masked;
static void mask(void) { masked = masked ? 2 : 1; }
word __atomic_fetch_add_8(word *at, word n, int order) { mask(); word old = *at; *at = old + n; return old; }
word add(word *at, word n) __asm__("__sync_fetch_and_add_8");
word add(word *at, word n) { mask(); word old = *at; *at = old + n; return old; }
word swap(word *at, word from, word to) __asm__("__sync_val_compare_and_swap_8");
word swap(word *at, word from, word to) { mask(); word old = *at; if (old == from) *at = to; return old; }
C
}
helper_counts() { helper && counted="kernel helper"; }
mistake "atomic helper" m3 no finding '' helper
mistake "atomic helper instrumented" m3 error atomic-helper-instrumented 'helper\.c' helper_counts
# 5. Naked functions are instrumented. check must not report two kinds of compiled functions: functions that never
# return, and functions with a stack frame.
naked() {
	counted="kernel vectors"
	link_options=--build-id=sha1
	[ $2 = plain ] || kind="$coverage -fprofile-update=atomic -mllvm -limited-coverage-experimental=true"
	[ $machine != m3 ] || [ $2 = plain ] || extra=-DBAREPROF_ATOMIC
	case $machine in
	aarch64) body='stp x0, x1, [sp, #-16]!; bl deep; ldp x0, x1, [sp], #16; eret' ;;
	*) body='push {r0-r3, lr}; bl deep; pop {r0-r3, pc}' ;;
	esac
	[ $machine != aarch64 ] || kind="$kind -mno-outline-atomics"
	echo "int deep(int); __attribute__((naked$1)) void vector(int a, int b) { __asm__ volatile(\"$body\"); }
		__attribute__((noreturn)) void never(int x) { for (;;) deep(x); }
		int many(int a, int b, int c, int d, int e, int f) { volatile int list[40]; list[a] = b; deep(c); return list[d] + e + f; }" >vectors.c
}
for machine in m3 armv7a aarch64; do
	mistake "naked function" $machine error naked-instrumented 'naked functions are instrumented \(vector, from vectors\.c\)' naked '' plain
	mistake "naked function that is left out" $machine no finding '' naked ', no_profile_instrument_function' plain
done
mistake "naked function with atomic counters" m3 error naked-instrumented '\(vector, from vectors\.c\)' naked '' atomic
mistake "naked function with atomic counters, left out" m3 no finding '' naked ', no_profile_instrument_function' atomic
# reads KIND OPTION BODY: makes a naked function with the assembler code BODY, compiled with OPTION. In the first cases,
# BODY reads registers that the code of the counter has overwritten, so check must find the mistake.
reads() {
	naked '' $1
	special=vectors,$2
	BODY=$3 awk '{ sub(/volatile\(".*"\)/, "volatile(\"" ENVIRON["BODY"] "\")"); print }' vectors.c >new && mv new vectors.c
}
of_vector='\(vector, from vectors\.c\)'
frame='sub sp, sp, #256; stp x0, x1, [sp]; stp x2, x3, [sp, #16]; stp x8, x9, [sp, #64]; stp x10, x11, [sp, #80]; bl deep; b .'
mistake "naked: push" x86_64 error naked-instrumented "$of_vector" reads plain -O0 'push %rax; push %rdi; call deep; pop %rdi; pop %rax; ret'
mistake "naked: move" x86_64 error naked-instrumented "$of_vector" reads plain -O0 'mov %rax, %rdi; jmp deep'
mistake "naked: exception frame" aarch64 error naked-instrumented "$of_vector" reads plain -O2 "$frame"
mistake "naked: exception frame, atomic" aarch64 error naked-instrumented "$of_vector" reads atomic -O2 "$frame"
mistake "naked: exception frame, atomic, -O0" aarch64 error naked-instrumented "$of_vector" reads atomic -O0 'mrs x0, esr_el1; b deep'
mistake "naked: move, atomic, Armv8.1" aarch64 error naked-instrumented "$of_vector" reads atomic '-O2 -march=armv8.1-a' 'mov x0, x8; b deep'
mistake "naked: stacks of tasks" armv7a error naked-instrumented "$of_vector" reads plain -O2 'str sp, [r0]; ldr sp, [r1]; bx lr'
mistake "naked: registers from r2 on" armv7a error naked-instrumented "$of_vector" reads plain -O0 'stmfd sp!, {r2, r3, lr}; bl deep; ldmfd sp!, {r2, r3, pc}'
mistake "naked: stack pointer of tasks" m3 error naked-instrumented "$of_vector" reads plain -O2 'msr psp, r0; isb; bx lr'
mistake "naked: jump" m3 error naked-instrumented "$of_vector" reads plain -O0 'bx r0'
# This case needs clang 22. To count atomically, clang 14 calls a helper that takes no argument on the stack. A compiled
# function that never returns calls that helper in the same way, so check cannot find the mistake. The helper of clang
# 22 takes an argument on the stack.
[ "$all" = "${all#*22,}" ] || only=22 mistake "naked: never returns, atomic" m3 error naked-instrumented "$of_vector" reads atomic -O2 'mov r0, lr; bl deep; b .'
# In the next cases, the code of the counter overwrites no register that BODY reads.
mistake "naked: incq" x86_64 no finding '' reads plain -O2 'push %rax; push %rdi; call deep; pop %rdi; pop %rax; ret'
mistake "naked: nothing is read" aarch64 no finding '' reads plain -O0 'mrs x0, esr_el1; b deep'
mistake "naked: nothing is read" m3 no finding '' reads plain -O2 'mrs r0, psp; b deep'

# 6. No start-up code initialises the counters.
noload() { sed -i 's/__llvm_prf_cnts :/__llvm_prf_cnts (NOLOAD) :/' bareprof.ld; }
noload_started() { noload && extra="-DNOLOAD -DBAREPROF_NOLOAD" && sed -i 's/__llvm_prf_cnts (NO/.bareprof_valid (NOLOAD) : { __bareprof_valid = .; . += 8; } &/' bareprof.ld; }
# The counters are in .bss, which start-up code clears, so check must find nothing.
noload_cleared() {
	bounded='__bss_start = .; . = ALIGN(8); __start___llvm_prf_cnts = .; KEEP(*(__llvm_prf_cnts)) __stop___llvm_prf_cnts = .;'
	noload
	sed -i 's/__llvm_prf_cnts (NOLOAD) : ALIGN(8) {[^}]*}//' bareprof.ld
	sed -i "s/\.bss : { __bss_start = \.;/.bss (NOLOAD) : { $bounded/" kernel.ld
}
mistake "NOLOAD counters that nobody fills" m3 warning counters-not-filled 'no content.*outside of __bss_start' noload
advice=$case/json
# noload_advised: adds the line that check printed for the previous mistake. bareprof.c is compiled without options.
noload_advised() {
	noload
	LINE=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["findings"][0]["fixes"][0]["line"])' "$advice") || return
	LINE=$LINE awk '{ print } /^	int error;$/ { print ENVIRON["LINE"] }' coverage.c >new && mv new coverage.c
}
mistake "NOLOAD counters with the line that check prints" m3 no finding '' noload_advised
mistake "NOLOAD counters with bareprof_start()" m3 no finding '' noload_started
mistake "counters in .bss, which start-up clears" armv7a no finding '' noload_cleared
bytes_cleared() { noload_cleared && kind="$coverage -mllvm -enable-single-byte-coverage"; }
[ "$all" = "${all#*19,}" ] || only=19 mistake "byte counters in .bss" x86_64 warning counters-not-filled 'byte counters must start as 0xff' bytes_cleared
# 7. Two releases of clang with the same record layout were used. check notices this by the hashes of large functions.
other_release() {
	other=other,$1
	counted="kernel large other"
	awk 'BEGIN {
		for (i = 0; i < 24; i++) {
			printf "int large%d(int x); int large%d(int x) {", i, i
			for (j = 0; j < 9; j++)
				printf " while (x > %d) { if (x & %d) x -= 2; else x--; }", i + j, i * 7 % 5 + j
			printf " return x; }\n"
		}
	}' >large.c
	sed 's/while (x > \([0-9]*\)) { if/for (; x > \1;) { if (x \& 64) x--; if/; s/large/other/g' large.c >other.c
	sed -i 's/--gc-sections//' kernel.ld
	link_options=--build-id=sha1
}
case $all in
*22,*19,*)
	only=22 mistake "one object of clang 19" x86_64 warning two-releases 'objects of clang 22 or later.* from large\.c' other_release 19
	only=19 mistake "one object of clang 22" aarch64 warning two-releases 'objects of clang 22 or later.* from other\.c' other_release 22
	runtime_by() { other=bareprof,$1; }
	only=22 mistake "the runtime of clang 19" x86_64 note two-releases 'objects without counters may' runtime_by 19
	;;
*) skip "two releases with one layout: clang 19 and 22 are not both installed" ;;
esac
case $all in
*22,*14,*) only=22 mistake "one object of clang 14" x86_64 error two-compilers 'LLVM 14 to 17' other_release 14 ;;
esac

# 8. The counters are outside of the memory that is mapped.
mapped() { check_options="--mapped $1"; }
mistake "counters beyond the mapped memory" x86_64 error counters-unmapped '__llvm_prf_cnts extends from 0x.*put BAREPROF_BIAS.*-mllvm -runtime-counter-relocation' mapped 0x100000:__start___llvm_prf_cnts
mistake "counters before the mapped memory" m3 error counters-unmapped 'would fault' mapped __stop___llvm_prf_cnts:0x10000000
mistake "counters in the mapped memory" aarch64 no finding '' mapped __start___llvm_prf_cnts:__stop___llvm_prf_cnts
for range in 0x100000 nosuch:0x200000 0x100000:nosuch 0x200000:0x100000 12x:13; do
	refuses "--mapped $range" "(mapped|nosuch|12x)" "$BAREPROF" check --mapped $range "$case/image"
done

# The script has a bias, but code was compiled without the option that makes it use the bias.
bias() {
	sed -i 's/^\t\.bss/\t.bareprof_bias : ALIGN(8) { __llvm_profile_counter_bias = .; QUAD(0x40000000 - __start___llvm_prf_cnts) }\n&/' kernel.ld
	kind="$coverage $1"
}
for machine in aarch64 m3 armv7a; do
	only=${BAREPROF_WIDE:+19} mistake "code without the bias" $machine warning bias-ignored 'count without it \(kernel\.c:step, .*from kernel\.c\)' bias ''
	only=${BAREPROF_WIDE:+22} mistake "code with the bias" $machine no finding '' bias '-mllvm -runtime-counter-relocation'
done
# 9. objcopy copied only the sections in a list, and the list lacks sections of the profile.
copied() {
	check_options="--bin image.bin"
	copy=$1
	after=copy_image
}
copy_image() { llvm-objcopy-${tools%,*} -O binary $copy image image.bin; }
text="-j .text -j .rodata -j .data -j .bss"
mistake "objcopy -j without the profile" x86_64 error binary-incomplete 'image.bin lacks sections of the image: __llvm_prf_cnts.*__llvm_prf_data.*__llvm_prf_names.*build-id' copied "$text"
mistake "objcopy -j without names" m3 error binary-incomplete 'image.bin lacks sections of the image: __llvm_prf_names \(' copied \
	"$text -j __llvm_prf_cnts -j __llvm_prf_data -j .note.gnu.build-id"
mistake "objcopy -R" aarch64 error binary-incomplete 'lacks sections of the image: __llvm_prf_data \(' copied "-R __llvm_prf_data"
mistake "objcopy of all sections" armv7a no finding '' copied ""
# With the objcopy options that check proposes, the finding must be gone.
options_of() { python3 -c 'import json, sys; print(*[fix["line"] for f in json.load(open(sys.argv[1]))["findings"] for fix in f["fixes"]])' "$1"; }
mistake "objcopy -j without the profile" aarch64 error binary-incomplete 'lacks' copied "$text"
line=$(options_of "$case/json")
(cd "$case" && copy="$text $line" && copy_image)
check "objcopy with what check proposes: $line" "$BAREPROF" check --bin "$case/image.bin" "$case/image"
differs() {
	check "$1" sh -c "'$BAREPROF' check --json --bin '$WORK/$2' '$case/image' | grep -q '\"id\": \"binary-differs\"'"
}
head -c 5000 /dev/urandom >"$WORK/random.bin"
differs "a file of another build: error binary-differs (no section found)" random.bin
python3 - "$case/image.bin" "$WORK/other.bin" <<'PYTHON'
import sys
image = bytearray(open(sys.argv[1], "rb").read())
at = image.find(b"kernel.c:step") + 1 or len(image) * 3 // 4
image[at] ^= 1
image[-8] ^= 1
open(sys.argv[2], "wb").write(image)
PYTHON
differs "a file with other bytes: error binary-differs" other.bin
: >"$WORK/empty.bin"
differs "an empty file: error binary-differs" empty.bin
refuses "--bin with the ELF file" 'image: is an ELF file: --bin takes a plain copy' "$BAREPROF" check --bin "$case/image" "$case/image"
llvm-objcopy-${tools%,*} -O ihex "$case/image" "$WORK/image.hex"
refuses "--bin with a HEX file" 'is an Intel HEX file' "$BAREPROF" check --bin "$WORK/image.hex" "$case/image"
refuses "--bin with no file" 'cannot be opened: No such file' "$BAREPROF" check --bin "$WORK/none" "$case/image"

# 10. The image is stripped. The note about this must come before all other findings.
stripped() { after=strip_image; }
strip_image() { llvm-objcopy-${tools%,*} --strip-all image; }
mistake "a stripped image" x86_64 note stripped 'as it was before strip' stripped
check "a stripped image: the hint is the first finding" sh -c "head -n 1 '$case/found' | grep -qx 'note stripped'"
lean_stripped() {
	stripped
	fragment=bareprof-lean.ld
	[ ${tools%,*} -ge 17 ] || extra=-DLEAN
}
mistake "a stripped lean image" aarch64 note stripped 'as it was before strip' lean_stripped
check "a stripped lean image: the hint comes before errors" sh -c "head -n 1 '$case/found' | grep -qx 'note stripped' && grep -q '^error' '$case/found'"

# 11. Memory for a copy of the counters is too small. copied_to WORDS CALL OPTION: makes a file, compiled with OPTION,
# in which CALL copies the counters into a memory of WORDS words of 8 bytes.
copied_to() {
	link_options=--build-id=sha1
	special=copy,$3
	cat >copy.c <<C
#include "bareprof.h"
#include <stddef.h>
#include <stdint.h>
static uint64_t copy[$1];
static struct bareprof_image then;
size_t guest_copy(void *guest, uint64_t to, const void *from, size_t n) { return n; }
static uint64_t window[20];
static struct bareprof_hypercalls calls = {
	.copy = guest_copy, .buffer = window, .window = sizeof(window), .open = bareprof_capture_open, .memory = copy, .memory_size = sizeof(copy),
};
int take(struct bareprof_image *image, size_t size) { int error = $2; return error ? error : (int)copy[1]; }
C
}
snapshot='bareprof_snapshot_masked(&then, image, copy, sizeof(copy))'
unsized='bareprof_snapshot(&then, image, copy, size)'
drain='bareprof_drain(&then, image, copy, sizeof(copy))'
serve='(bareprof_hypercalls_start(&calls), 0)'
for machine in x86_64 aarch64 m3 armv7a; do
	case $machine in x86_64 | m3) option=-O0 ;; *) option=-Oz ;; esac
	mistake "a snapshot's memory" $machine warning buffer-too-small 'bareprof_snapshot_masked\(\) in take\(\) gets 24 bytes of memory \(copy\), but a copy of the counters takes [0-9]+: the call fails with BAREPROF_E_NO_SPACE, ' copied_to 3 "$snapshot" -O2
	mistake "a drain's memory, $option" $machine warning buffer-too-small 'bareprof_drain\(\) in take\(\) gets 24 bytes' copied_to 3 "$drain" $option
	mistake "a snapshot's memory, the size is not a constant" $machine warning buffer-too-small 'memory \(copy\) that ends after 24 bytes' copied_to 3 "$unsized" $option
	mistake "enough memory for a snapshot" $machine no finding '' copied_to 300 "$snapshot" $option
	mistake "the memory of hypercalls" $machine warning buffer-too-small 'SNAPSHOT of hypercalls gets 24 bytes of memory \(copy\), .*: SNAPSHOT returns NOT_SUPPORTED, ' copied_to 3 "$serve" $option
done
mistake "enough memory, the size is not a constant" x86_64 no finding '' copied_to 300 "$unsized" -O2
mistake "the window of hypercalls" m3 warning buffer-too-small 'window of hypercalls has 160 bytes.* takes at least 180: .*; 192 bytes \(BAREPROF_BLOCK_MIN\) are enough if' copied_to 300 "$serve" -O2
sound_window() { copied_to 300 "$serve" -O2 && sed -i 's/window.20./window[23]/' copy.c; }
mistake "hypercalls with enough memory" x86_64 no finding '' sound_window
mistake "hypercalls with enough memory" m3 no finding '' sound_window

# 12. Two files define the same weak function.
weak() {
	counted="kernel one two"
	echo '__attribute__((weak)) int hook(int x) { return x ? 1 : 2; } int one(void) { return hook(1); }' >one.c
	echo '__attribute__((weak)) int hook(int x) { return x ? 1 : 2; } int two(void) { return hook(2); }' >two.c
}
weak_fixed() { weak && extra=-DWEAK; }
mistake "a weak function in two files" m3 error weak-duplicate '; call bareprof_fix_weak_duplicates\(\) when' weak
check "a weak function: the fix is the call, not an option of ld -r" \
	sh -c "grep -q '\"line\": \"bareprof_fix_weak_duplicates(&image);\"' '$case/json' && ! grep -q force-group '$case/json'"
mistake "a weak function, and the call" m3 note weak-duplicate 'count as never run' weak_fixed

# --explain must have a page for each finding, and for each id that the previous version of bareprof used.
sed -n 's/^	X([A-Z_]*, "\([a-z-]*\)",.*/\1/p' host-tools/check/findings.h | sort >"$WORK/ids"
check "--explain list has all ids" sh -c "'$BAREPROF' check --explain list | awk '{ print \$1 }' | sort | diff '$WORK/ids' -"
while read -r id; do
	"$BAREPROF" check --explain $id >"$WORK/page" 2>&1 && grep -q '^Cause: ' "$WORK/page" && grep -q '^Effect: ' "$WORK/page" &&
		grep -q '^Remedy: ' "$WORK/page" && ! grep -q '.\{141\}' "$WORK/page" || echo $id
done <"$WORK/ids" >"$WORK/without"
check "every finding has a page with cause, effect and remedy" sh -c "[ -s '$WORK/ids' ] && ! grep . '$WORK/without'"
refuses "--explain with a wrong id" "no finding 'striped'; did you mean 'stripped'\?.*--explain list" "$BAREPROF" check --explain striped
python3 tests/host/lib/json_schema.py check --without machine_profile "$WORK"/case*/json
