/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stamp.c - reserves memory for a build id, for linkers that cannot make a build id. The
 * memory is an ELF note whose id consists of zeros. `bareprof stamp` replaces the zeros
 * after the link. Leave this file out if the linker has --build-id. The linker fragments
 * place the note where the linker's build id would be, between the same symbols.
 */
#include <bareprof/platform.h>

/* The note is in assembler, because a compiler puts C constants into sections that tools do not recognize as notes. */
__asm__(".pushsection .note.bareprof, \"a\", %note\n\t"
	".balign 4\n\t"
	".4byte 4, 16, 3\n\t"
	".asciz \"GNU\"\n\t"
	".zero 16\n\t"
	".popsection");
