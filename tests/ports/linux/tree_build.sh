#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree_build.sh: builds objects in the source of Linux, before and after ports/linux/install.sh. Nothing may change as
# long as CONFIG_BAREPROF is not set. If it is set, the right objects must be instrumented. Then the kernel's makefiles
# check the port with sparse and W=1, and checkpatch checks the style of the port. tree.sh tests install.sh itself.
# kernel.sh and the tests beside it boot kernels.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/tree_lib.sh

install=ports/linux/install.sh
export BAREPROF_PROGRAM="$BAREPROF"

# Some files of the source are not unpacked, because that would take longer than the rest of this test.
linux_source "$WORK/tree" '*/drivers/*.[ch]' '*/sound/*.[ch]' '*/Documentation/[a-zA-Z]*/*' '*/tools/testing/*' \
	'*/net/*.c' '*/fs/*/*.c' '*/arch/*/boot/dts/*' || exit

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
check "only BAREPROF is set" configured BAREPROF=y
counting "no object counts" __llvm_prf_cnts ""
check "BAREPROF_PROFILE_ALL is set" configured BAREPROF_PROFILE_ALL=y
counting "all objects count that may" __llvm_prf_cnts "lib/sort.o lib/list_sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "these have a mapping" __llvm_covfun "lib/sort.o lib/list_sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
check "lib and mm are selected" configured BAREPROF_PROFILE_ALL=n 'BAREPROF_PROFILE_DIRS="lib mm"'
counting "these count, below lib and in mm" __llvm_prf_cnts "lib/sort.o lib/list_sort.o lib/math/gcd.o mm/util.o "
echo 'GCOV_PROFILE_list_sort.o := n' >>"$LINUX_TREE/lib/Makefile"
echo 'GCOV_PROFILE_kthread.o := y' >>"$LINUX_TREE/kernel/Makefile"
check "MC/DC is set, and makefiles have lines for files" configured BAREPROF_COVERAGE=n BAREPROF_MCDC=y
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "these have bitmaps for decisions" __llvm_prf_bits "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
check "byte counters are set" configured BAREPROF_MCDC=n BAREPROF_BYTES=y
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
check "PGO is set" configured BAREPROF_BYTES=n BAREPROF_PGO=y
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "no object has a mapping" __llvm_covfun ""
counting "these record targets of calls" __llvm_prf_vals "lib/sort.o kernel/kthread.o mm/util.o "
check "machine profiles are set too" configured BAREPROF_NO_MACHINE=n BAREPROF_MACHINE_COVERAGE=y
counting "these record that they ran" __llvm_mipraw_cov "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "these count" __llvm_prf_cnts "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
check "only machine profiles with calls are set" configured BAREPROF_PGO=n BAREPROF_NO_COUNTERS=y \
	BAREPROF_MACHINE_COVERAGE=n BAREPROF_MACHINE_CALLS=y
counting "these count their calls" __llvm_mipraw_calls "lib/sort.o lib/math/gcd.o kernel/kthread.o mm/util.o "
counting "no object counts" __llvm_prf_cnts ""

check "samples are set" configured HIGH_RES_TIMERS=y BAREPROF_SAMPLES=y
counting "no object counts" __llvm_prf_cnts ""
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
mip.lds.h COMPLEX_MACRO: macros for linker scripts, which are not C
mip.lds.h SPACING: patterns for names of sections
mip_first_arm.h NEW_TYPEDEFS: assertions; the file is the same for all systems
mip_first_arm.h SPDX_LICENSE_TAG: the file joins two sources, and each source has a tag
mip_first_x86_64.h NEW_TYPEDEFS: as mip_first_arm.h
mip_first_x86_64.h SPDX_LICENSE_TAG: as mip_first_arm.h
producer.h COMPLEX_MACRO: as in bareprof.h
producer.h SPACING: as in bareprof.c
runtime.c EXPORT_SYMBOL: the functions are in bareprof.c, which exports nothing
unit.h CONST_STRUCT: struct kernel_param_ops, which is only declared here
END
complaints "$ours"/*.[ch] "$ours"/module.lds "$ours/Kconfig" "$ours/Makefile" "$LINUX_TREE/scripts/Makefile.bareprof" >"$WORK/said"
check "checkpatch has no new complaints: $(wc -l <"$WORK/said") known" sh -c "sed 's/:.*//' '$WORK/known' | diff - '$WORK/said'"
check "it looks" test "$(printf '// SPDX-License-Identifier: BSD-2-Clause\nint a(){ return 1; }\n' >"$WORK/bad.c"; complaints "$WORK/bad.c" | head -n 1)" = "bad.c FUNCTION_WITHOUT_ARGS"
