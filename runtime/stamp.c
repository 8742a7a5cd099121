/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stamp.c - room for a build id, for linkers that make none: a note without an
 * id, which `bareprof stamp` fills in when the image is linked. Leave this file
 * out where --build-id is to be had. The linker fragments place it, and the
 * symbols that bound a build id then bound the room.
 */
#include <bareprof/platform.h>

/* In assembler: compilers make constants of C, which no tool takes for a note. */
__asm__(".pushsection .note.bareprof, \"a\", %note\n\t"
	".balign 4\n\t"
	".4byte 4, 16, 3\n\t"
	".asciz \"GNU\"\n\t"
	".zero 16\n\t"
	".popsection");
