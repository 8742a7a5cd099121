/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_walk.c - check every record of an image against one layout.
 */
#include <bareprof/producer.h>

#include "image_walk.h"

#define WIDTH ((unsigned int)sizeof(uintptr_t))
#define RECORD_LAYOUT(version)                                                                                         \
	{                                                                                                              \
		(uint8_t)(version), (uint8_t)BAREPROF_RECORD_END(version, WIDTH),                                      \
			(uint8_t)BAREPROF_RECORD_NUM_COUNTERS(version, WIDTH),                                         \
			(uint8_t)BAREPROF_RECORD_BITMAP_PTR(version, WIDTH),                                           \
			(uint8_t)BAREPROF_RECORD_BITMAP_BYTES(version, WIDTH),                                         \
	}

/* Aligned as its bytes need: left alone, x86_64 takes 16. */
const struct bareprof_record_layout bareprof_layouts[BAREPROF_LAYOUTS] __attribute__((aligned(1))) = {
#if BAREPROF_LAYOUTS == 1
	RECORD_LAYOUT(BAREPROF_PRODUCER),
#else
#define RELEASED(version, ...) RECORD_LAYOUT(version##u),
	BAREPROF_RAW_RELEASES(RELEASED)
#undef RELEASED
#endif
};

/*
 * Overlaps and gaps are seen without comparing records: (off + n)^2 - off^2,
 * summed over pieces that tile a section of N bytes in whatever order, telescopes
 * to N^2, and n to N. One record that is off breaks the sums; several that were
 * made to can keep them, and comparing all records is the host's work.
 */
const uint8_t *bareprof_walk(
	struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at)
{
	const struct bareprof_slice *s = image->section;
	const uint8_t *end = (const uint8_t *)s[BAREPROF_DATA].start + s[BAREPROF_DATA].size;
	size_t size = s[BAREPROF_CNTS].size;
	size_t counters = image->counters; /* not yet seen in a record */
	size_t bitmap = s[BAREPROF_BITS].size;
	size_t tiles = size * size;
	size_t records = 0;
	uint32_t sites = 0;

	for (; at < end; at += (layout->end + 7u) & ~7u) {
		uintptr_t base = BAREPROF_RECORD_RELATIVE(layout->version) ? (uintptr_t)at : 0;
		uintptr_t off;
		size_t n;

		/* The last record may lack its padding, not more. */
		if (at + layout->end > end)
			return at;
		n = *(const any_u32 *)(at + layout->num_counters);
		if (!n || n > counters)
			return at;
		counters -= n;
		n <<= image->shift;
		off = base + *(const any_ptr *)(at + BAREPROF_RECORD_COUNTER_PTR) - (uintptr_t)s[BAREPROF_CNTS].start;
		if (off > size - n)
			return at;
		tiles -= n * (2 * off + n);
		sites |= *(const any_u32 *)(at + layout->num_counters + 4);
		if (layout->version >= BAREPROF_RAW_V10)
			sites |= *(const any_u16 *)(at + layout->num_counters + 8);
		if (layout->bitmap_ptr) {
			n = *(const any_u32 *)(at + layout->bitmap_bytes);
			off = base + *(const any_ptr *)(at + layout->bitmap_ptr) - (uintptr_t)s[BAREPROF_BITS].start;
			if (n > bitmap || (n && off > s[BAREPROF_BITS].size - n))
				return at;
			bitmap -= n;
		}
		records++;
		BAREPROF_YIELD();
	}
	/* Byte counters with timestamps are 8-aligned and leave gaps. */
	if (!(image->version & BAREPROF_VARIANT_TEMPORAL))
		bitmap |= counters | tiles;
	if (bitmap)
		return end;
	image->records = records;
	image->value_sites = sites;
	return NULL;
}
