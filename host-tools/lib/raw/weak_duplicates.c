/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.c - the counters of each record begin where those of the record before it
 * end. Who says otherwise is a double if they are those of another one of its name,
 * which says what is so.
 */
#include "weak_duplicates.h"

#include <stdlib.h>

/* Where the next record's own begin. The sizes have 32 bits each: no overflow. */
static struct weak_duplicate behind(const struct weak_duplicate *own, const struct record_extents *extent)
{
	return (struct weak_duplicate){.index = own->index + 1,
		.counters = own->counters + extent->counters.size,
		.bitmap = own->bitmap + extent->bitmap.size,
		.list_heads = own->list_heads + extent->sites};
}

static uint64_t start_of(const struct weak_duplicate *own, bool bitmap)
{
	return bitmap ? own->bitmap : own->counters;
}

/* The last record whose own begin at @at or before. Of those without a bitmap none comes behind one that has it. */
static size_t holder(const struct weak_duplicate *own, size_t count, uint64_t at, bool bitmap)
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

/* Does record @index say of its counters, or its bitmap, that they are those of *@prevailing, which says so too? */
static bool shares(const struct weak_duplicate *own, const struct record_extents *extents, size_t count, size_t index,
	bool bitmap, uint64_t *prevailing)
{
	const struct extent *stated = bitmap ? &extents[index].bitmap : &extents[index].counters;
	size_t other = holder(own, count, stated->address, bitmap);
	const struct extent *its = bitmap ? &extents[other].bitmap : &extents[other].counters;

	*prevailing = other;
	return extents[other].name == extents[index].name && its->size && its->address == stated->address &&
	       start_of(&own[other], bitmap) == stated->address;
}

static bool is_double(const struct weak_duplicate *own, const struct record_extents *extent)
{
	return extent->counters.address != own->counters;
}

/* What record @index says is so, or it is a double. */
static bool explained(struct weak_duplicate *own, const struct record_extents *extents, size_t count, size_t index)
{
	const struct extent *bitmap = &extents[index].bitmap;
	bool twice = is_double(&own[index], &extents[index]);
	uint64_t unused;

	if (twice && !shares(own, extents, count, index, false, &own[index].prevailing))
		return false;
	return !bitmap->size || bitmap->address == own[index].bitmap ||
	       (twice && shares(own, extents, count, index, true, &unused));
}

bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps)
{
	struct weak_duplicate *own = allocate(count + 1, sizeof(*own));
	size_t found = 0;
	bool good;
	size_t i;

	for (i = 0; i < count; i++)
		own[i + 1] = behind(&own[i], &extents[i]);
	good = own[count].counters == counters && own[count].bitmap == bitmaps;
	for (i = 0; i < count && good; i++)
		good = explained(own, extents, count, i);
	for (i = 0; i < count && good; i++)
		if (is_double(&own[i], &extents[i]))
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
