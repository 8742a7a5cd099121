/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bounds.h - within the runtime: the sections of this very image, for the two
 * ways to begin, self.c and small.c. An image has one of them: a function of its
 * own would cost more than it shares.
 */
#ifndef BAREPROF_BOUNDS_H
#define BAREPROF_BOUNDS_H

#include <bareprof/bareprof.h>

BAREPROF_API extern const int32_t bareprof_bounds[2 * BAREPROF_SECTIONS];
BAREPROF_API extern const uint64_t __llvm_profile_raw_version;

/* Fill in section[] and number. Returns where the image declares its version. */
static inline const uint64_t *bareprof_take_bounds(struct bareprof_image *image)
{
	const uint64_t *declared = &__llvm_profile_raw_version;
	const int32_t *bound = bareprof_bounds;
	struct bareprof_span *s;

	/* gcc believes a weak constant of the same file, as in the drop-in, to be final. */
	__asm__("" : "+r"(declared));

	image->number = 0;
	s = image->section;
	do {
		const char *start = (const char *)bound + bound[0];

		s->start = start;
		s->size = (size_t)((const char *)(bound + 1) + bound[1] - start);
		bound += 2;
	} while (++s < image->section + BAREPROF_SECTIONS);
	return declared;
}

#endif
