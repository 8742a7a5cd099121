/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_small.c - the small form of the runtime. It sends counters and bitmaps, reads no
 * records and keeps no state. The host takes the records from the ELF file, and checks the
 * records.
 */
#include "capture_small.h"

BAREPROF_API extern const int32_t bareprof_small_bounds[2 * BAREPROF_SMALL_SECTIONS];
BAREPROF_BOUNDS_TABLE("bareprof_small_bounds",
	BAREPROF_BOUNDS("bareprof_build_id") BAREPROF_BOUNDS("__llvm_prf_cnts") BAREPROF_BOUNDS("__llvm_prf_bits"));

/*
 * Sets @section to the sections of the image. Returns the upper half of the version word,
 * which has the variant bits.
 */
static size_t find(struct bareprof_slice section[BAREPROF_SMALL_SECTIONS])
{
	return (size_t)(bareprof_read_bounds(section, bareprof_small_bounds, BAREPROF_SMALL_SECTIONS) >> 32);
}

static int byte_counters(size_t variants)
{
	return (variants & (size_t)(BAREPROF_VARIANT_BYTE_COVERAGE >> 32)) != 0;
}

int bareprof_small_start(void)
{
	struct bareprof_slice section[BAREPROF_SMALL_SECTIONS];
	/* A byte counter is 0xff until its block of code has run. */
	int never = byte_counters(find(section)) ? 0xff : 0;

	return bareprof_fill_small(section, BAREPROF_SMALL_SECTIONS, never, 0);
}

int bareprof_small_dump(size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context)
{
	struct bareprof_slice section[BAREPROF_SMALL_SECTIONS];
	struct bareprof_small what = {
		0, BAREPROF_STREAM_COUNTERS, BAREPROF_SMALL_SECTIONS, {BAREPROF_CODING_NUMBERS, BAREPROF_CODING_BYTES}};

	what.variants = find(section);
	if (byte_counters(what.variants))
		what.coding[0] = BAREPROF_CODING_INVERTED;
	return bareprof_send_small(section, &what, nonce, buf, size, form, sink, context);
}
