# SPDX-License-Identifier: BSD-2-Clause
# current.sh - gives Xen 4.17 those parts of a current Xen that matter to ports/xen, because Debian has no source of a
# current Xen. These parts are macros for the sections of the profile, and the option CONDITION_COVERAGE.
#
#	xen_current TREE      changes the source in TREE; fails if TREE is not as expected
# shellcheck shell=sh

# The function runs in a subshell, because put() of install.lib.sh reads the variables tree and stage.
xen_current() (
	. ports/install.lib.sh
	tree=$(cd "$1" && pwd)
	stage=$WORK/current
	rm -rf "$stage"
	mkdir -p "$stage" && ln -s "$tree" "$stage/b"

	put before xen/include/xen/xen.lds.h '^#endif /\* __XEN_LDS_H__' <<'END'
#if defined(CONFIG_COVERAGE) && defined(CONFIG_CC_IS_CLANG)
#define LLVM_COV_RO_DATA DECL_SECTION(__llvm_prf_names) { *(__llvm_prf_names) } PHDR(text)
#define LLVM_COV_RW_DATA                                           \
  DECL_SECTION(__llvm_prf_data) { *(__llvm_prf_data) } PHDR(text)  \
  DECL_SECTION(__llvm_prf_cnts) { *(__llvm_prf_cnts) } PHDR(text)  \
  DECL_SECTION(__llvm_prf_bits) { *(__llvm_prf_bits) } PHDR(text)
#define LLVM_COV_DEBUG DECL_DEBUG(__llvm_covfun, 8) DECL_DEBUG(__llvm_covmap, 8)
#else
#define LLVM_COV_RO_DATA
#define LLVM_COV_RW_DATA
#define LLVM_COV_DEBUG
#endif

END
	script=xen/arch/x86/xen.lds.S
	put before $script '^  _erodata = ' <<'END'
  LLVM_COV_RO_DATA
END
	put before $script '^  DECL_SECTION\(\.bss\) \{' <<'END'
  LLVM_COV_RW_DATA

END
	put after $script '^  DWARF2_DEBUG_SECTIONS' <<'END'

  LLVM_COV_DEBUG
END

	sed -i -e 's/^\( *\)COV_FLAGS := -/\1cov-cflags-$(CONFIG_COVERAGE) := -/' \
		-e 's/COV_FLAGS :=$/cov-cflags-y :=/; s/\$(COV_FLAGS)/$(cov-cflags-y)/' "$tree/xen/Rules.mk"
	put after xen/Rules.mk '^ +cov-cflags-.* := -fprofile-instr-generate' <<'END'
    cov-cflags-$(CONFIG_CONDITION_COVERAGE) += -fcoverage-mcdc
END
	put before xen/Kconfig.debug '^config DEBUG_LOCK_PROFILE' <<'END'
config CONDITION_COVERAGE
	bool "Condition coverage (MC/DC)"
	depends on COVERAGE && CC_IS_CLANG && $(cc-option,-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc)

END
)
