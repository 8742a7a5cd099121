/* SPDX-License-Identifier: BSD-2-Clause */
/* radix.c - sorts by each byte of the keys, from the lowest byte to the highest. */
#include "radix.h"
#include "bytes.h"

#include <stdlib.h>

#define FEW 48u /* With at most this number of items, an insertion sort is faster. */

static void insertion_sort(const uint64_t *keys, uint32_t *items, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++) {
		uint32_t item = items[i];
		size_t at = i;

		for (; at && keys[items[at - 1]] > keys[item]; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Returns the bits in which the keys differ, or 0 if the items are sorted already. */
static uint64_t differing_bits(const uint64_t *keys, const uint32_t *items, size_t count)
{
	uint64_t before = keys[items[0]];
	uint64_t bits = 0;
	bool sorted = true;
	size_t i;

	for (i = 1; i < count; i++) {
		uint64_t key = keys[items[i]];

		bits |= key ^ before;
		sorted &= key >= before;
		before = key;
	}
	return sorted ? 0 : bits;
}

/* Copies the items to @to, sorted by the byte of their keys that starts at bit @shift. */
static void sort_by_byte(const uint64_t *keys, const uint32_t *items, size_t count, unsigned int shift, uint32_t *to)
{
	size_t start[256] = {0};
	size_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		start[keys[items[i]] >> shift & 0xff]++;
	for (i = 0; i < 256; i++) {
		size_t with_byte = start[i];

		start[i] = sum;
		sum += with_byte;
	}
	for (i = 0; i < count; i++)
		to[start[keys[items[i]] >> shift & 0xff]++] = items[i];
}

void radix_sort(struct radix *radix, const uint64_t *keys, uint32_t *items, size_t count)
{
	uint32_t *from = items;
	unsigned int shift;
	uint64_t bits;
	uint32_t *to;

	if (count <= FEW) {
		insertion_sort(keys, items, count);
		return;
	}
	bits = differing_bits(keys, items, count);
	if (!bits)
		return;
	radix->spare = array_renew(radix->spare, count, &radix->room, sizeof(*radix->spare));
	to = radix->spare;
	for (shift = 0; shift < 64; shift += 8) {
		uint32_t *sorted = to;

		/* If all keys have the same byte, the order does not change. */
		if (!(bits >> shift & 0xff))
			continue;
		sort_by_byte(keys, from, count, shift, to);
		to = from;
		from = sorted;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}

void radix_sort_equal(const uint64_t *keys, uint32_t *items, size_t count,
	int (*compare)(const void *left, const void *right, void *context), void *context)
{
	size_t first = 0;
	size_t i;

	while (first < count) {
		bool sorted = true;

		for (i = first + 1; i < count && keys[items[i]] == keys[items[first]]; i++)
			sorted = sorted && compare(&items[i - 1], &items[i], context) <= 0;
		if (!sorted)
			qsort_r(items + first, i - first, sizeof(*items), compare, context);
		first = i;
	}
}

void radix_free(struct radix *radix)
{
	free(radix->spare);
	*radix = (struct radix){0};
}
