#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perfile_kbuild.sh: tests ports/make/bareprof.mk in Linux's own Kbuild, with the kernel headers of Debian. It tests the
# three ways to include bareprof.mk in Kbuild, and also rules like the rules of Xen.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

NEW=$(newest_clang)
unset BAREPROF MAKEFLAGS MAKEOVERRIDES

# Makes a copy of the headers in which scripts/ can be edited.
headers=$(ls -d /usr/src/linux-headers-*-cloud-* 2>/dev/null | sort -V | tail -n 1)
check "headers of Linux are installed" test -n "$headers"
common=$(dirname "$(sed -n 's/^include //p' "$headers/Makefile")")
LINUX=$WORK/linux
mkdir -p "$LINUX" "$WORK/common"
cp -R "$common/scripts/" "$WORK/common/scripts"
cp "$common/Makefile" "$WORK/common/"
for part in arch include tools; do ln -s "$common/$part" "$WORK/common/$part"; done
for part in .config .kernelvariables Module.symvers arch include scripts tools; do ln -s "$headers/$part" "$LINUX/$part"; done
echo "include $WORK/common/Makefile" >"$LINUX/Makefile"

# module FOLDER: makes the sources of a module. One file must not be instrumented, and one file is in a subdirectory.
# Another directory has its own makefile, and none of its files is instrumented.
module() {
	mkdir -p "$1/sub" "$1/quiet"
	printf '%s\n' '#include <linux/module.h>' 'int early(void); int part(void); int loud(void);' \
		'static int __init start(void) { return early() + part() + loud(); }' 'module_init(start);' \
		'MODULE_LICENSE("Dual BSD/GPL");' >"$1/main.c"
	for file in early sub/part quiet/loud quiet/quiet; do
		echo "int $(basename $file)(void); int $(basename $file)(void) { return 1; }" >"$1/$file.c"
	done
	printf '%s\n' 'obj-m := demo.o quiet/' 'demo-y := main.o early.o sub/part.o quiet/loud.o' >"$1/Kbuild"
	printf '%s\n' '#include <linux/module.h>' 'MODULE_LICENSE("Dual BSD/GPL");' >>"$1/quiet/quiet.c"
	printf '%s\n' 'obj-m := silent.o' 'silent-y := quiet.o' >"$1/quiet/Makefile"
}

# kbuild TREE MODULE...: builds MODULE with clang for a kernel that gcc compiled. The options make Kbuild treat the
# compiler as clang. Clang 16 is the oldest release that has all the options that Kbuild uses.
kbuild() {
	tree=$1
	module=$2
	shift 2
	make -s -C "$tree" M="$module" CC="clang-$n" CONFIG_CC_IS_CLANG=y CONFIG_CC_IS_GCC= CONFIG_GCC_VERSION=0 \
		CONFIG_CLANG_VERSION="${n}0000" CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough \
		CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_FTRACE_MCOUNT_USE_OBJTOOL=y KBUILD_MODPOST_WARN=1 "$@" >"$WORK/kbuild.log" 2>&1 || {
		grep -v '^WARNING: modpost' "$WORK/kbuild.log" | tail -n 20
		return 1
	}
}
not() { ! "$@"; }

# instrumented SECTION FOLDER: prints the objects in FOLDER and below it that have SECTION.
instrumented() {
	(cd "$2" && for object in $(find . -name '*.o' | sed 's,^\./,,' | LC_ALL=C sort); do
		"llvm-readelf-$NEW" -SW "$object" | grep -q " $1 " && printf '%s ' "$object"
	done)
}

for n in 16 "$NEW"; do
	# The first way: the module's own Kbuild file includes bareprof.mk. Nothing in the kernel changes.
	own=$WORK/own-$n
	module "$own"
	cp ports/make/bareprof.mk "$own"
	cat >>"$own/Kbuild" <<'END'
BAREPROF := y
BAREPROF_OBJ = $(obj)
BAREPROF_EXTRA := -mllvm -limited-coverage-experimental=true
BAREPROF_FILE_early.o := n
BAREPROF_FILES_quiet := n
include $(src)/bareprof.mk
ccflags-y = $(bareprof-flags)
END
	check "clang-$n: a module builds, with bareprof.mk in its own Kbuild file" kbuild "$headers" "$own"
	check "clang-$n: these count: $(instrumented __llvm_prf_cnts "$own")" \
		test "$(instrumented __llvm_prf_cnts "$own")" = "demo.o main.o sub/part.o "
	sed -i 's/early.o := n/main.o := n/' "$own/Kbuild"
	check "clang-$n: it builds after a change of one line" kbuild "$headers" "$own"
	check "clang-$n: Kbuild rebuilds what the line affects: $(instrumented __llvm_prf_cnts "$own")" \
		test "$(instrumented __llvm_prf_cnts "$own")" = "demo.o early.o sub/part.o "
	echo 'BAREPROF_FILE_sub/part.o := never' >>"$own/Kbuild"
	check "clang-$n: a value that is neither y nor n is refused" not kbuild "$headers" "$own"
	check "clang-$n: the message names it" \
		grep -q '\*\*\* BAREPROF_FILE_sub/part.o is "never"; it can be y or n\.  Stop' "$WORK/kbuild.log"
done

