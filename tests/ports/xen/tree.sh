#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: tests ports/xen/install.sh on a part of the source of Xen: the files to which install.sh adds lines. The
# script checks what install.sh refuses and what install.sh adds. It also checks that --uninstall removes everything
# that install.sh added. hypervisor.sh builds and boots hypervisors.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/xen/lib.sh
. tests/ports/xen/current.sh

LINES_MAX=75
install=ports/xen/install.sh
PRISTINE=$WORK/pristine
home=xen/common/coverage/bareprof
edited="xen/Rules.mk xen/common/coverage/Makefile xen/common/coverage/coverage.c xen/common/coverage/coverage.h
	xen/include/public/sysctl.h xen/common/keyhandler.c xen/arch/x86/Makefile xen/arch/x86/xen.lds.S
	xen/arch/arm/xen.lds.S xen/Kconfig.debug xen/common/Makefile xen/common/sysctl.c xen/include/xen/coverage.h
	xen/arch/x86/apic.c"
current="xen/include/xen/xen.lds.h"

xen_source || exit 0
# unpacked: puts the files in $edited and $current into $PRISTINE. To decompress the whole source takes 3 s. So the first
# call stores these files in a small archive beside the source, and later calls unpack only that archive. Its name has a checksum of the names of the source and the files.
unpacked() {
	archive=$(ls "$XEN_CACHE"/source/*.orig.tar.xz)
	parts=$XEN_CACHE/source/few-$(echo "$archive $edited $current" | cksum | tr ' ' -).tar
	mkdir -p "$PRISTINE"
	# shellcheck disable=SC2046
	[ -e "$parts" ] || { tar -x -J -f "$archive" -C "$PRISTINE" --strip-components=1 \
		--wildcards $(for file in $edited $current; do echo "*/$file"; done) &&
		tar -c -f "$parts.$$" -C "$PRISTINE" . && mv "$parts.$$" "$parts"; } || return
	rm -rf "$PRISTINE" && mkdir "$PRISTINE" && tar -x -f "$parts" -C "$PRISTINE"
}
check "the source of Xen is unpacked" unpacked

few=$WORK/few
# fresh: makes a new source tree, and a copy to compare with.
fresh() {
	rm -rf "$few" "$few.copy"
	cp -R "$PRISTINE" "$few"
	cp -R "$PRISTINE" "$few.copy"
}
modes() { (cd "$1" && find . -printf '%m %p\n' | sort); }
unchanged() { diff -r "$few.copy" "$few" && modes "$few.copy" >"$WORK/modes" && modes "$few" | diff "$WORK/modes" -; }
not() { ! "$@"; }

fresh
check "bareprof is installed" sh $install "$few"
cp -R "$few" "$few.in"
lines=$(grep '^+' "$few/$home/install.patch" | grep -c -v '^+++')
check "lines added to the tree's own files: $lines" test "$lines" -le $LINES_MAX -a "$lines" -gt 10
check "no lines are removed" not grep '^-[^-]' "$few/$home/install.patch"
check "Xen 4.17's variable gets the flags" grep -q 'COV_FLAGS := $(bareprof-kind-flags)' "$few/xen/Rules.mk"
# order FILE WORD...: succeeds if each WORD is the first word of one line of FILE, in the order of the WORDs.
order() {
	file=$1
	shift
	test "$(awk -v words=" $* " 'index(words, " " $1 " ") { print $1 }' "$file" | xargs)" = "$*"
}
check "x86: the sections are between .data and .bss" order "$few/xen/arch/x86/xen.lds.S" __init_end BAREPROF_DATA __bss_start _end BAREPROF_DETAILS
check "Arm: the sections are between .data and .bss, and after UEFI's limit, which they move" \
	order "$few/xen/arch/arm/xen.lds.S" __init_end_efi __init_end BAREPROF_DATA __bss_start _end BAREPROF_DETAILS
refuses "a second installation: refused" "^install.sh: $few/$home exists already, so bareprof is installed" sh $install "$few"
check "bareprof is uninstalled" sh $install --uninstall "$few"
check "the tree is as before" unchanged

