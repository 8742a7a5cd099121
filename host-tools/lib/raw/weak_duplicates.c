/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.c - where each record's own counters are: behind those of the record
 * before it. A record that points elsewhere is a duplicate if it points to the counters
 * of another record of the same name, and that record's own pointer is right:
 *
 *	records      A            B            A'           C
 *	counters     |--A--|---B---|--A'--|-C-|
 *	pointers     A: own       B: own       A': to A's   C: own
 */
#include "weak_duplicates.h"

#include <stdlib.h>

/* Where what belongs to the next record begins. The sizes have 32 bits each: no overflow. */
static struct weak_duplicate next_own(const struct weak_duplicate *own, const struct record_extents *extents)
{
	return (struct weak_duplicate){.index = own->index + 1,
		.counters = own->counters + extents->counters.size,
		.bitmap = own->bitmap + extents->bitmap.size,
		.list_heads = own->list_heads + extents->sites};
}

static uint64_t start_of(const struct weak_duplicate *own, bool bitmap)
{
	return bitmap ? own->bitmap : own->counters;
}

/* The last record whose own extent starts at or before @at. Of several that start there, the last is the one that is not empty. */
static size_t find_owner(const struct weak_duplicate *own, size_t count, uint64_t at, bool bitmap)
{
	size_t low = 0;
	size_t high = count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (start_of(&own[middle], bitmap) <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Does record @index point to the counters, or the bitmap, of a record of its name, *@prevailing, which points there too? */
static bool points_to_prevailing(const struct weak_duplicate *own, const struct record_extents *extents, size_t count,
	size_t index, bool bitmap, uint64_t *prevailing)
{
	const struct extent *pointed_to = bitmap ? &extents[index].bitmap : &extents[index].counters;
	size_t other = find_owner(own, count, pointed_to->address, bitmap);
	const struct extent *its = bitmap ? &extents[other].bitmap : &extents[other].counters;

	*prevailing = other;
	return extents[other].name == extents[index].name && its->size && its->address == pointed_to->address &&
	       start_of(&own[other], bitmap) == pointed_to->address;
}

static bool is_duplicate(const struct weak_duplicate *own, const struct record_extents *extents)
{
	return extents->counters.address != own->counters;
}

/* Record @index points to its own, or it is a duplicate. */
static bool is_explained(struct weak_duplicate *own, const struct record_extents *extents, size_t count, size_t index)
{
	const struct extent *bitmap = &extents[index].bitmap;
	bool duplicate = is_duplicate(&own[index], &extents[index]);
	uint64_t unused;

	if (duplicate && !points_to_prevailing(own, extents, count, index, false, &own[index].prevailing))
		return false;
	return !bitmap->size || bitmap->address == own[index].bitmap ||
	       (duplicate && points_to_prevailing(own, extents, count, index, true, &unused));
}

bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps)
{
	struct weak_duplicate *own = allocate(count + 1, sizeof(*own));
	size_t found = 0;
	bool good;
	size_t i;

	for (i = 0; i < count; i++)
		own[i + 1] = next_own(&own[i], &extents[i]);
	good = own[count].counters == counters && own[count].bitmap == bitmaps;
	for (i = 0; i < count && good; i++)
		good = is_explained(own, extents, count, i);
	for (i = 0; i < count && good; i++)
		if (is_duplicate(&own[i], &extents[i]))
			own[found++] = own[i];
	if (found)
		*duplicates =
			(struct weak_duplicates){.list = own, .count = found, .list_heads = own[count].list_heads};
	else
		free(own);
	return found;
}

void weak_duplicates_free(struct weak_duplicates *duplicates)
{
	free(duplicates->list);
	*duplicates = (struct weak_duplicates){0};
}

const struct weak_duplicate *weak_duplicates_get(const struct weak_duplicates *duplicates, uint64_t index)
{
	size_t low = 0;
	size_t high = duplicates->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (duplicates->list[middle].index == index)
			return &duplicates->list[middle];
		if (duplicates->list[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
