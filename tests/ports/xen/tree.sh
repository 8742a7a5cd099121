#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: ports/xen/install.sh on the source of Xen, of which only the files are there
# that get lines: what it refuses, what it adds, and that it takes out all of it.
# Hypervisors that are built and boot are in xen_hypervisor.sh.
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
check "the source of Xen" tar -x -J -f "$(ls "$XEN_CACHE"/source/*.orig.tar.xz)" -C "$PRISTINE" --strip-components=1 \
	--wildcards $(for file in $edited; do echo "*/$file"; done)

few=$WORK/few
# fresh: a tree, and what it is to be afterwards.
fresh() {
	rm -rf "$few" "$few.copy"
	cp -R "$PRISTINE" "$few"
	cp -R "$PRISTINE" "$few.copy"
}
modes() { (cd "$1" && find . -printf '%m %p\n' | sort); }
unchanged() { diff -r "$few.copy" "$few" && modes "$few.copy" >"$WORK/modes" && modes "$few" | diff "$WORK/modes" -; }
not() { ! "$@"; }

fresh
check "in" sh $install "$few"
cp -R "$few" "$few.in"
lines=$(grep '^+' "$few/$home/install.patch" | grep -c -v '^+++')
check "lines added to the tree's own files: $lines" test "$lines" -le $LINES_MAX -a "$lines" -gt 10
check "and none taken away" not grep '^-[^-]' "$few/$home/install.patch"
check "of 4.17's flags" grep -q 'COV_FLAGS := $(bareprof-kind-flags)' "$few/xen/Rules.mk"
refuses "twice" "^install.sh: $few/$home is there already: " sh $install "$few"
check "out" sh $install --uninstall "$few"
check "all is as it was" unchanged

# As trees since 4.21 have it.
fresh
sed -i 's/ COV_FLAGS := -fprofile/ cov-cflags-$(CONFIG_COVERAGE) := -fprofile/' "$few/xen/Rules.mk"
check "in, where the variable has its newer name" sh $install "$few"
check "and it is that" grep -q 'cov-cflags-$(CONFIG_COVERAGE) := $(bareprof-kind-flags)' "$few/xen/Rules.mk"

# lost FILE PATTERN: a tree whose FILE has no line like it is refused.
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
refuses "a tree without a file" "^install.sh: $few/xen/Rules.mk is missing: this is no source of Xen" sh $install "$few"
check "nothing was changed" unchanged
refuses "no folder" "^install.sh: $WORK/none: there is no such directory" sh $install "$WORK/none"
refuses "no argument" '^usage: install.sh ' sh $install
fresh
refuses "--uninstall where it is not" "install.patch is missing: bareprof is not installed" sh $install --uninstall "$few"
check "nothing was changed" unchanged

check "the folder of make drop-in-xen" make -s drop-in-xen DIR="$WORK/D"
check "in, from there" sh "$WORK/D/install.sh" "$few"
check "is the same" diff -r "$few.in" "$few"
touch "$few/$home/sysctl.o" "$few/$home/.sysctl.o.cmd" "$few/$home/built_in.o"
check "out, from there, and though it was built" sh "$WORK/D/install.sh" --uninstall "$few"
check "all is as it was" unchanged

check "in" sh $install "$few"
sed -i '$d' "$few/$home/sysctl.c"
cp -R "$few" "$WORK/changed"
refuses "out, where others changed a file of ours" "^install.sh: $few/$home/sysctl.c was changed since" sh $install --uninstall "$few"
check "nothing was changed" diff -r "$WORK/changed" "$few"
