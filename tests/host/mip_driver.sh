#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_driver.sh: tests the options, errors and signals of `bareprof mip cc`, and its use with ccache. mip_cc.sh compares
# it with the compilers alone.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/mip_cc.sh

mip_sources "$WORK"
cd "$WORK" || exit 1
TMPDIR=$WORK/tmp
CCACHE_DIR=$WORK/ccache
export TMPDIR CCACHE_DIR
mkdir -p "$TMPDIR"
unset BAREPROF_MIP
clang=clang-$(newest_clang)
sections() { readelf -SW "$1" | sed -n 's/.*\(__llvm_mip[a-z_]*\) .*/\1/p' | sort -u | tr '\n' ' '; }
# makes FILE SECTIONS COMMAND...: COMMAND writes the object FILE with these SECTIONS, and prints nothing.
makes() {
	file=$1
	wanted=$2
	shift 2
	rm -f "$file"
	"$@" >"$WORK/printed" 2>&1 && [ ! -s "$WORK/printed" ] && [ "$(sections "$file")" = "$wanted" ] && return
	cat "$WORK/printed"
	sections "$file"
	return 1
}
# prints TEXT COMMAND...: COMMAND succeeds, and a line of its standard error is TEXT.
prints() {
	wanted=$1
	shift
	"$@" 2>"$WORK/printed" && grep -qxF "$wanted" "$WORK/printed" && return
	cat "$WORK/printed"
	return 1
}
coverage='__llvm_mipmap __llvm_mipraw_cov '
calls='__llvm_mipmap __llvm_mipraw_calls '

# test_options COMPILER: tests a program, the options of bareprof, and the options of the compiler that bareprof
# refuses.
test_options() {
	cc=$1
	check "$cc: --mode coverage is the default" makes a.o "$coverage" "$BAREPROF" mip cc "$cc" -c a.c
	check "$cc: options in BAREPROF_MIP" makes a.o "$calls" \
		env BAREPROF_MIP="--mode calls --exclude 'x y' --min-size=1" "$BAREPROF" mip cc "$cc" -c a.c
	"$BAREPROF" mip cc "$cc" -O2 main.c a.c b.c -o prog
	./prog
	check "$cc: a program with machine profiles runs" test $? -eq 0
	check "$cc: the command line wins" makes a.o "$coverage" \
		env BAREPROF_MIP='--mode calls' "$BAREPROF" mip cc --mode coverage "$cc" -c a.c
	check "$cc: all functions are excluded" makes b.o '__llvm_mipmap ' "$BAREPROF" mip cc --exclude 'g*' "$cc" -c b.c
	check "$cc: patterns add up" prints 'bareprof: a.c: 0 functions record, 2 are left out: 2 excluded by name' \
		env BAREPROF_MIP='--exclude twice' "$BAREPROF" mip cc --verbose --exclude f "$cc" -c a.c
	check "$cc: --exclude-section" prints 'bareprof: b.c: 0 functions record, 1 is left out: 1 in an excluded section' \
		"$BAREPROF" mip cc --verbose --exclude-section '.text*' "$cc" -ffunction-sections -c b.c
	check "$cc: --discarded-section" makes b.o '' \
		env BAREPROF_MIP='--discarded-section .text.g*' "$BAREPROF" mip cc "$cc" -ffunction-sections -c b.c
	check "$cc: --min-size" prints 'bareprof: b.c: 0 functions record, 1 is left out: 1 smaller than --min-size' \
		"$BAREPROF" mip cc --verbose --min-size 1000 "$cc" -c b.c
	refuses "$cc: -flto" '-flto=auto makes the compiler write bitcode.*leave -flto=auto out, or add -fno-lto' \
		"$BAREPROF" mip cc "$cc" -flto=auto -c a.c
	refuses "$cc: -flto after -fno-lto, in a response file" '-flto makes' \
		sh -c "echo -flto >lto.rsp; '$BAREPROF' mip cc $cc -fno-lto @lto.rsp -c a.c"
	refuses "$cc: -gsplit-dwarf" '-gsplit-dwarf makes.*-gno-split-dwarf' "$BAREPROF" mip cc "$cc" -g -gsplit-dwarf -c a.c
	refuses "$cc: -MJ" '-MJ cannot be combined' "$BAREPROF" mip cc "$cc" -MJ x.json -c a.c
}

