/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.c - describes a machine profile whose sections are known, and opens it for reading as a .mipraw.
 */
#include <bareprof/mip.h>

#if BAREPROF_SERVES_BLOCKS
#define MIP_HEADER_SIZE BAREPROF_MIP_RAW_HEADER
#else
#define MIP_HEADER_SIZE (8u * BAREPROF_MIP_RAW_FIRST_WORDS)
#endif

int bareprof_mip_image_init(struct bareprof_image *image)
{
	unsigned int i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		image->profraw.padding[i] = BAREPROF_PAD8(image->section[i].size);
	image->shift = BAREPROF_MIP_START ? 0 : 3;
	image->machine = BAREPROF_MIP_CALLS_START;
	image->live = image;
	if (!(image->section[BAREPROF_MIP_COVERAGE].size | image->section[BAREPROF_MIP_CALLS].size |
		    (BAREPROF_SERVES_BLOCKS ? image->section[BAREPROF_MIP_BLOCKS].size : 0)))
		return BAREPROF_E_NO_COUNTERS;
	return BAREPROF_OK;
}

void bareprof_mip_open(struct bareprof_dump *dump, const struct bareprof_image *image)
{
	const struct bareprof_slice *coverage = &image->section[BAREPROF_MIP_COVERAGE];
	const struct bareprof_slice *calls = &image->section[BAREPROF_MIP_CALLS];
	uint64_t *header = dump->header;

	dump->image = image;
	dump->epoch = image->generation;
	header[BAREPROF_MIP_RAW_MAGIC] = BAREPROF_MIP_MAGIC | (uint64_t)(BAREPROF_MIP_V9 | BAREPROF_MIP_TYPE_RAW << 16)
	                                                              << 32;
	header[BAREPROF_MIP_RAW_KINDS] =
		(coverage->size ? BAREPROF_MIP_KIND_COVERAGE : 0) | (calls->size ? BAREPROF_MIP_KIND_CALLS : 0);
	header[BAREPROF_MIP_RAW_WIDTH] = sizeof(uintptr_t) | (uint64_t)MIP_HEADER_SIZE << 32;
	header[BAREPROF_MIP_RAW_ID_SIZE] = image->section[BAREPROF_BUILD_ID].size;
	header[BAREPROF_MIP_RAW_COVERAGE_SIZE] = coverage->size;
	header[BAREPROF_MIP_RAW_CALLS_SIZE] = calls->size;
	header[BAREPROF_MIP_RAW_COVERAGE_ADDRESS] = (uintptr_t)image->live->section[BAREPROF_MIP_COVERAGE].start;
	header[BAREPROF_MIP_RAW_CALLS_ADDRESS] = (uintptr_t)image->live->section[BAREPROF_MIP_CALLS].start;
#if BAREPROF_SERVES_BLOCKS
	{
		const struct bareprof_slice *blocks = &image->section[BAREPROF_MIP_BLOCKS];
		const struct bareprof_slice *samples = &image->section[BAREPROF_MIP_SAMPLES];

		if (blocks->size)
			header[BAREPROF_MIP_RAW_KINDS] |= BAREPROF_MIP_KIND_BLOCKS;
		if (samples->size)
			header[BAREPROF_MIP_RAW_KINDS] |= BAREPROF_MIP_KIND_RETURNS;
		header[BAREPROF_MIP_RAW_BLOCKS_SIZE] = blocks->size;
		header[BAREPROF_MIP_RAW_BLOCKS_ADDRESS] = (uintptr_t)image->live->section[BAREPROF_MIP_BLOCKS].start;
		header[BAREPROF_MIP_RAW_SAMPLES_SIZE] = samples->size;
		header[BAREPROF_MIP_RAW_SAMPLES_ADDRESS] = (uintptr_t)image->live->section[BAREPROF_MIP_SAMPLES].start;
	}
#endif
	dump->header_size = MIP_HEADER_SIZE;
	dump->size = (size_t)bareprof_read(dump, 0, NULL, ~(size_t)0);
}
