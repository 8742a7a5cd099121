#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: tests ports/linux/install.sh on the source of Linux. It checks what install.sh refuses, what it adds, and
# that it removes all of it again. Nothing may change as long as CONFIG_BAREPROF is not set. If it is set, the right
# objects must be instrumented. Then the kernel's own tools check the files: checkpatch, sparse, W=1. Kernels that
# boot are in kernel.sh and the tests beside it.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/tree_lib.sh

LINES_MAX=40
install=ports/linux/install.sh
PRISTINE=$WORK/pristine

# Some files of the source are not unpacked, because that would take longer than the rest of this test.
linux_source "$PRISTINE" '*/drivers/*.[ch]' '*/sound/*.[ch]' '*/Documentation/[a-zA-Z]*/*' '*/tools/testing/*' \
	'*/net/*.c' '*/fs/*/*.c' '*/arch/*/boot/dts/*' || exit
LINUX_TREE=$WORK/tree
cp -al "$PRISTINE" "$LINUX_TREE"

# Objects are built before and after the installation, in the same folder. While bareprof is not enabled, they must be
# the same.
O=$WORK/O
objects="lib/sort.o lib/list_sort.o lib/math/gcd.o kernel/kthread.o mm/util.o arch/x86/entry/vdso/vma.o"
check "a kernel is configured" linux_config "$O" 64BIT=y SMP=y DEBUG_KERNEL=y DEBUG_FS=y MODULES=y PRINTK=y BLOCK=y
# shellcheck disable=SC2086
check "objects and the linker script are built" linux_make "$O" $objects arch/x86/kernel/vmlinux.lds
# shellcheck disable=SC2086
(cd "$O" && sha256sum $objects arch/x86/kernel/vmlinux.lds >"$WORK/sums")

check "bareprof is installed" sh $install "$LINUX_TREE"
ours=$LINUX_TREE/kernel/bareprof
edited=$(sed -n 's/^+++ b\///p' "$ours/install.patch")
lines=$(grep '^+' "$ours/install.patch" | grep -c -v '^+++')
check "lines added to the tree's own files: $lines" test "$lines" -le $LINES_MAX -a "$lines" -gt 10
check "no lines are removed" not grep '^-[^-]' "$ours/install.patch"
diff -rq "$PRISTINE" "$LINUX_TREE" >"$WORK/differs" 2>/dev/null
check "nothing else changed" test "$(grep -c ' differ$' "$WORK/differs") $(grep -v ' differ$' "$WORK/differs" | sort | tr '\n' ';')" = \
	"$(echo "$edited" | wc -l) Only in $LINUX_TREE/kernel: bareprof;Only in $LINUX_TREE/scripts: Makefile.bareprof;"

# few DIR: makes a tree in DIR that has only the files to which install.sh adds lines, without bareprof. DIR.copy is a
# copy to compare with.
few() {
	rm -rf "$1" "$1.copy"
	for file in $edited; do
		mkdir -p "$1/$(dirname "$file")"
		cp "$PRISTINE/$file" "$1/$file"
	done
	cp -R "$1" "$1.copy"
}
few=$WORK/few
# unchanged: succeeds if the tree is the same as its copy and no files are left over.
unchanged() { diff -r "$few.copy" "$few" && modes "$few.copy" >"$WORK/modes" && modes "$few" | diff "$WORK/modes" -; }
modes() { (cd "$1" && find . -printf '%m %p\n' | sort); }
# lost FILE PATTERN: install.sh must refuse a tree whose FILE has no line that matches PATTERN.
lost() {
	few "$few"
	grep -v -E "$2" "$PRISTINE/$1" >"$few/$1"
	cp "$few/$1" "$few.copy/$1"
	refuses "$1 without $2: refused" "^install.sh: $few/$1 .*; nothing was changed$" sh $install "$few"
	check "$1 without $2: nothing was changed" unchanged
}
lost Makefile '^include-..CONFIG_KCOV'
lost arch/Kconfig 'kernel/gcov/Kconfig'
lost kernel/Makefile CONFIG_GCOV_KERNEL
lost scripts/Makefile.lib CFLAGS_GCOV
lost scripts/Makefile.lib '^endif'
lost scripts/Makefile.modfinal scripts/Makefile.lib
lost arch/x86/kernel/vmlinux.lds.S BUG_TABLE
lost arch/x86/boot/compressed/Makefile '^OBJCOPYFLAGS_vmlinux.bin :='
lost scripts/mod/modpost.c '"\.discard'
lost arch/arm64/kernel/vmlinux.lds.S 'RW_DATA'
# objtool needs no fix in two cases: its source handles groups already, or has no line that needs the fix. In both
# cases it must stay unchanged.
for change in '$a /* SHT_GROUP */' '/new_idx = first_non_local;/d'; do
	few "$few"
	sed -i "$change" "$few/tools/objtool/elf.c"
	cp "$few/tools/objtool/elf.c" "$few.copy/tools/objtool/elf.c"
	check "bareprof is installed where objtool needs no fix: $change" sh $install "$few"
	check "objtool is unchanged" cmp "$few.copy/tools/objtool/elf.c" "$few/tools/objtool/elf.c"