# A current Xen has another variable for the flags, and its own macros for the sections.
fresh
check "Xen gets the parts of a current Xen" xen_current "$few"
rm -rf "$few.copy"
cp -R "$few" "$few.copy"
check "bareprof is installed in a current Xen" sh $install "$few"
check "the new variable gets the flags, and keeps the flag of CONDITION_COVERAGE" test "$(grep -c -x \
	-e '    cov-cflags-$(CONFIG_COVERAGE) := $(bareprof-kind-flags)' \
	-e '    cov-cflags-$(CONFIG_CONDITION_COVERAGE) += -fcoverage-mcdc' "$few/xen/Rules.mk")" -eq 2

# made LINES WORD...: prints the output of a makefile with these LINES, which can include files of the port.
made() {
	printf "$1\nall:\n" >"$WORK/makefile"
	shift
	env -u MAKEFLAGS -u MAKEOVERRIDES make -s -f "$WORK/makefile" BAREPROF_PROGRAM=true CONFIG_COVERAGE=y CONFIG_CC_IS_CLANG=y \
		"port=$few/$home" "srctree=$few/xen" obj=arch/x86 "$@"
}
flags='cc-option ?= $(2)\ninclude $(port)/flags.mk\n$(info $(bareprof-kind-flags))'
check "with MC/DC, BAREPROF_EXTRA takes no flags away" test "$(made "$flags" CC=clang CONFIG_CONDITION_COVERAGE=y BAREPROF_EXTRA=-DX)" = \
	"-fprofile-instr-generate -fcoverage-mapping -Wno-error=pgo-coverage -mllvm -limited-coverage-experimental=true -DX"
check "a clang that does not know the warning about MC/DC does not get its option" test "$(made "cc-option = \$(filter -Wno-%%,\$(2))\\n$flags" \
	CC=clang CONFIG_CONDITION_COVERAGE=y)" = "-fprofile-instr-generate -fcoverage-mapping -mllvm -limited-coverage-experimental=true"
check "BAREPROF_LIMITED=n keeps all functions of headers" test "$(made "$flags" CC=clang BAREPROF_LIMITED=n)" = \
	"-fprofile-instr-generate -fcoverage-mapping"
# The linker script and each instrumented object get the mark of machine profiles. make puts "bareprof mip cc" before
# the compiler only for objects with the mark.
mip='_c_flags = $(bareprof-kind-flags)\nnon-init-objects := seen\n'"$flags"'\nall: seen other\nseen other:; @echo $@: $(CC)\nother: _c_flags :='
check "machine profiles: instrumented objects get the mark, and bareprof compiles them" test "$(made "$mip" CC=gcc BAREPROF_KIND=mip \
	CONFIG_CC_IS_CLANG= BAREPROF_MIP='--mode calls' BAREPROF_ATOMIC=y | tr -s ' ')" = "-DCONFIG_BAREPROF_MIP
seen: true mip cc --discarded-section .text.exit --atomic --mode calls gcc
other: gcc"
check "gcc without machine profiles keeps Xen's own flags" test -z "$(made "$flags" CC=gcc CONFIG_CC_IS_CLANG=)"
# refused_kind PATTERN WORD...: flags.mk refuses the variables in the WORDs, with a message that matches PATTERN.
refused_kind() {
	pattern=$1
	shift
	! made "$flags" "$@" >"$WORK/refused" 2>&1 && grep -q "$pattern" "$WORK/refused"
}
check "gcc has no clang counters" refused_kind 'BAREPROF_KIND is "coverage"; in a Xen that gcc compiles it can be: mip\.' \
	CC=gcc CONFIG_CC_IS_CLANG= BAREPROF_KIND=coverage
check "an unknown kind is refused" refused_kind 'BAREPROF_KIND is "values"; in a Xen that clang compiles it can be: mip coverage mcdc' \
	CC=clang BAREPROF_KIND=values
check "a machine profile has no conditions" refused_kind 'CONFIG_CONDITION_COVERAGE is set, but a machine profile' \
	CC=clang BAREPROF_KIND=mip CONFIG_CONDITION_COVERAGE=y
check "the program bareprof must be there" refused_kind 'the program ./none is missing, which machine profiles need: add it to PATH' \
	CC=gcc CONFIG_CC_IS_CLANG= BAREPROF_KIND=mip BAREPROF_PROGRAM=./none
check "Xen has no machine profile of blocks" refused_kind 'but in Xen the mode can only be coverage or calls' \
	CC=gcc CONFIG_CC_IS_CLANG= BAREPROF_KIND=mip BAREPROF_MIP='--mode calls,blocks'
check "CC must be the compiler itself" refused_kind 'CC is "bareprof mip cc gcc": with BAREPROF_KIND=mip, make puts' \
	CC='bareprof mip cc gcc' CONFIG_CC_IS_CLANG= BAREPROF_KIND=mip
