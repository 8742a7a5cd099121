/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stamp.c - room for a build id, for linkers that cannot make one: a note whose id is all
 * zeros, which `bareprof stamp` replaces after the link. Leave this file out if the linker
 * has --build-id. The linker fragments place the note where a build id would be, between
 * the same symbols.
 */
#include <bareprof/platform.h>

/* In assembler, because compilers put constants of C into sections that no tool takes for notes. */
__asm__(".pushsection .note.bareprof, \"a\", %note\n\t"
	".balign 4\n\t"
	".4byte 4, 16, 3\n\t"
	".asciz \"GNU\"\n\t"
	".zero 16\n\t"
	".popsection");