done
few "$few"
echo '#include <asm-generic/vmlinux.lds.h>' | tee -a "$few/arch/arm64/kernel/vmlinux.lds.S" >>"$few.copy/arch/arm64/kernel/vmlinux.lds.S"
refuses "a place that occurs twice: refused" 'arm64/kernel/vmlinux.lds.S has no line, or more than one' sh $install "$few"
check "nothing was changed" unchanged
few "$few"
rm "$few/scripts/Makefile.modfinal" "$few.copy/scripts/Makefile.modfinal"
refuses "a tree without a file: refused" "^install.sh: $few/scripts/Makefile.modfinal is missing: " sh $install "$few"
check "nothing was changed" unchanged
few "$few"
echo '# bareprof' | tee -a "$few/kernel/Makefile" >>"$few.copy/kernel/Makefile"
refuses "a tree to which other people added bareprof: refused" "^install.sh: $few/kernel/Makefile speaks of bareprof" sh $install "$few"
check "nothing was changed" unchanged
refuses "a folder that is not a kernel: refused" "^install.sh: $ROOT/tests/.* is missing: this is no source" sh $install tests
refuses "a folder that does not exist: refused" "^install.sh: $WORK/none: there is no such directory" sh $install "$WORK/none"
refuses "no argument: refused" '^usage: install.sh ' sh $install
refuses "an unknown option: refused" '^usage: install.sh ' sh $install --force "$few"
refuses "a second installation: refused" "^install.sh: $LINUX_TREE/kernel/bareprof is there already: " sh $install "$LINUX_TREE"

# Tests the option --uninstall.
few "$few"
refuses "--uninstall where bareprof is not installed: refused" "install.patch is missing: bareprof is not installed" sh $install --uninstall "$few"
check "nothing was changed" unchanged
check "bareprof is installed" sh $install "$few"
cp -R "$few" "$few.in"
check "bareprof is uninstalled" sh $install --uninstall "$few"
check "the tree is as before" unchanged

check "make drop-in-linux makes a folder" make -s drop-in-linux DIR="$WORK/D"
few "$few"
check "bareprof is installed from that folder" sh "$WORK/D/install.sh" "$few"
check "the tree is the same" diff -r "$few.in" "$few"
for left in unit.o .unit.o.cmd built-in.a modules.order; do touch "$few/kernel/bareprof/$left"; done
check "bareprof is uninstalled from that folder, after a build in the tree itself" sh "$WORK/D/install.sh" --uninstall "$few"
check "the tree is as before" unchanged

check "bareprof is installed" sh $install "$few"
for tree in "$few" "$few.copy"; do
	echo '# below' >>"$tree/Makefile"
	sed -i '1i # above' "$tree/kernel/Makefile"
done
sh $install --uninstall "$few" >"$WORK/said"
check "bareprof is uninstalled after other people changed the same files" grep -qx "$few/kernel/Makefile: changed since by others, .*" "$WORK/said"
check "their changes stay" unchanged

