/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen.lds.h - places the sections of the profile, for the linker scripts of Xen's architectures.
 * BAREPROF_DATA is between .data and .bss, outside of the memory that Xen frees after init.
 * BAREPROF_DETAILS is after the last section with an address. Both macros are empty if the objects
 * have neither clang's counters nor a machine profile (CONFIG_BAREPROF_MIP, from mip.mk), and Xen takes
 * no samples. Samples only need the build id. The macro EFI is defined for the script that links xen.efi.
 */
/* clang-format off */
#if defined(CONFIG_COVERAGE) && (defined(CONFIG_CC_IS_CLANG) || defined(CONFIG_BAREPROF_MIP))
#define BAREPROF_COUNTS
#endif
#if defined(BAREPROF_COUNTS) || defined(CONFIG_BAREPROF_SAMPLES)

#ifdef BAREPROF_COUNTS
/* Xen 4.21 and later place these sections themselves, but do not define all bounds of the sections. */
#undef LLVM_COV_RO_DATA
#undef LLVM_COV_RW_DATA
#undef LLVM_COV_DEBUG
#define LLVM_COV_RO_DATA
#define LLVM_COV_RW_DATA
#define LLVM_COV_DEBUG
#endif

/* The load address and the program header are the same as for the neighbouring sections. */
#if defined(CONFIG_X86) && !defined(EFI)
#define BAREPROF_AT(name) AT(ADDR(name) - __XEN_VIRT_START)
#endif
#ifdef EFI
#define BAREPROF_WHERE
#define BAREPROF_RELOCATIONS
#else
#define BAREPROF_WHERE :text
/* GNU ld makes this section for relocations at run time. Xen does not apply them, so the section has to be empty. */
#define BAREPROF_RELOCATIONS                                                                                   \
	.bareprof_rela : BAREPROF_AT(.bareprof_rela) { *(.rela__llvm_prf_*) } :text                             \
	ASSERT(SIZEOF(.bareprof_rela) == 0, "bareprof: records need relocations at run time, which Xen does not apply")
#endif
#include "mip.lds.h"

/* In each of these notes, the id follows a header of 16 bytes. */
#if defined(BUILD_ID_EFI) && defined(EFI)
/* Xen's own script would discard this note. It is the note of xen-syms, and efi.mk explains why xen.efi contains it. */
#define BAREPROF_ID                                                                          \
	.profid : ALIGN(4)                                                                   \
	{                                                                                    \
		bareprof_note = .;                                                           \
		*(.note.gnu.build-id)                                                        \
		__stop_bareprof_build_id = .;                                                \
		__start_bareprof_build_id = . - bareprof_note > 16 ? bareprof_note + 16 : .; \
	}
#elif defined(BUILD_ID)
/*
 * Xen's own script places the note. If the linker makes no build ids for xen.efi, this note is the note of xen-syms
 * too.
 */
#define BAREPROF_ID                                               \
	__start_bareprof_build_id = __note_gnu_build_id_start + 16; \
	__stop_bareprof_build_id = __note_gnu_build_id_end;
#else
#define BAREPROF_ID BAREPROF_EMPTY(bareprof_build_id)
#endif

/*
 * On Arm, UEFI loads the image up to the symbol __init_end_efi, which Xen's own script sets before these sections. The
 * sections cannot be before the init code, because some branches between .text and the init code reach only 1 MiB. The
 * word makes the file reach as far as the symbol. UEFI refuses a shorter file.
 */
#ifdef CONFIG_ARM
#define BAREPROF_LOADED             \
	.bareprof_loaded :          \
	{                           \
		QUAD(0)             \
		__init_end_efi = .; \
	} BAREPROF_WHERE
#else
#define BAREPROF_LOADED
#endif

#define BAREPROF_PLAIN
#ifndef BAREPROF_COUNTS
#define BAREPROF_PROFILE
#elif defined(CONFIG_BAREPROF_MIP)
#define BAREPROF_PROFILE BAREPROF_MIP(BAREPROF_PLAIN, BAREPROF_WHERE)
#else
#define BAREPROF_PROFILE                                  \
	BAREPROF_COUNTERS(BAREPROF_PLAIN, BAREPROF_WHERE) \
	BAREPROF_VALUES(BAREPROF_PLAIN, BAREPROF_WHERE)   \
	BAREPROF_RECORDS(BAREPROF_WHERE)                  \
	BAREPROF_RELOCATIONS
#endif
#define BAREPROF_DATA    \
	BAREPROF_PROFILE \
	BAREPROF_ID      \
	BAREPROF_LOADED

/*
 * Tools read the mapping, and the map of a machine profile, from xen-syms. In xen.efi every section has an address, so
 * both would be loaded too. If xen.efi had no rule for a section, GNU ld would put the section outside of the image,
 * and firmware would refuse xen.efi. Xen 4.17 has no rule for .debug_str_offsets, which clang makes.
 */
#ifndef BAREPROF_COUNTS
#define BAREPROF_MAPPING
#elif defined(EFI)
#define BAREPROF_MAPPING /DISCARD/ : { *(__llvm_cov*) *(__llvm_mipmap) *(__llvm_mippcs) *(__sancov_pcs) }
#elif defined(CONFIG_BAREPROF_MIP)
#define BAREPROF_MAPPING BAREPROF_MIP_MAP
#else
#define BAREPROF_MAPPING BAREPROF_COVERAGE
#endif

/*
 * On Arm, Xen's page tables map a range of a fixed size. Before Xen 4.18, Xen does not check its own size, and a larger
 * Xen does not boot and prints nothing.
 */
#ifdef XEN_VIRT_SIZE
#define BAREPROF_ROOM XEN_VIRT_SIZE
#else
#define BAREPROF_ROOM 0x200000
#endif
#ifdef CONFIG_ARM
#define BAREPROF_FITS                          \
	ASSERT(_end - _start <= BAREPROF_ROOM, \
		"bareprof: this Xen is too large for its page tables: run make with EXTRA_CFLAGS_XEN_CORE=-Oz, or with BAREPROF_KIND=bytes, or set a lower CONFIG_NR_CPUS")
#else
#define BAREPROF_FITS
#endif
#define BAREPROF_DETAILS BAREPROF_MAPPING DECL_DEBUG(.debug_str_offsets, 4) BAREPROF_FITS

#else

#define BAREPROF_DATA
#define BAREPROF_DETAILS

#endif