# The second way, for a whole tree: scripts/Makefile.lib includes bareprof.mk, beside the rules for gcov and others.
cp ports/make/bareprof.mk "$WORK/common/scripts/"
rm "$LINUX/scripts"
ln -s "$WORK/common/scripts" "$LINUX/scripts"
lib=$WORK/common/scripts/Makefile.lib
cp "$lib" "$WORK/Makefile.lib"
awk '/^ifeq .*CONFIG_GCOV_KERNEL/ && !done++ {
	print "ifeq ($(CONFIG_BAREPROF),y)"
	print "BAREPROF_OBJ = $(obj)"
	print "include $(srctree)/scripts/bareprof.mk"
	print "_c_flags += $(bareprof-flags)"
	print "endif"
} { print }' "$WORK/Makefile.lib" >"$lib"
check "Makefile.lib has the place for it" sh -c "! cmp -s '$lib' '$WORK/Makefile.lib'"
sed -i '1a BAREPROF := n' "$WORK/common/scripts/Makefile.modfinal"
n=$NEW
whole=$WORK/whole
module "$whole"
echo 'BAREPROF_FILE_early.o := n' >>"$whole/Kbuild"
echo 'BAREPROF_FILES := n' >>"$whole/quiet/Makefile"
check "Makefile.lib: it builds without CONFIG_BAREPROF" kbuild "$LINUX" "$whole"
check "Makefile.lib: no file counts" test "$(instrumented __llvm_prf_cnts "$whole")" = ""
check "Makefile.lib: it builds with CONFIG_BAREPROF" kbuild "$LINUX" "$whole" CONFIG_BAREPROF=y
check "Makefile.lib: these count: $(instrumented __llvm_prf_cnts "$whole")" \
	test "$(instrumented __llvm_prf_cnts "$whole")" = "demo.o main.o quiet/loud.o sub/part.o "
check "Makefile.lib: only these have names" test "$(instrumented __llvm_prf_names "$whole")" = "demo.o main.o quiet/loud.o sub/part.o "
check "Makefile.lib: it builds with IR PGO" kbuild "$LINUX" "$whole" CONFIG_BAREPROF=y BAREPROF_KIND=irpgo
check "Makefile.lib: the same files count: $(instrumented __llvm_prf_cnts "$whole")" \
	test "$(instrumented __llvm_prf_cnts "$whole")" = "demo.o main.o quiet/loud.o sub/part.o "
check "Makefile.lib: none of them has a mapping" test "$(instrumented __llvm_covmap "$whole")" = ""

# The third way: the flags of bareprof.mk replace the flags for gcov. Then the tree's own variables for gcov control
# bareprof. Wherever the tree uses or drops the flags for gcov, it does the same with the flags of bareprof.
sed '/^ifeq .*CONFIG_GCOV_KERNEL/i BAREPROF_OBJ = $(obj)\ninclude $(srctree)/scripts/bareprof.mk\nCFLAGS_GCOV = $(bareprof-flags)' \
	"$WORK/Makefile.lib" >"$lib"
sed -i '/^BAREPROF := n$/d' "$WORK/common/scripts/Makefile.modfinal"
gcov=$WORK/gcov
module "$gcov"
echo 'GCOV_PROFILE_early.o := n' >>"$gcov/Kbuild"
echo 'BAREPROF_FILE_sub/part.o := n' >>"$gcov/Kbuild"
echo 'GCOV_PROFILE := n' >>"$gcov/quiet/Makefile"
check "for gcov: it builds without BAREPROF" kbuild "$LINUX" "$gcov" CONFIG_GCOV_KERNEL=y CONFIG_GCOV_PROFILE_ALL=y
check "for gcov: none counts" test "$(instrumented __llvm_prf_cnts "$gcov")" = ""
check "for gcov: it builds with BAREPROF" kbuild "$LINUX" "$gcov" CONFIG_GCOV_KERNEL=y CONFIG_GCOV_PROFILE_ALL=y BAREPROF=y
check "for gcov: these count: $(instrumented __llvm_prf_cnts "$gcov")" \
	test "$(instrumented __llvm_prf_cnts "$gcov")" = "demo.o main.o quiet/loud.o "
check "for gcov: only these have names" test "$(instrumented __llvm_prf_names "$gcov")" = "demo.o main.o quiet/loud.o "

# Tests rules like those of Xen, which have a list of objects and a variable for each target.
xen=$WORK/xen
mkdir -p "$xen/lib"
for file in main early lib/part; do echo "int $(basename $file)(void); int $(basename $file)(void) { return 1; }" >"$xen/$file.c"; done
echo '.globl start' >"$xen/start.S"
cat >"$xen/Rules.mk" <<'END'
obj := .
include $(BASEDIR)/Makefile.obj
include bareprof.mk
COV_FLAGS = $(bareprof-flags)
$(nocov-y): COV_FLAGS :=
$(obj-y): _c_flags += $(COV_FLAGS)
all: $(obj-y)
%.o: %.c
	$(CC) $(_c_flags) -c $< -o $@
%.o: %.S
	$(CC) -c $< -o $@
END
cp ports/make/bareprof.mk "$xen"
printf '%s\n' 'obj-y := main.o early.o lib/part.o start.o' 'nocov-y += early.o' 'BAREPROF_FILES_lib := n' >"$xen/Makefile.obj"
check "rules like Xen's: they build" make -s -C "$xen" -f Rules.mk BASEDIR=. CC="clang-$NEW --target=x86_64-none-elf" CONFIG_BAREPROF=y all
check "rules like Xen's: these count: $(instrumented __llvm_prf_cnts "$xen")" test "$(instrumented __llvm_prf_cnts "$xen")" = "main.o "

# PORTING-FILES.md must show the same lines as this script.
examples docs/PORTING-FILES.md "$WORK/page"
shown_by tests/images/perfile_kbuild.sh
