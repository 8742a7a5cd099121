#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: tests ports/xen/install.sh on a part of the source of Xen: the files to which install.sh adds lines. The
# script checks what install.sh refuses and what install.sh adds. It also checks that --uninstall removes everything
# that install.sh added. hypervisor.sh builds and boots hypervisors.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/xen/lib.sh

LINES_MAX=80
install=ports/xen/install.sh
PRISTINE=$WORK/pristine
home=xen/common/coverage/bareprof
edited="xen/Rules.mk xen/common/coverage/Makefile xen/common/coverage/coverage.c xen/common/coverage/coverage.h
	xen/include/public/sysctl.h xen/arch/x86/xen.lds.S xen/arch/arm/xen.lds.S"

xen_source || exit 0
mkdir -p "$PRISTINE"
# shellcheck disable=SC2046
check "the source of Xen is unpacked" tar -x -J -f "$(ls "$XEN_CACHE"/source/*.orig.tar.xz)" -C "$PRISTINE" --strip-components=1 \
	--wildcards $(for file in $edited; do echo "*/$file"; done)

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
refuses "a second installation: refused" "^install.sh: $few/$home exists already, so bareprof is installed" sh $install "$few"
check "bareprof is uninstalled" sh $install --uninstall "$few"
check "the tree is as before" unchanged

# In Xen 4.21 and later, the variable for the flags has another name.
fresh
sed -i 's/ COV_FLAGS := -fprofile/ cov-cflags-$(CONFIG_COVERAGE) := -fprofile/' "$few/xen/Rules.mk"
check "bareprof is installed where the variable has its newer name" sh $install "$few"
check "that variable gets the flags" grep -q 'cov-cflags-$(CONFIG_COVERAGE) := $(bareprof-kind-flags)' "$few/xen/Rules.mk"

# lost FILE PATTERN: install.sh must refuse a tree whose FILE has no line that matches PATTERN.
lost() {
	fresh
	grep -v -E "$2" "$PRISTINE/$1" >"$few/$1"
	cp "$few/$1" "$few.copy/$1"
	refuses "$1 without $2: refused" "^install.sh: $few/$1 .*; nothing was changed$" sh $install "$few"
	check "$1 without $2: nothing was changed" unchanged
}
lost xen/Rules.mk 'COV_FLAGS := -fprofile-instr'
lost xen/common/coverage/Makefile 'llvm\.o'
lost xen/common/coverage/coverage.c '    default:'
lost xen/common/coverage/coverage.h 'cov_ops;'
lost xen/include/public/sysctl.h 'XEN_SYSCTL_COVERAGE_reset'
lost xen/include/public/sysctl.h 'buffer; /. OUT'
for arch in x86 arm; do
	lost xen/arch/$arch/xen.lds.S 'xen/xen\.lds\.h'
	lost xen/arch/$arch/xen.lds.S '\.bss\)? :? ?\{'
	lost xen/arch/$arch/xen.lds.S STABS_DEBUG_SECTIONS
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