# as_in COMMAND...: makes a tree in which bareprof is installed, and runs COMMAND to change it.
as_in() {
	rm -rf "$few" "$few.copy"
	cp -R "$few.in" "$few"
	(cd "$few" && "$@")
	cp -R "$few" "$few.copy"
}
as_in sed -i 's/.*CONFIG_BAREPROF) += bareprof/# &/' kernel/Makefile
refuses "--uninstall after the added lines were changed: refused" "^install.sh: $few/kernel/Makefile: the lines around bareprof's have changed" \
	sh $install --uninstall "$few"
check "nothing was changed" unchanged
as_in sed -i '$d' kernel/bareprof/files.c
refuses "--uninstall after a file of bareprof was changed: refused" "^install.sh: $few/kernel/bareprof/files.c was changed since" \
	sh $install --uninstall "$few"
check "nothing was changed" unchanged
as_in touch kernel/bareprof/notes
sh $install --uninstall "$few" >"$WORK/said"
check "bareprof is uninstalled where there is another file beside its own" grep -qx "$few/kernel/bareprof: kept, .*" "$WORK/said"
check "the other file stays" test "$(ls -A "$few/kernel/bareprof")" = notes

# bareprof is installed, but not enabled.
check "without CONFIG_BAREPROF a kernel is configured" linux_make "$O" olddefconfig
check "Kconfig has the option" grep -qx '# CONFIG_BAREPROF is not set' "$O/.config"
# shellcheck disable=SC2086
(cd "$LINUX_TREE" && touch lib/sort.c lib/list_sort.c lib/math/gcd.c kernel/kthread.c mm/util.c arch/x86/entry/vdso/vma.c)
# shellcheck disable=SC2086
check "objects are built again" linux_make "$O" $objects arch/x86/kernel/vmlinux.lds
check "they are the same" sh -c "cd '$O' && sha256sum --quiet -c '$WORK/sums'"
# instrumented SECTION: prints the objects that have SECTION.
instrumented() {
	for object in $objects; do
		"llvm-readelf-$LINUX_LLVM" -SW "$O/$object" | grep -q " $1 " && printf '%s ' "$object"
	done
}
check "no object counts" test "$(instrumented __llvm_prf_cnts)" = ""

# configured NAME=VALUE...: sets these options, and builds the objects again.
configured() {
	for option; do
		sed -i "/^CONFIG_${option%%=*}=/d; /^# CONFIG_${option%%=*} is/d" "$O/.config"
		echo "CONFIG_$option" >>"$O/.config"
	done
	# shellcheck disable=SC2086
	linux_make "$O" olddefconfig && linux_make "$O" $objects
}
counting() {
	check "$1: $(instrumented "$2")" test "$(instrumented "$2")" = "$3"
}
wide=${BAREPROF_WIDE-}
if [ -n "$wide" ]; then
	check "only BAREPROF is set" configured BAREPROF=y
	counting "no object counts" __llvm_prf_cnts ""
fi
check "BAREPROF_PROFILE_ALL is set" configured BAREPROF=y BAREPROF_PROFILE_ALL=y
counting "all objects count that may" __llvm_prf_cnts "lib/sort.o lib/list_sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "these have a mapping" __llvm_covfun "lib/sort.o lib/list_sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
if [ -n "$wide" ]; then
	check "lib and mm are selected" configured BAREPROF_PROFILE_ALL=n 'BAREPROF_PROFILE_DIRS="lib mm"'
	counting "these count, below lib and in mm" __llvm_prf_cnts "lib/sort.o lib/list_sort.o lib/math/gcd.o mm/util.o "
fi
echo 'GCOV_PROFILE_list_sort.o := n' >>"$LINUX_TREE/lib/Makefile"
echo 'GCOV_PROFILE_kthread.o := y' >>"$LINUX_TREE/kernel/Makefile"
check "lib and mm are selected with MC/DC, and makefiles have lines for files" configured BAREPROF_PROFILE_ALL=n \
	'BAREPROF_PROFILE_DIRS="lib mm"' BAREPROF_COVERAGE=n BAREPROF_MCDC=y
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "these have bitmaps for decisions" __llvm_prf_bits "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
if [ -n "$wide" ]; then
	check "byte counters are set" configured BAREPROF_MCDC=n BAREPROF_BYTES=y
	counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
