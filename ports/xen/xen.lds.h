/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen.lds.h - where Xen keeps its profile, for the linker scripts of the architectures:
 * BAREPROF_DATA between .data and .bss, outside of what is freed after init, and
 * BAREPROF_DETAILS after the last section with an address. Both are nothing where clang
 * does not count.
 */
/* clang-format off */
#if defined(CONFIG_COVERAGE) && defined(CONFIG_CC_IS_CLANG)

/* Trees since 4.21 have places of their own, of which not all bounds are defined. */
#undef LLVM_COV_RO_DATA
#undef LLVM_COV_RW_DATA
#undef LLVM_COV_DEBUG
#define LLVM_COV_RO_DATA
#define LLVM_COV_RW_DATA
#define LLVM_COV_DEBUG

/* Load addresses and program headers, as the sections around have them. */
#if defined(CONFIG_X86) && !defined(EFI)
#define BAREPROF_AT(name) AT(ADDR(name) - __XEN_VIRT_START)
#endif
#ifdef EFI
#define BAREPROF_WHERE
#else
#define BAREPROF_WHERE :text
#endif
#include "bareprof.lds.h"

/* Xen's own script has the note; the id is behind its header. */
#if defined(BUILD_ID) && !defined(EFI)
#define BAREPROF_ID                                               \
	__start_bareprof_build_id = __note_gnu_build_id_start + 16; \
	__stop_bareprof_build_id = __note_gnu_build_id_end;
#else
#define BAREPROF_ID BAREPROF_EMPTY(bareprof_build_id)
#endif

#define BAREPROF_PLAIN
#define BAREPROF_DATA                                     \
	BAREPROF_COUNTERS(BAREPROF_PLAIN, BAREPROF_WHERE) \
	BAREPROF_VALUES(BAREPROF_PLAIN, BAREPROF_WHERE)   \
	BAREPROF_RECORDS(BAREPROF_WHERE)                  \
	BAREPROF_ID
#define BAREPROF_DETAILS BAREPROF_COVERAGE

#else

#define BAREPROF_DATA
#define BAREPROF_DETAILS

#endif
