/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_walk.c - checks every record of an image against one layout.
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

/* The table consists of bytes, which need no alignment. Without the attribute, compilers for x86_64 align it to 16. */
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
 * Two sums find overlaps and gaps without comparing each record with the others. If extents
 * of n bytes at offset off cover a section of N bytes exactly, in any order, then the sum
 * of all n is N. The sum of all (off + n)^2 - off^2 = n * (2 * off + n) is then N^2. For
 * example, for two extents of 8 bytes and N = 16 the second sum is 64 + 192 = 256. If both
 * extents are at offset 0, the second sum is only 64 + 64 = 128. The difference, 128, shows
 * the overlap. A single wrong record always changes a sum. Several wrong records may leave
 * both sums unchanged if they were designed to do so. Only the host compares all records.
 */
const uint8_t *bareprof_walk(
	struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at)
{
	const struct bareprof_slice *s = image->section;
	const uint8_t *end = (const uint8_t *)s[BAREPROF_DATA].start + s[BAREPROF_DATA].size;
	size_t size = s[BAREPROF_CNTS].size;
	size_t unclaimed_counters = image->counters;
	size_t unclaimed_squares = size * size; /* N^2 minus the n * (2 * off + n) of all records checked so far */
	size_t unclaimed_bitmap = s[BAREPROF_BITS].size;
	size_t records = 0;
	uint32_t sites = 0;
	size_t unclaimed;

	for (; at < end; at += (layout->end + 7u) & ~7u) {
		uintptr_t base = BAREPROF_RECORD_RELATIVE(layout->version) ? (uintptr_t)at : 0;
		uintptr_t off;
		size_t n;

		/* The last record may lack the padding at its end, but must have all fields. */
		if (at + layout->end > end)
			return at;
		n = *(const any_u32 *)(at + layout->num_counters);
		if (!n || n > unclaimed_counters)
			return at;
		unclaimed_counters -= n;
		n <<= image->shift;
		off = base + *(const any_ptr *)(at + BAREPROF_RECORD_COUNTER_PTR) - (uintptr_t)s[BAREPROF_CNTS].start;
		if (off > size - n)
			return at;
		unclaimed_squares -= n * (2 * off + n);
		sites |= *(const any_u32 *)(at + layout->num_counters + 4);
		if (layout->version >= BAREPROF_RAW_V10)
			sites |= *(const any_u16 *)(at + layout->num_counters + 8);
		if (layout->bitmap_ptr) {
			n = *(const any_u32 *)(at + layout->bitmap_bytes);
			off = base + *(const any_ptr *)(at + layout->bitmap_ptr) - (uintptr_t)s[BAREPROF_BITS].start;
			if (n > unclaimed_bitmap || (n && off > s[BAREPROF_BITS].size - n))
				return at;
			unclaimed_bitmap -= n;
		}
		records++;
		BAREPROF_YIELD();
	}
	unclaimed = unclaimed_bitmap;
	/* Timestamps between byte counters are aligned to 8 bytes, which leaves gaps that no record claims. */
	if (!(image->version & BAREPROF_VARIANT_TEMPORAL))
		unclaimed |= unclaimed_counters | unclaimed_squares;
	if (unclaimed)
		return end;
	image->records = records;
	image->value_sites = sites;
	return NULL;
}
