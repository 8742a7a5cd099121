#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_as.sh: tests `bareprof mip as` as the assembler of gcc and clang, and with assembly that no compiler wrote.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/mip_cc.sh

mip_sources "$WORK"
cd "$WORK" || exit 1
TMPDIR=$WORK/tmp
export TMPDIR
mkdir -p "$TMPDIR"
unset BAREPROF_MIP
sections() { readelf -SW "$1" | sed -n 's/.*\(__llvm_mip[a-z_]*\) .*/\1/p' | sort -u | tr '\n' ' '; }
has() { [ "$(sections "$1")" = "$2" ] || { sections "$1"; return 1; }; }
coverage='__llvm_mipmap __llvm_mipraw_cov '
calls='__llvm_mipmap __llvm_mipraw_calls '

# A folder with an assembler for each prefix of tools, as PORTING.md describes it.
for prefix in '' aarch64-linux-gnu- arm-none-eabi-; do
	mkdir -p "tools/$prefix"
	printf '#!/bin/sh\nexec "%s" mip as "%s" "$@"\n' "$BAREPROF" "$(command -v ${prefix}as)" >"tools/$prefix/as"
	chmod +x "tools/$prefix/as"
done

# same_with COMPILER PREFIX: with -B, the compiler makes the same files and messages as without, and the object has
# machine-profile code.
same_with() {
	folder=$WORK/tools/$2
	set -- "$1" '-O2 -c a.c -MD -o x.o'
	[ -z "${BAREPROF_WIDE-}" ] || set -- "$@" '-pipe -c a.c -o x.o' '-save-temps -c a.c -o x.o' '-g -c a.c -o x.o' \
		'-c hand.s -o hand.o' '-c cpp.S -o hand.o'
	compiler=$1
	shift
	for options; do
		rm -rf plain ours
		mip_sources plain
		mip_sources ours
		run_in "$WORK/plain" "$compiler" "$options"
		run_in "$WORK/ours" "$compiler -B '$folder'" "$options"
		diff plain.status ours.status || return
		diff stderr.plain stderr.ours || return
		diff -rq plain ours | grep -v '/x.o differ' && return 1
		[ ! -e ours/x.o ] || has ours/x.o "$coverage" || return
	done
}
check "gcc-12 with -B" same_with gcc-12 ''
check "aarch64-linux-gnu-gcc with -B" same_with aarch64-linux-gnu-gcc aarch64-linux-gnu-
check "arm-none-eabi-gcc with -B" same_with 'arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb' arm-none-eabi-
for release in ${BAREPROF_WIDE:+$(clang_releases)} $(newest_clang); do
	check "clang-$release -fno-integrated-as with -B" same_with "clang-$release -fno-integrated-as" ''
	[ -z "${BAREPROF_WIDE-}" ] || check "clang-$release -fno-integrated-as with -B, AArch64" \
		same_with "clang-$release -fno-integrated-as --target=aarch64-linux-gnu" aarch64-linux-gnu-
done
check "BAREPROF_MIP selects the mode" sh -c "BAREPROF_MIP='--mode calls' gcc-12 -B '$WORK/tools' -c a.c -o calls.o"
check "mode calls" has calls.o "$calls"
check "gcc's -wrapper" sh -c "gcc-12 -wrapper '$BAREPROF,mip,as,--mode,calls' main.c a.c b.c -nostartfiles -r -o wrapped.o"
check "gcc's -wrapper, mode calls" has wrapped.o "$calls"

gcc-12 -O2 -S a.c
"$BAREPROF" mip as as a.s -o a.o
check "a file" has a.o "$coverage"
"$BAREPROF" mip as as -o stdin.o <a.s
check "standard input" has stdin.o "$coverage"
"$BAREPROF" mip as as -o stdin.o -- <a.s
check "standard input after --" has stdin.o "$coverage"
"$BAREPROF" mip as as - -o stdin.o <hand.s
as - -o plain.o <hand.s
check "assembly from standard input that no compiler wrote" cmp stdin.o plain.o
echo '-o rsp.o a.s' >as.rsp
"$BAREPROF" mip as as @as.rsp
check "a response file" has rsp.o "$coverage"
check "--verbose names the source" sh -c "'$BAREPROF' mip as --verbose as a.s -o a.o 2>&1 | grep -x 'bareprof: a.c: 1 function records, 0 are left out'"
check "--version is the assembler's" sh -c "'$BAREPROF' mip as as --version | grep -q 'GNU assembler'"
check "a program that is not an assembler" sh -c "'$BAREPROF' mip as \$(gcc-12 -print-prog-name=cc1) -quiet -O1 a.c -o cc1.s && grep -q '^f:' cc1.s"
sed 's/^f:/f:\n\tno_such_instruction/' a.s >wrong.s
"$BAREPROF" mip as as wrong.s -o wrong.o 2>wrong.err
check "the status of the assembler" test $? -eq 1
check "the message of the assembler" grep -q 'no_such_instruction' wrong.err
check "after an error, there is no object" test ! -e wrong.o
# The map is little-endian, so code for a big-endian processor is refused. The last option about the byte order wins.
echo 'int big(void) { return 1; }' >big.c
big='big-endian code, which bareprof mip does not support'
for compiler in "clang-$(newest_clang) --target=aarch64_be-none-elf" "clang-$(newest_clang) --target=armebv7a-none-eabi" \
	"aarch64-linux-gnu-gcc -mbig-endian" "arm-none-eabi-gcc -mcpu=cortex-a8 -mlittle-endian -mbig-endian"; do
	# shellcheck disable=SC2086
	refuses "$compiler" "big.c:1: this is $big" "$BAREPROF" mip cc $compiler -c big.c -o big.o
done
check "a later -mlittle-endian wins" \
	"$BAREPROF" mip cc aarch64-linux-gnu-gcc -mbig-endian -mlittle-endian -c big.c -o big.o
refuses "a missing file" 'missing.s: cannot be opened' "$BAREPROF" mip as as missing.s -o x.o
refuses "a missing assembler" 'no-such-as cannot be started' "$BAREPROF" mip as no-such-as a.s -o x.o
refuses "two files" 'b.c.*call the assembler once for each file' "$BAREPROF" mip as as a.s b.c -o x.o
refuses "a dependency file" 'this dependency file would name a temporary file' "$BAREPROF" mip as as --MD x.d a.s -o x.o
refuses "no assembler" 'mip as needs an operand' "$BAREPROF" mip as
check "no temporary file is left" test -z "$(ls -A "$TMPDIR")"
