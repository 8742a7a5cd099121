/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - fills counters in NOLOAD memory with their start value. Then it stores a number
 * in the same memory. The number identifies the build that filled the counters.
 */
#include <bareprof/capture.h>

/* linker/bareprof-rom.ld places this validity word in the same memory as the counters. */
BAREPROF_API extern volatile uint32_t __bareprof_valid[2];

/* Returns a number for the build: the checksum of its build id, or of its records if it has no build id. */
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