objects='obj-y := coverage.o gcov_base.o gcov.o gcc_7.o\ninclude $(port)/objects.mk\n$(info $(obj-y) $(CFLAGS-y))'
check "machine profiles replace the code for gcc's counters" test "$(made "$objects" CONFIG_CC_IS_CLANG= BAREPROF_KIND=mip)" = \
	"coverage.o bareprof/ -DBAREPROF_READ_AT"
check "gcc without machine profiles keeps this code" test "$(made "$objects" CONFIG_CC_IS_CLANG=)" = "coverage.o gcov_base.o gcov.o gcc_7.o "
note='note_file_option := -b pe-x86-64 $(note_file)\ninclude $(port)/efi.mk\n$(info $(note_file) | $(note_file_option))'
check "xen.efi gets the note of xen-syms" test "$(made "note_file := efi/buildid.o\n$note")" = \
	"efi/buildid.o arch/x86/note.o | arch/x86/note.o -b pe-x86-64 efi/buildid.o"
check "xen.efi does not get the note twice" test "$(made "note_file := arch/x86/note.o\n$note")" = \
	"arch/x86/note.o | -b pe-x86-64 arch/x86/note.o"
check "with a machine profile of gcc, xen.efi gets the note too" test "$(made "note_file := efi/buildid.o\n$note" CONFIG_CC_IS_CLANG= \
	BAREPROF_KIND=mip)" = "efi/buildid.o arch/x86/note.o | arch/x86/note.o -b pe-x86-64 efi/buildid.o"
check "with samples, xen.efi gets the note too" test "$(made "note_file := efi/buildid.o\n$note" CONFIG_COVERAGE=n \
	CONFIG_BAREPROF_SAMPLES=y)" = "efi/buildid.o arch/x86/note.o | arch/x86/note.o -b pe-x86-64 efi/buildid.o"
check "with samples, the folder is not added twice" test "$(made "$objects" CONFIG_BAREPROF_SAMPLES=y | xargs)" = \
	"coverage.o -DBAREPROF_READ_AT"
own='include $(port)/Makefile\n$(info $(obj-y) $(CFLAGS-y))'
check "samples without coverage need no other objects" test \
	"$(made "$own" CONFIG_COVERAGE=n CONFIG_BAREPROF_SAMPLES=y)" = "runtime.o sample.o sample_sysctl.o "
check "samples with gcc's coverage need no other objects" test \
	"$(made "$own" CONFIG_CC_IS_CLANG= CONFIG_BAREPROF_SAMPLES=y)" = "runtime.o sample.o sample_sysctl.o "
check "coverage without samples needs no samples" test "$(made "$own")" = \
	"runtime.o image.o sysctl.o console.o profile.o -DBAREPROF_COUNTS"
check "without coverage, xen.efi is as before" test "$(made "note_file := efi/buildid.o\n$note" CONFIG_COVERAGE=n)" = \
	"efi/buildid.o | -b pe-x86-64 efi/buildid.o"

# script WORD...: prints the linker script that the C preprocessor makes of the port's macros. The linker script of
# xen.efi must have a rule for each section of the profile.
script() {
	printf '#include "xen.lds.h"\nBAREPROF_DATA\nBAREPROF_DETAILS\n' | "clang-$(newest_clang)" -E -P -undef -nostdinc -x c -I "$few/$home" \
		-DCONFIG_X86 -DBUILD_ID '-DDECL_DEBUG(x, a)=x a : { *(x) }' "$@" - | tr -d '\n'
}
script -DCONFIG_COVERAGE -DCONFIG_CC_IS_CLANG -DEFI -DBUILD_ID_EFI >"$WORK/efi.lds"
script -DCONFIG_COVERAGE -DCONFIG_CC_IS_CLANG >"$WORK/xen.lds"
script -DCONFIG_COVERAGE -DCONFIG_BAREPROF_MIP -DEFI -DBUILD_ID_EFI >"$WORK/mip-efi.lds"
script -DCONFIG_COVERAGE -DCONFIG_BAREPROF_MIP >"$WORK/mip.lds"
check "xen.efi: the mapping is discarded" grep -q '/DISCARD/ : {[^}]* \*(__llvm_cov\*)' "$WORK/efi.lds"
check "xen.efi: the mapping has no address" not grep -q __llvm_covmap "$WORK/efi.lds"
check "xen.efi: the note of xen-syms is placed" grep -q '\*(\.note\.gnu\.build-id)' "$WORK/efi.lds"
check "machine profile, xen.efi: the map is discarded" grep -q '/DISCARD/ : {[^}]*\*(__llvm_mipmap) \*(__llvm_mippcs)' "$WORK/mip-efi.lds"
check "machine profile, xen-syms: the map is not loaded" grep -q '__llvm_mipmap 0 (INFO) : {' "$WORK/mip.lds"
check "machine profile: the sections of clang's counters are not placed" not grep -q __llvm_prf_ "$WORK/mip.lds"
check "with gcc and without a machine profile, nothing is placed" test -z "$(script -DCONFIG_COVERAGE)"
check "samples without coverage: only the build id is placed" sh -c 'echo "$1" | grep -q __start_bareprof_build_id && ! echo "$1" | grep llvm' \
	- "$(script -DCONFIG_BAREPROF_SAMPLES)"
