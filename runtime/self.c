/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.c - the image that this file is linked into, learnt and checked.
 */
#include "bounds.h"

int bareprof_image_self(struct bareprof_image *image)
{
	const uint64_t *declared = bareprof_take_bounds(image);

	return bareprof_image_init(image, *declared);
}