# saves MODE: with -save-temps, the preprocessed source and the assembly stay, as without bareprof.
saves() {
	mkdir -p saved && cd saved && "$BAREPROF" mip cc --mode "$1" "$clang" -save-temps -c ../a.c -o a.o && [ -s a.i ] &&
		grep -q '__llvm_mippcs' a.s && readelf -SW a.o | grep -q __llvm_mipraw_blk
}
for mode in blocks calls,blocks; do
	check "$clang: -save-temps, mode $mode" saves $mode
	cd "$WORK" || exit 1
done

for cc in gcc-12 "$clang"; do
	check "$cc: --mode calls" makes a.o "$calls" "$BAREPROF" mip cc --mode calls "$cc" -c a.c
	check "$cc: --verbose prints the numbers" prints 'bareprof: a.c: 1 function records, 1 is left out: 1 excluded by name' \
		"$BAREPROF" mip cc --verbose --exclude f "$cc" -c a.c
	if [ -n "${BAREPROF_WIDE-}" ] || [ "$cc" = gcc-12 ]; then
		test_options "$cc"
	fi
	# A name of a temporary file would also make two objects of one source different.
	"$BAREPROF" mip cc "$cc" -g -O2 -c a.c -o first.o
	"$BAREPROF" mip cc "$cc" -g -O2 -c a.c -o second.o
	check "$cc: two compilations make the same object" cmp first.o second.o
	check "$cc: the line table names the source" sh -c "readelf --debug-dump=rawline first.o | grep -q 'a\.c' &&
		! readelf --debug-dump=rawline,info first.o | grep 'rewritten\|tmp/bareprof'"
	"$cc" -O2 -S a.c -o made.s
	check "$cc: assembly that a compiler wrote" makes made.o "$coverage" "$BAREPROF" mip cc "$cc" -c made.s
	check "$cc: assembly that a compiler wrote, from standard input" makes made.o "$coverage" \
		sh -c "'$BAREPROF' mip cc $cc -x assembler -c - -o made.o <made.s"
	check "$cc: the functions of assembly are counted once" test \
		"$("$BAREPROF" mip cc --verbose "$cc" -c made.s 2>&1 | grep -c ' record')" -eq 1
	"$BAREPROF" mip cc "$cc" -g -c top.c -o top.o
	check "$cc: without a function of C, the assembler makes no line table" sh -c \
		"[ -e top.o ] && ! readelf --debug-dump=rawline,info top.o 2>&1 | grep 'rewritten\|tmp/bareprof'"
	# The compiler waits for its input until the signal comes.
	mkfifo waits
	sleep 30 >waits &
	sleeper=$!
	"$BAREPROF" mip cc "$cc" -x c -c - -o signal.o <waits 2>/dev/null &
	pid=$!
	while ! grep -q . /proc/$pid/task/$pid/children; do sleep 0.05; done
	children=$(cat /proc/$pid/task/$pid/children)
	kill -TERM $pid
	wait $pid 2>/dev/null
	check "$cc: SIGTERM ends it" test $? -eq 143
	check "$cc: SIGTERM ends the programs that it called" sh -c "i=0; for child in $children; do
		while [ -e /proc/\$child ] && [ \$i -lt 100 ]; do sleep 0.05; i=\$((i + 1)); done; done; [ \$i -lt 100 ]"
	kill $sleeper
	wait $sleeper 2>/dev/null
	rm -f waits
	check "$cc: after SIGTERM, there is no object" test ! -e signal.o
