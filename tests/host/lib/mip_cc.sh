# SPDX-License-Identifier: BSD-2-Clause
# mip_cc.sh - functions that the tests of `bareprof mip cc` and `bareprof mip as` share: sources, and the comparison
# with a compiler that runs without bareprof.
# shellcheck shell=sh

# mip_compilers: prints the compilers to test, one on each line. A command has + in place of spaces.
mip_compilers() {
	if [ -z "${BAREPROF_WIDE-}" ]; then
		printf '%s\n' gcc-12 "clang-$(newest_clang)"
		return
	fi
	printf '%s\n' gcc-12 aarch64-linux-gnu-gcc arm-none-eabi-gcc+-mcpu=cortex-m3+-mthumb arm-none-eabi-gcc+-mcpu=cortex-a7
	for release in $(clang_releases); do
		for target in x86_64-linux-gnu aarch64-none-elf armv7a-none-eabi armv7m-none-eabi armv6m-none-eabi; do
			# For this target, clang 13 calls the linker of the host, which fails.
			[ "$release $target" != "13 aarch64-none-elf" ] || target=aarch64-linux-gnu
			echo "clang-$release+--target=$target"
		done
	done
}
mip_kind() { case $1 in *clang*) echo clang ;; *) echo gcc ;; esac; }

# compiles_cxx COMPILER: returns whether the compiler for C++ is installed too.
compiles_cxx() { echo | $(echo "$1" | tr + ' ') -x c++ -fsyntax-only - 2>/dev/null; }

# mip_sources DIR: writes the sources of all cases to DIR.
mip_sources() {
	mkdir -p "$1/out" "$1/deps" "$1/inc"
	(
		cd "$1" || exit 1
		echo 'int shared; int f(int); static inline int twice(int x) { return 2 * x; }' >a.h
		printf '#include "a.h"\n#include "odd name.h"\nint f(int x) { shared += x; return twice(shared); }\n' >a.c
		echo '#define ODD 1' >'odd name.h'
		echo 'extern int shared; int g(int n) { while (n--) shared *= 3; return shared; }' >b.c
		# Programs are linked without the runtime. So main.c has its function to which all functions jump in the mode calls.
		printf '%s\n' '__asm__(".globl __bareprof_mip_first\n.section .text\n__bareprof_mip_first:\tnop\n");' \
			'int f(int), g(int); int main(void) { return f(0) + g(0); }' >main.c
		echo 'static int unused_function(void) { return 1; } int w(void) { int unused_variable; return 2; }' >warn.c
		printf 'int x\nint y(void) { return z; }\n' >bad.c
		echo 'int data = 1;' >data.c
		echo 'struct s { virtual int m() { return 1; } }; template <class T> T t(T x) { return x; } int u() { s v; return v.m() + t(3); }' >cxx.cc
		echo 'void n(void) { int x = 1; x++; __asm__ volatile("nop" : : "r"(x)); }' >inline.c
		echo 'void n(void) { int x = 1; x++; __asm__ volatile(".warning \"careful\"" : : "r"(x)); }' >asm_warn.c
		echo 'void n(void) { int x = 1; x++; __asm__ volatile("no_such_instruction" : : "r"(x)); }' >asm_bad.c
		echo 'void n(void) { int x = 1; x++; __asm__ volatile("mcr p15, 0, %0, c7, c5, 4" : : "r"(x)); }' >asm_old.c
		printf '%s\n' '__asm__(".globl top\n.section .text\ntop:\tnop\n");' >top.c
		echo 'define i32 @code(i32 %x) { ret i32 %x }' >code.ll
		cp a.c text.txt
		printf '.globl hand\nhand:\n\tnop\n' >hand.s
		printf '#define NAME cpp\n.globl NAME\nNAME:\n\tnop\n' >cpp.S
		cp cpp.S text.asm
		sed -i s/cpp/text/ text.asm
		echo 'not an object' >old.o
		printf -- '-c\n a.c -DSPACE="a \\"b\\" c" -D'"'"'QUOTE=1 2'"'"'\n' >one.rsp
		echo '@one.rsp -O1' >nested.rsp
	)
}

