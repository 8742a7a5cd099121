/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_small.c - the small form of the runtime for machine profiles.
 */
#include <bareprof/mip.h>

#include "capture_small.h"

BAREPROF_API extern const int32_t bareprof_mip_small_bounds[2 * BAREPROF_SMALL_MIP_BOUNDS];
#if BAREPROF_SERVES_BLOCKS
#define MIP_SMALL_MORE_BOUNDS                                                                                          \
	BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_BLOCKS)                                                                    \
	BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_SAMPLES)                                                                   \
	BAREPROF_BOUNDS_BETWEEN(BAREPROF_MIP_BOUNDS_WRAPS, BAREPROF_MIP_BOUNDS_BLOCKS)
#else
#define MIP_SMALL_MORE_BOUNDS
#endif
BAREPROF_BOUNDS_TABLE("bareprof_mip_small_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_COVERAGE)
		BAREPROF_BOUNDS(BAREPROF_MIP_BOUNDS_CALLS) MIP_SMALL_MORE_BOUNDS);

/* Both functions below call this function. The code takes 16 bytes more if gcc for Armv7-M inlines the calls. */
static __attribute__((noinline)) void find_sections(struct bareprof_slice section[BAREPROF_SMALL_MIP_BOUNDS])
{
	bareprof_set_bounds(section, bareprof_mip_small_bounds, BAREPROF_SMALL_MIP_BOUNDS);
}

int bareprof_mip_small_start(void)
{
	struct bareprof_slice section[BAREPROF_SMALL_MIP_BOUNDS];

	find_sections(section);
	return bareprof_fill_small(section, BAREPROF_SMALL_MIP_SECTIONS, BAREPROF_MIP_START, BAREPROF_MIP_CALLS_START);
}

int bareprof_mip_small_dump(
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context)
{
	struct bareprof_slice section[BAREPROF_SMALL_MIP_BOUNDS];
	struct bareprof_small what = {0, BAREPROF_STREAM_MIP_COV, BAREPROF_SMALL_MIP_SECTIONS,
		{BAREPROF_MIP_START ? BAREPROF_CODING_INVERTED : BAREPROF_CODING_BYTES, BAREPROF_CODING_INVERTED}};

	find_sections(section);
	return bareprof_send_small(section, &what, nonce, buf, size, form, sink, context);
}
