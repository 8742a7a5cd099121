/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - counters in NOLOAD memory: fill them, and leave a word that says
 * which build did so.
 */
#include <bareprof/capture.h>

/* In the same memory as the counters; linker/bareprof-rom.ld places it. */
BAREPROF_API extern volatile uint32_t __bareprof_valid[2];

/* The build: its id, or without one its records. */
static uint32_t identity(const struct bareprof_image *image)
{
	const struct bareprof_slice *s = &image->section[BAREPROF_BUILD_ID];

	if (!s->size)
		s = &image->section[BAREPROF_DATA];
	return bareprof_crc32c(0, s->start, s->size);
}

int bareprof_start(struct bareprof_image *image)
{
	int error = bareprof_image_self(image);
	uint32_t id;

	if (error)
		return error;
	bareprof_reset(image);
	image->generation = 0;
	id = identity(image);
	__bareprof_valid[0] = id;
	__bareprof_valid[1] = ~id;
	return BAREPROF_OK;
}

int bareprof_started(const struct bareprof_image *image)
{
	uint32_t id = identity(image);

	return __bareprof_valid[0] == id && __bareprof_valid[1] == ~id;
}