# run_in DIR COMMAND ARGUMENTS: runs COMMAND with ARGUMENTS, which the shell parses, in DIR.
run_in() {
	(cd "$1" && eval "$2 $3" >"../stdout.${1##*/}" 2>"../stderr.${1##*/}")
	echo $? >"$1.status"
}

# sections_of FILE...: prints the names of the ELF files that have machine-profile code, for functions or blocks ("NAME
# map") and of those that have functions ("NAME function"). Other files and missing files are left out.
sections_of() {
	# Without a second file, readelf would not print names.
	readelf -SsW "$@" /dev/null 2>/dev/null | awk '/^File: / { name = $2 } / __llvm_mip(map|pcs) / { print name, "map" }
		$4 == "FUNC" && $3 > 0 { print name, "function" } /^There are .* section headers/ { print name, "elf" }' | sort -u
}

# same_as_plain COMPILER TYPE ARGUMENTS: runs COMPILER with and without bareprof in two folders, and compares the files.
same_as_plain() {
	command=$(echo "$1" | tr + ' ')
	if [ "$1" != "${prepared_for-}" ]; then
		rm -rf "$WORK/sources"
		mip_sources "$WORK/sources"
		# An object for the linker must belong to the same target.
		(cd "$WORK/sources" && $command -c hand.s -o lib.o)
		prepared_for=$1
	fi
	rm -rf "$WORK/plain" "$WORK/ours"
	cp -r "$WORK/sources" "$WORK/plain"
	cp -r "$WORK/sources" "$WORK/ours"
	run_in "$WORK/plain" "$command" "$3"
	run_in "$WORK/ours" "'$BAREPROF' mip cc ${MIP_ARGUMENTS-} $command" "$3"
	compare_folders "$2" >"$WORK/said" 2>&1
}

# compare_folders TYPE: compares what both runs have written. In the folder of bareprof, objects must suit the TYPE.
compare_folders() {
	result=0
	# Names of temporary files differ from run to run, and bareprof adds lines to these files.
	for what in plain ours; do
		sed -E -e "s,/tmp/[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*(:[0-9]+)?,/tmp/FILE,g" -e "s,$WORK/$what,DIR,g" \
			"$WORK/stderr.$what" >"$WORK/messages.$what"
	done
	diff "$WORK/plain.status" "$WORK/ours.status" || result=1
	diff "$WORK/messages.plain" "$WORK/messages.ours" || result=1
	cmp "$WORK/stdout.plain" "$WORK/stdout.ours" || result=1
	# Objects differ, and so do a few files that contain times or options. In bareprof's run, clang's assembly has
	# more comments.
	diff -rq "$WORK/plain" "$WORK/ours" | grep -Ev '\.(o|bc|json|dia|gch|pch|gcno|yaml|s) differ|/(prog|x|y) differ' >"$WORK/others"
	if [ -s "$WORK/others" ]; then
		cat "$WORK/others"
		(cd "$WORK" && diff -r plain ours) | grep -aEv '^(Binary files|diff)|^Only in ' | head -n 20
		result=1
	fi
	(cd "$WORK/ours" && sections_of ./*.o out/* x prog) | grep -v '/lib.o ' >"$WORK/objects"
	count=$(grep -c ' elf$' "$WORK/objects")
	case $1 in
	object)
		awk '$2 == "map" { map[$1] = 1 } $2 == "function" { has[$1] = 1 } END { for (name in has) if (!map[name]) {
			print name, "has no machine-profile code"; wrong = 1 } exit wrong }' "$WORK/objects" || result=1
		;;
	*) ! grep ' map$' "$WORK/objects" || result=1 ;;
	esac
	if [ "$1" = none ] && [ "$count" -ne 0 ] || [ "$1" != none ] && [ "$count" -eq 0 ] && grep -qx 0 "$WORK/plain.status"; then
		echo "there are $count objects"
		result=1
	fi
	return $result
}