fi
check "PGO is set" configured BAREPROF_MCDC=n BAREPROF_BYTES=n BAREPROF_PGO=y
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "no object has a mapping" __llvm_covfun ""
counting "these record targets of calls" __llvm_prf_vals "lib/sort.o kernel/kthread.o mm/util.o "

# The kernel's own tools check the code.
check "the port builds with W=1 and sparse" linux_make "$O" W=1 C=2 kernel/bareprof/
check "there are no warnings" not grep bareprof "$O.log"

# complaints FILE...: prints a line "NAME TYPE" for each type of complaint that checkpatch has about a file. As
# everywhere in this project, lines may have 120 columns.
complaints() {
	for file; do
		perl "$LINUX_TREE/scripts/checkpatch.pl" --no-tree --terse --show-types --max-line-length=120 -f "$file" 2>/dev/null |
			sed -n "s/^.*:[0-9]*: \(ERROR\|WARNING\):\([A-Z_]*\):.*/${file##*/} \2/p"
	done | sort -u
}
# The known complaints, and the reasons why they stay. Most are about the drop-in, whose code is the same for all
# systems.
cat >"$WORK/known" <<'END'
bareprof.c AVOID_EXTERNS: BAREPROF_API extern; checkpatch does not know that attribute
bareprof.c CODE_INDENT: lines of macros that clang-format aligns with blanks
bareprof.c COMPLEX_MACRO: lists of the contents of layouts, as macros that take a macro
bareprof.c CONSTANT_COMPARISON: comparisons of __BYTE_ORDER__, and of names in assertions
bareprof.c GLOBAL_INITIALISERS: constants that are 0, which must be in .rodata
bareprof.c LEADING_SPACE: as CODE_INDENT
bareprof.c NEW_TYPEDEFS: a type with the attribute may_alias
bareprof.c PREFER_DEFINED_ATTRIBUTE_MACRO: attributes by names that every system has
bareprof.c SPACING: __has_include(<...>), which is not a comparison
bareprof.c SPDX_LICENSE_TAG: the comment has the older form of C
bareprof.c SPLIT_STRING: sentences for errors
bareprof.c VOLATILE: memory in which other CPUs count; only Linux has READ_ONCE()
bareprof.h COMPLEX_MACRO: lists of the contents of layouts, as macros that take a macro
bareprof.h NEW_TYPEDEFS: intptr_t, which Linux does not have
bareprof.h STORAGE_CLASS: BAREPROF_API is an attribute, which checkpatch does not know
bareprof.lds.h COMPLEX_MACRO: macros for linker scripts, which are not C
bareprof.lds.h MULTISTATEMENT_MACRO_USE_DO_WHILE: the same
bareprof.lds.h SPACING: the same
bareprof.lds.h TRAILING_SEMICOLON: the same
producer.h COMPLEX_MACRO: as in bareprof.h
producer.h SPACING: as in bareprof.c
runtime.c EXPORT_SYMBOL: the functions are in bareprof.c, which exports nothing
unit.h CONST_STRUCT: struct kernel_param_ops, which is only declared here
END
complaints "$ours"/*.[ch] "$ours"/module.lds "$ours/Kconfig" "$ours/Makefile" "$LINUX_TREE/scripts/Makefile.bareprof" >"$WORK/said"
check "checkpatch has no new complaints: $(wc -l <"$WORK/said") known" sh -c "sed 's/:.*//' '$WORK/known' | diff - '$WORK/said'"
check "it looks" test "$(printf '// SPDX-License-Identifier: BSD-2-Clause\nint a(){ return 1; }\n' >"$WORK/bad.c"; complaints "$WORK/bad.c" | head -n 1)" = "bad.c FUNCTION_WITHOUT_ARGS"
