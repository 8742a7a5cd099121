/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_bounds.h - within the runtime: the sections of this very image, for the two
 * ways to begin, self.c and small.c.
 *
 * The fragments always define all of the bounds, sections or not: a weak undefined
 * reference does not link in a position-independent image at a high address.
 */
#ifndef BAREPROF_IMAGE_BOUNDS_H
#define BAREPROF_IMAGE_BOUNDS_H

#include <bareprof/bareprof.h>

/*
 * A table of the start and stop of each section as distances from the table's own
 * words. C cannot say that; the assembler can, on every target, and the linker resolves
 * it wherever the image is loaded. A table of addresses would need relocating
 * under -fpic, and straight code is twice the size.
 */
#define BAREPROF_BOUNDS(name) ".4byte __start_" name " - .\n\t.4byte __stop_" name " - .\n\t"
/* clang-format off */
#define BAREPROF_BOUNDS_TABLE(table, sections) \
	__asm__(".pushsection .rodata." table ", \"a\"\n\t" \
		".balign 4\n\t" \
		".globl " table "\n\t" \
		".hidden " table "\n" \
		table ":\n\t" \
		sections \
		".popsection")
/* clang-format on */

BAREPROF_API extern const uint64_t __llvm_profile_raw_version;

/* Fill in @n sections from a table, at least one. Returns the version word that the image declares. */
static inline uint64_t bareprof_read_bounds(struct bareprof_slice *section, const int32_t *bound, unsigned int n)
{
	const uint64_t *declared = &__llvm_profile_raw_version;

	/* gcc believes a weak constant of the same file, as in the drop-in, to be final. */
	__asm__("" : "+r"(declared));

	do {
		const char *start = (const char *)bound + bound[0];

		section->start = start;
		section->size = (size_t)((const char *)(bound + 1) + bound[1] - start);
		bound += 2;
		section++;
	} while (--n);
	return *declared;
}

#endif
