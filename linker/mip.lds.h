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
 * The call entries and the coverage bytes. @type is (NOLOAD) or empty. Except on AArch64, the coverage
 * bytes start as 0, so they come last, and take no space in the file if .bss follows.
 */
#define BAREPROF_MIP(type, where)                                                      \
	BAREPROF_MIP_SECTION(__llvm_mipraw_calls, bareprof_mip_calls, type, where)     \
	BAREPROF_MIP_SECTION(__llvm_mipraw_cov, bareprof_mip_cov, type, where)

/*
 * The map from bytes to functions, which only tools read, from the ELF file. Place this macro after
 * the last section with an address.
 */
#define BAREPROF_MIP_MAP __llvm_mipmap 0 (INFO) : { *(__llvm_mipmap) }

#endif
