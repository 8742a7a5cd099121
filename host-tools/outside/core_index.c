/* SPDX-License-Identifier: BSD-2-Clause */
/* core_index.c - sorts parts of memory, and cuts those that overlap. */
#include "core_index.h"

#include <stdlib.h>

void core_index_add(struct core_index *index, struct core_part part)
{
	if (part.address && part.size > -part.address)
		part.size = -part.address;
	if (!part.size)
		return;
	index->parts = array_grow(index->parts, index->count, &index->room, sizeof(*index->parts));
	index->parts[index->count++] = part;
}

/* Parts with the same address are sorted by their offset, so that the result depends on the file alone. */
static int compare_parts(const void *left, const void *right)
{
	const struct core_part *a = left;
	const struct core_part *b = right;
	int order = compare_uint(a->address, b->address);

	return order ? order : compare_uint(a->offset, b->offset);
}

/* Returns how many of the first bytes of @part belong to @last, the part before it, or to a part before that. */
static uint64_t count_shared(const struct core_part *last, const struct core_part *part)
{
	uint64_t end = last->address + (last->size - 1);

	return part->address <= end ? end - part->address + 1 : 0;
}

/* Returns whether @part follows @last in memory and in the file, and one part can have both. */
static bool follows(const struct core_part *last, const struct core_part *part)
{
	return part->address - last->address == last->size && part->offset - last->offset == last->size &&
	       part->size <= UINT64_MAX - last->size;
}

void core_index_sort(struct core_index *index, struct core_index *shared)
{
	struct core_part *last = NULL;
	size_t i;

	if (index->count)
		qsort(index->parts, index->count, sizeof(*index->parts), compare_parts);
	for (i = 0; i < index->count; i++) {
		struct core_part part = index->parts[i];
		uint64_t cut = last ? count_shared(last, &part) : 0;

		cut = cut < part.size ? cut : part.size;
		/* Two segments with the same bytes of the file have the same content. */
		if (shared && cut && part.offset - last->offset != part.address - last->address)
			core_index_add(shared, (struct core_part){part.address, cut, part.offset});
		if (cut == part.size)
			continue;
		part = (struct core_part){part.address + cut, part.size - cut, part.offset + cut};
		if (last && follows(last, &part)) {
			last->size += part.size;
		} else {
			last = last ? last + 1 : index->parts;
			*last = part;
		}
	}
	index->count = last ? (size_t)(last + 1 - index->parts) : 0;
}

const struct core_part *core_index_next(const struct core_index *index, uint64_t address)
{
	const struct core_part key = {.address = address, .offset = UINT64_MAX};
	size_t after = upper_bound(&key, index->parts, index->count, sizeof(*index->parts), compare_parts);

	if (after && address - index->parts[after - 1].address < index->parts[after - 1].size)
		return &index->parts[after - 1];
	return after < index->count ? &index->parts[after] : NULL;
}

const struct core_part *core_index_find(const struct core_index *index, uint64_t address)
{
	const struct core_part *part = core_index_next(index, address);

	return part && part->address <= address ? part : NULL;
}