done
refuses "clang and gcov" "clang's coverage files get wrong names" "$BAREPROF" mip cc "$clang" --coverage -c a.c
refuses "-fembed-bitcode" 'leave -fembed-bitcode=all out' "$BAREPROF" mip cc "$clang" -fembed-bitcode=all -c a.c
refuses "gcc's -wrapper" 'wrapper cannot be combined' "$BAREPROF" mip cc gcc-12 -wrapper env -c a.c
check "a cancelled -gsplit-dwarf" makes a.o "$coverage" "$BAREPROF" mip cc "$clang" -gsplit-dwarf -gno-split-dwarf -c a.c
refuses "no compiler" 'mip cc needs an operand' "$BAREPROF" mip cc
refuses "a launcher without a compiler" 'no compiler follows ccache' "$BAREPROF" mip cc ccache
refuses "a compiler that is not installed" 'no-such-gcc cannot be started' "$BAREPROF" mip cc no-such-gcc -c a.c
refuses "another program" 'true is neither gcc nor clang' "$BAREPROF" mip cc true -c a.c
check "a compiler with another name" makes a.o "$coverage" "$BAREPROF" mip cc cc -c a.c
refuses "a wrong option in BAREPROF_MIP" "BAREPROF_MIP contains '--counts'" \
	env BAREPROF_MIP=--counts "$BAREPROF" mip cc cc -c a.c
refuses "a word in BAREPROF_MIP" "BAREPROF_MIP contains 'word'" \
	env BAREPROF_MIP='--exclude f word' "$BAREPROF" mip cc cc -c a.c
refuses "a pattern with a comma" "the pattern 'a,b' contains a comma" "$BAREPROF" mip cc --exclude a,b cc -c a.c
refuses "an option of bareprof after the compiler belongs to the compiler" "unrecognized command-line option '--atomic'" \
	env LC_ALL=C "$BAREPROF" mip cc gcc-12 --atomic -c a.c
check "a response file that is longer than a command line" sh -c "
	awk 'BEGIN { for (i = 0; i < 5000; i++) printf \"-DLONG_NAME_OF_A_MACRO_%d=\\\"a \\\\\\\\ b\\\"\n\", i; print \"-c a.c\" }' >long.rsp
	'$BAREPROF' mip cc $clang @long.rsp && readelf -SW a.o | grep -q mipmap"

# Functions may use instructions that -march does not allow.
cat >features.c <<'END'
__attribute__((target("crc"))) unsigned c(unsigned c, unsigned char b) { return __builtin_arm_crc32b(c, b); }
void s(int *p, int x) { x++; __asm__ volatile(".arch_extension lse\n\tstadd %w1, [%0]" : : "r"(p), "r"(x)); }
END
for release in ${BAREPROF_WIDE:+$(clang_releases)} 16; do
	check "clang-$release for AArch64: attributes and .arch_extension in functions" makes features.o "$coverage" \
		"$BAREPROF" mip cc clang-"$release" --target=aarch64-none-elf -c features.c
done

for cc in gcc-12 ${BAREPROF_WIDE:+"$clang"}; do
	check "$cc after ccache" makes a.o "$coverage" "$BAREPROF" mip cc ccache "$cc" -c a.c
	check "$cc after ccache: other options make another object" makes a.o "$calls" \
		"$BAREPROF" mip cc --mode calls ccache "$cc" -c a.c
	[ -n "${BAREPROF_WIDE-}" ] || continue
	check "$cc after ccache: the same options" makes a.o "$coverage" "$BAREPROF" mip cc ccache "$cc" -c a.c
	cp "$BAREPROF" changed
	changed() { "$WORK/changed" mip cc ccache "$1" -c b.c; }
	if [ "$cc" = gcc-12 ]; then
		changed "$cc" && ccache -z >/dev/null && changed "$cc"
		check "gcc-12 after ccache: a hit" sh -c "ccache --print-stats | grep -q '^direct_cache_hit	1$'"
		echo >>changed
		ccache -z >/dev/null && changed "$cc"
		check "gcc-12 after ccache: no hit if bareprof has changed" sh -c "ccache --print-stats | grep -q '^cache_miss	1$'"
	fi
	check "ccache before bareprof, $cc" makes a.o "$calls" ccache "$BAREPROF" mip cc --mode calls "$cc" -c a.c
	check "ccache before bareprof, $cc: other options" makes a.o "$coverage" ccache "$BAREPROF" mip cc "$cc" -c a.c
done
[ -z "${BAREPROF_WIDE-}" ] || check "ccache had hits" sh -c "ccache --print-stats | grep -E '^direct_cache_hit|^preprocessed_cache_hit' | grep -v '	0$'"
check "no temporary file is left" test -z "$(ls -A "$TMPDIR")"
