/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bounds.c - the sections of the image that this file is linked into, from the
 * symbols that the linker fragments define.
 *
 * The fragments always define all of them, sections or not: a weak undefined
 * reference does not link in a position-independent image at a high address.
 */
#include "bounds.h"

/*
 * Start and stop of each section as distances from the table's own words. C
 * cannot say that; the assembler can, on every target, and the linker resolves
 * it wherever the image is loaded. A table of addresses would need relocating
 * under -fpic, and straight code is twice the size.
 */
#define BOUNDS(name) ".4byte __start_" name " - .\n\t.4byte __stop_" name " - .\n\t"
/* clang-format off */
__asm__(".pushsection .rodata.bareprof_bounds, \"a\"\n\t"
	".balign 4\n\t"
	".globl bareprof_bounds\n\t"
	".hidden bareprof_bounds\n"
	"bareprof_bounds:\n\t"
	BOUNDS("bareprof_build_id")
	BOUNDS("__llvm_prf_data")
	BOUNDS("__llvm_prf_cnts")
	BOUNDS("__llvm_prf_bits")
	BOUNDS("__llvm_prf_names")
	BOUNDS("__llvm_prf_vtab")
	BOUNDS("__llvm_prf_vns")
	".popsection");
/* clang-format on */
