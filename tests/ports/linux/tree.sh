#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: tests ports/linux/install.sh on the source of Linux. It checks what install.sh refuses and what install.sh
# adds. It also checks that --uninstall removes everything that install.sh added. tree_build.sh builds objects with
# the added files, and kernel.sh and the tests beside it boot kernels.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/tree_lib.sh

LINES_MAX=40
install=ports/linux/install.sh
PRISTINE=$WORK/pristine

# Only files that this test needs are unpacked, because the whole source would take longer than the rest of this test.
linux_source "$PRISTINE" '*/drivers/*' '*/sound/*' '*/Documentation/*' '*/include/*' '*/net/*' '*/fs/*' '*/arch/*/*/*/*.[ch]' \
	'*/arch/[b-wyz]*/*' '*/lib/*' '*/mm/*' '*/samples/*' '*/security/*' '*/crypto/*' '*/tools/[a-np-z]*' || exit
LINUX_TREE=$WORK/tree
cp -al "$PRISTINE" "$LINUX_TREE"

check "bareprof is installed" sh $install "$LINUX_TREE"
ours=$LINUX_TREE/kernel/bareprof
edited=$(sed -n 's/^+++ b\///p' "$ours/install.patch")
lines=$(grep '^+' "$ours/install.patch" | grep -c -v '^+++')
check "lines added to the tree's own files: $lines" test "$lines" -le $LINES_MAX -a "$lines" -gt 10
check "no lines are removed" not grep '^-[^-]' "$ours/install.patch"
diff -rq "$PRISTINE" "$LINUX_TREE" >"$WORK/differs" 2>/dev/null
check "nothing else changed" test "$(grep -c ' differ$' "$WORK/differs") $(grep -v ' differ$' "$WORK/differs" | sort | tr '\n' ';')" = \
	"$(echo "$edited" | wc -l) Only in $LINUX_TREE/kernel: bareprof;Only in $LINUX_TREE/scripts: Makefile.bareprof;"

# few DIR: makes a source tree without bareprof in DIR. The tree has only the files to which install.sh adds lines.
# DIR.copy is a copy to compare with.
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
refuses "a tree to which other people added bareprof: refused" "^install.sh: $few/kernel/Makefile contains lines about bareprof" sh $install "$few"
check "nothing was changed" unchanged
refuses "a folder that is not a kernel: refused" "^install.sh: $ROOT/tests/.* is missing: this is not a source tree" sh $install tests
refuses "a folder that does not exist: refused" "^install.sh: $WORK/none: there is no such directory" sh $install "$WORK/none"
refuses "no argument: refused" '^usage: install.sh ' sh $install
refuses "an unknown option: refused" '^usage: install.sh ' sh $install --force "$few"
refuses "a second installation: refused" "^install.sh: $LINUX_TREE/kernel/bareprof exists already, so bareprof is installed" sh $install "$LINUX_TREE"

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
check "bareprof is uninstalled after other people changed the same files" grep -qx "$few/kernel/Makefile: bareprof's lines were removed, and later changes by others were kept" "$WORK/said"
check "their changes stay" unchanged

# as_in COMMAND...: makes a tree in which bareprof is installed, and runs COMMAND to change it.
as_in() {
	rm -rf "$few" "$few.copy"
	cp -R "$few.in" "$few"
	(cd "$few" && "$@")
	cp -R "$few" "$few.copy"
}
as_in sed -i 's/.*CONFIG_BAREPROF) += bareprof/# &/' kernel/Makefile
refuses "--uninstall after the added lines were changed: refused" "^install.sh: $few/kernel/Makefile: the lines around bareprof's lines have changed" \
	sh $install --uninstall "$few"
check "nothing was changed" unchanged
as_in sed -i '$d' kernel/bareprof/files.c
refuses "--uninstall after a file of bareprof was changed: refused" "^install.sh: $few/kernel/bareprof/files.c was changed since" \
	sh $install --uninstall "$few"
check "nothing was changed" unchanged
as_in touch kernel/bareprof/notes
sh $install --uninstall "$few" >"$WORK/said"
check "bareprof is uninstalled where there is another file beside its own" grep -qx "$few/kernel/bareprof: was not removed, because it contains other files" "$WORK/said"
check "the other file stays" test "$(ls -A "$few/kernel/bareprof")" = notes