check "xen-syms: the mapping stays" grep -q 'KEEP(\*(__llvm_covmap))' "$WORK/xen.lds"
check "bareprof is uninstalled from a current Xen" sh $install --uninstall "$few"
check "the tree is as before" unchanged

# lost FILE PATTERN: install.sh must refuse a tree whose FILE has no line that matches PATTERN.
lost() {
	fresh
	grep -v -E "$2" "$PRISTINE/$1" >"$few/$1"
	cp "$few/$1" "$few.copy/$1"
	refuses "$1 without $2: refused" "^install.sh: $few/$1 .*; nothing was changed$" sh $install "$few"
	check "$1 without $2: nothing was changed" unchanged
}
lost xen/Rules.mk 'COV_FLAGS := -fprofile-instr'
lost xen/Rules.mk 'COV_FLAGS := -fprofile-arcs'
lost xen/common/coverage/Makefile '^endif'
lost xen/common/coverage/coverage.c '    default:'
lost xen/common/coverage/coverage.h 'cov_ops;'
lost xen/include/public/sysctl.h 'XEN_SYSCTL_COVERAGE_reset'
lost xen/include/public/sysctl.h 'buffer; /. OUT'
lost xen/Kconfig.debug '^config COVERAGE'
lost xen/common/sysctl.c 'case XEN_SYSCTL_coverage_op'
lost xen/arch/x86/apic.c 'perfc_incr.apic_timer'
lost xen/arch/x86/Makefile '^note_file_option .='
lost xen/common/keyhandler.c 'system_state < SYS_STATE_smp_boot'
for arch in x86 arm; do
	lost xen/arch/$arch/xen.lds.S 'xen/xen\.lds\.h'
	lost xen/arch/$arch/xen.lds.S '\.bss\)? :? ?\{'
	lost xen/arch/$arch/xen.lds.S DWARF2_DEBUG_SECTIONS
done
fresh
rm "$few/xen/Rules.mk" "$few.copy/xen/Rules.mk"
refuses "a tree without a file: refused" "^install.sh: $few/xen/Rules.mk is missing: this is not a source tree of Xen" sh $install "$few"
check "nothing was changed" unchanged
refuses "a folder that does not exist: refused" "^install.sh: $WORK/none: there is no such directory" sh $install "$WORK/none"
refuses "no argument: refused" '^usage: install.sh ' sh $install
fresh
refuses "--uninstall where bareprof is not installed: refused" "install.patch is missing: bareprof is not installed" sh $install --uninstall "$few"
check "nothing was changed" unchanged

check "make drop-in-xen makes a folder" make -s drop-in-xen DIR="$WORK/D"
check "bareprof is installed from that folder" sh "$WORK/D/install.sh" "$few"
check "the tree is the same" diff -r "$few.in" "$few"
touch "$few/$home/sysctl.o" "$few/$home/.sysctl.o.cmd" "$few/$home/built_in.o"
check "bareprof is uninstalled from that folder, after a build" sh "$WORK/D/install.sh" --uninstall "$few"
check "the tree is as before" unchanged

check "bareprof is installed again" sh $install "$few"
sed -i '$d' "$few/$home/sysctl.c"
cp -R "$few" "$WORK/changed"
refuses "--uninstall after a file of bareprof was changed: refused" "^install.sh: $few/$home/sysctl.c was changed since" sh $install --uninstall "$few"
check "nothing was changed" diff -r "$WORK/changed" "$few"
