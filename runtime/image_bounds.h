/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_bounds.h - internal: finds the sections of the image that it is compiled into,
 * for image_self.c and capture_small.c.
 *
 * The linker fragments define the bounds of all sections, even of those that the image
 * lacks: a weak undefined reference does not link in a position-independent image at a
 * high address.
 */
#ifndef BAREPROF_IMAGE_BOUNDS_H
#define BAREPROF_IMAGE_BOUNDS_H

#include <bareprof/bareprof.h>

/*
 * A table with two words for each section: the distances from these words to the section's
 * start and stop. C has no constants of that kind, but assemblers for every target have
 * them, and these distances are right wherever the image is loaded. A table of addresses
 * would need relocating under -fpic, and code without a table is twice the size.
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

/* Fills in @n sections, at least one, from the table at @bound. Returns the version word that the image declares. */
static inline uint64_t bareprof_read_bounds(struct bareprof_slice *section, const int32_t *bound, unsigned int n)
{
	const uint64_t *declared = &__llvm_profile_raw_version;

	/*
	 * Hides the constant from gcc, which takes the value of a weak constant in the same
	 * file (as in the drop-in) as final.
	 */
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
