/* SPDX-License-Identifier: BSD-2-Clause */
/* jump_table_x86.c - looks for tables of jumps in code of x86. */
#include "jump_table_x86.h"

#include <stdlib.h>

/* One entry may be anything. Two entries that both lead into the function are a table. */
#define ENTRIES_MIN 2u

/* Returns the number of entries at the start of @bytes that lead into the function. */
static size_t count_entries(
	struct bytes bytes, unsigned int width, bool big, uint64_t base, uint64_t start, uint64_t end, uint64_t *first)
{
	size_t n = 0;

	for (; bytes.size >= width; bytes.data += width, bytes.size -= width) {
		uint64_t value = load_uint(bytes.data, width, big);
		uint64_t target = base ? base + (uint64_t)(int64_t)(int32_t)value : value;

		if (target < start || target >= end)
			break;
		if (first)
			first[n] = target;
		n++;
	}
	return n;
}

void jump_table_x86_read(
	const struct image *image, uint64_t address, uint64_t start, uint64_t end, uint64_t **targets, size_t *count)
{
	const struct image_section *section = image_where(image, address, 1);
	unsigned int width = image->width;
	uint64_t base = 0;
	struct bytes bytes;
	uint64_t *grown;
	size_t n;

	/* A table within the function would be code. */
	if (!section || (address >= start && address < end) ||
		!bytes_slice(image_content(image, section), address - section->address,
			section->address + section->size - address, &bytes))
		return;
	n = count_entries(bytes, width, image->big, base, start, end, NULL);
	if (n < ENTRIES_MIN) {
		width = 4;
		base = address;
		n = count_entries(bytes, width, image->big, base, start, end, NULL);
	}
	if (n < ENTRIES_MIN)
		return;
	grown = allocate(*count + n, sizeof(*grown));
	if (*count)
		memcpy(grown, *targets, *count * sizeof(*grown));
	count_entries(bytes, width, image->big, base, start, end, grown + *count);
	free(*targets);
	*targets = grown;
	*count += n;
}
