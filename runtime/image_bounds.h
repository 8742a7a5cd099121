/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_bounds.h - internal: finds the sections of the image that contains this code.
 * image_self.c, mip.c and capture_small.h include this header.
 *
 * The linker fragments define the bounds of all sections, even of sections that the image
 * lacks. So the references here need not be weak. Weak references would not work, because
 * in a position-independent image at a high address, a weak reference to an undefined
 * symbol does not link.
 */
#ifndef BAREPROF_IMAGE_BOUNDS_H
#define BAREPROF_IMAGE_BOUNDS_H

#include <bareprof/bareprof.h>

/*
 * A table with two words for each section: the distances from the first word to the
 * section's start and to its stop. (4 is the distance between the two words.) C has no
 * constants of this kind, but the assembler of every target has them. The distances do not
 * depend on the address at which the image is loaded. A table of addresses would have to be
 * relocated under -fpic, and code without a table has twice the size.
 */
#define BAREPROF_BOUNDS(name)                BAREPROF_BOUNDS_BETWEEN(name, name)
#define BAREPROF_BOUNDS_BETWEEN(first, last) BAREPROF_BOUNDS_OF("__start_" first, "__stop_" last)
#define BAREPROF_BOUNDS_OF(start, stop)      ".4byte " start " - .\n\t.4byte " stop " - . + 4\n\t"
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

/* Sets @n sections, at least one, from the table at @bound. */
static inline BAREPROF_UNUSED void bareprof_set_bounds(
	struct bareprof_slice *section, const int32_t *bound, unsigned int n)
{
	do {
		section->start = (const char *)bound + bound[0];
		section->size = (size_t)bound[1] - (size_t)bound[0];
		bound += 2;
		section++;
	} while (--n);
}

/* Sets @n sections like bareprof_set_bounds(). Returns the version word that the image declares. */
static inline BAREPROF_UNUSED uint64_t bareprof_read_bounds(
	struct bareprof_slice *section, const int32_t *bound, unsigned int n)
{
	const uint64_t *declared = &__llvm_profile_raw_version;

	/*
	 * Hides the value of the constant from gcc. In the drop-in, the weak definition of
	 * the constant is in the same file as this function. Without this line, gcc would
	 * use the value of this definition, even if another object replaces the definition.
	 */
	__asm__("" : "+r"(declared));

	bareprof_set_bounds(section, bound, n);
	return *declared;
}

#endif
