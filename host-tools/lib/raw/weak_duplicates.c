/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.c - finds records that point to the counters of another record. The linker
 * places the counters of all records in the order of the records, so each record's own counters
 * start where those of the record before it end. A record that points elsewhere is a duplicate if
 * it points to the own counters of a record of the same name that points there too. An example
 * with two definitions of A, where the linker took the first one:
 *
 *	records           A         B         A'        C
 *	own counters      |----A----|----B----|----A'---|----C----|
 *	points to         A         B         A         C
 *
 * Here A' is the duplicate and A the prevailing definition. The same holds for bitmaps.
 */
#include "weak_duplicates.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/* The data of one record in one section, the counters or the bitmaps. */
struct part {
	uint64_t own; /* offset of the bytes of this record itself */
	struct extent target; /* the bytes that the record points to */
};

/* All records in both sections. */
struct parts {
	const struct record_extents *extents;
	size_t count;
	struct part *counters;
	struct part *bitmaps;
};

static bool points_to_own(const struct part *part)
{
	return part->target.address == part->own;
}

/*
 * Returns the last record whose own bytes start at or before @offset. If several start there,
 * all but the last one are empty.
 */
static size_t find_owner(const struct part *part, size_t count, uint64_t offset)
{
	size_t low = 0;
	size_t high = count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (part[middle].own <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Record @index points to bytes that another record owns. Returns that owner if it has the same name,
 * and itself points to its own bytes, which start where @index points: then it is the prevailing
 * definition. Otherwise returns NONE. @part is one of the two arrays of @parts.
 */
static size_t find_prevailing(const struct parts *parts, const struct part *part, size_t index)
{
	size_t other = find_owner(part, parts->count, part[index].target.address);

	if (parts->extents[other].name != parts->extents[index].name || !part[other].target.size ||
		!points_to_own(&part[other]) || part[other].own != part[index].target.address)
		return NONE;
	return other;
}

/*
 * Returns whether record @index is sound: it points to its own bytes in both sections, or is a
 * weak duplicate. If it is a weak duplicate, *@prevailing becomes the record of the prevailing
 * definition.
 */
static bool is_explained(const struct parts *parts, size_t index, uint64_t *prevailing)
{
	bool duplicate = !points_to_own(&parts->counters[index]);

	if (duplicate) {
		size_t other = find_prevailing(parts, parts->counters, index);

		if (other == NONE)
			return false;
		*prevailing = other;
	}
	if (!parts->bitmaps[index].target.size || points_to_own(&parts->bitmaps[index]))
		return true;
	return duplicate && find_prevailing(parts, parts->bitmaps, index) != NONE;
}

/*
 * Returns the own parts of the next record. @own are the own parts of a record, and @extents its
 * extents. Sizes have 32 bits, so nothing overflows.
 */
static struct weak_duplicate next_own(const struct weak_duplicate *own, const struct record_extents *extents)
{
	return (struct weak_duplicate){.index = own->index + 1,
		.counters = own->counters + extents->counters.size,
		.bitmap = own->bitmap + extents->bitmap.size,
		.list_heads = own->list_heads + extents->sites};
}

/* Fills *@own with the own parts of each record, and own[count] with the ends of the parts of the last record. */
static void lay_out(struct parts *parts, struct weak_duplicate *own)
{
	size_t i;

	for (i = 0; i < parts->count; i++) {
		parts->counters[i] = (struct part){own[i].counters, parts->extents[i].counters};
		parts->bitmaps[i] = (struct part){own[i].bitmap, parts->extents[i].bitmap};
		own[i + 1] = next_own(&own[i], &parts->extents[i]);
	}
}

bool weak_duplicates_find(struct weak_duplicates *duplicates, const struct record_extents *extents, size_t count,
	uint64_t counters, uint64_t bitmaps)
{
	struct weak_duplicate *own = allocate(count + 1, sizeof(*own));
	struct parts parts = {.extents = extents,
		.count = count,
		.counters = allocate(count, sizeof(*parts.counters)),
		.bitmaps = allocate(count, sizeof(*parts.bitmaps))};
	size_t found = 0;
	bool explained;
	size_t i;

	lay_out(&parts, own);
	explained = own[count].counters == counters && own[count].bitmap == bitmaps;
	for (i = 0; i < count && explained; i++)
		explained = is_explained(&parts, i, &own[i].prevailing);
	/* The list of the duplicates overwrites the list of all records. */
	for (i = 0; i < count && explained; i++)
		if (!points_to_own(&parts.counters[i]))
			own[found++] = own[i];
	if (found)
		*duplicates =
			(struct weak_duplicates){.list = own, .count = found, .list_heads = own[count].list_heads};
	else
		free(own);
	free(parts.counters);
	free(parts.bitmaps);
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
