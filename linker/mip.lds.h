/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.lds.h - places the sections of a machine profile in an image, for linker scripts that go
 * through the C preprocessor. `make linker` makes the plain scripts from the same macros.
 *
 *	#include "mip.lds.h"
 *
 *	SECTIONS
 *	{
 *		.data : { ... }
 *		BAREPROF_NOTE( )
 *		BAREPROF_MIP(, )
 *		.bss : { ... }
 *		BAREPROF_MIP_MAP
 *	}
 *
 * The last argument of each macro follows the closing brace of each section, for example `> RAM` or
 * `:data`. If the image also has LLVM's counters, use these macros together with those of
 * bareprof.lds.h, and BAREPROF_NOTE once.
 *
 * If no loader fills the RAM, use BAREPROF_MIP((NOLOAD), > RAM) and call bareprof_mip_start(). The map
 * is never loaded.
 *
 * Place the macros before any /DISCARD/ or wildcard that also matches the sections, because the
 * linker uses the first rule that matches.
 */
/* clang-format off */
#ifndef BAREPROF_MIP_LDS_H
#define BAREPROF_MIP_LDS_H

#include "bareprof.lds.h"

/*
 * The symbols of the bounds do not have the names of the sections, and the sections are not under
 * KEEP. So --gc-sections drops the bytes of each function that it drops. (If a symbol __start_NAME is
 * used, GNU ld keeps all input sections NAME.)
 */
#define BAREPROF_MIP_SECTION(name, bounds, type, where) \
	name type : BAREPROF_AT(name) ALIGN(8)          \
	{                                               \
		__start_##bounds = .;                   \
		*(name)                                 \
		__stop_##bounds = .;                    \
	} where

/*
 * The block bytes: those of `bareprof mip cc`, which start as 0xff, then clang's counters, which wrap,
 * then clang's flags.
 * BAREPROF_MIP_MAP has the entries of the table of blocks in the same order.
 */
#define BAREPROF_MIP_BLOCK_BYTES(type, where)                                          \
	__llvm_mipraw_blk type : BAREPROF_AT(__llvm_mipraw_blk) ALIGN(8)               \
	{                                                                              \
		__start_bareprof_mip_blk = .;                                          \
		*(__llvm_mipraw_blk)                                                   \
		__start_bareprof_mip_wraps = .;                                        \
		*(__sancov_cntrs)                                                      \
		__stop_bareprof_mip_wraps = .;                                         \
		*(__sancov_bools)                                                      \
		__stop_bareprof_mip_blk = .;                                           \
	} where

/* The ring for samples. No code refers to the ring, so KEEP is necessary. */
#define BAREPROF_MIP_RING_SECTION(type, where)                                         \
	__llvm_mipraw_smp type : BAREPROF_AT(__llvm_mipraw_smp) ALIGN(8)               \
	{                                                                              \
		__start_bareprof_mip_smp = .;                                          \
		KEEP(*(__llvm_mipraw_smp))                                             \
		__stop_bareprof_mip_smp = .;                                           \
	} where

/*
 * The raw sections. @type is (NOLOAD) or empty. Bytes that start as 0 come last, and take no space in
 * the file if .bss follows. (Block bytes and, on AArch64, coverage bytes start as 0xff.)
 */
#define BAREPROF_MIP(type, where)                                                      \
	BAREPROF_MIP_SECTION(__llvm_mipraw_calls, bareprof_mip_calls, type, where)     \
	BAREPROF_MIP_SECTION(__llvm_mipraw_cov, bareprof_mip_cov, type, where)         \
	BAREPROF_MIP_BLOCK_BYTES(type, where)                                          \
	BAREPROF_MIP_RING_SECTION(type, where)

/*
 * The map from bytes to functions, and the table of blocks. Only tools read them, in the ELF file.
 * Place this macro after the last section with an address.
 */
#define BAREPROF_MIP_MAP                                                               \
	__llvm_mipmap 0 (INFO) : { *(__llvm_mipmap) }                                  \
	__llvm_mippcs 0 (INFO) : { *(__llvm_mippcs) *(__sancov_pcs) }

#endif
