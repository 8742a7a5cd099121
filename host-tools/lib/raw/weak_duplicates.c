/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weak_duplicates.c - finds records that point to the counters of another record. The linker places the counters of all
 * records in the order of the records. Therefore a record's own counters start where the own counters of the previous
 * record end. A record that points to other counters is a weak duplicate under two conditions. First, these counters
 * are another record's own counters. Second, that other record has the same name and also points to these counters. In
 * this example there are two definitions of A, and the linker took the first one:
 *
 *	records           A         B         A'        C
 *	own counters      |----A----|----B----|----A'---|----C----|
 *	points to         A         B         A         C
 *
 * A' is the weak duplicate, and A is the prevailing definition. Bitmaps have the same order.
 */
#include "weak_duplicates.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/* The data of one record in one of the two sections, counters or bitmaps. */
struct part {
	uint64_t own; /* offset of the record's own bytes */
	struct extent target; /* the bytes to which the record points */
};

/* For each record, its part of the section of counters and its part of the bitmap section. */
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
 * Returns the last record whose own bytes start at or before @offset. Several records can have the same start if they
 * have no bytes of their own, for example no bitmap. Only the last of them can have bytes.
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
 * Returns the prevailing definition of record @index. Record @index points to bytes of another record. That other
 * record is the prevailing definition if both records have the same name, and if both records point to the start of the
 * other record's own bytes. Otherwise returns NONE. @part is parts->counters or parts->bitmaps.
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
 * Returns whether record @index has no fault. A record has no fault if it points to its own bytes in both sections, or
 * if it is a weak duplicate. For a weak duplicate, sets *@prevailing to the index of the prevailing definition.
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
 * Returns the start of the next record's own data. @own is the start of a record's own data, and @extents are the
 * extents to which that record points. The sums cannot overflow, because each size has only 32 bits.
 */
static struct weak_duplicate next_own(const struct weak_duplicate *own, const struct record_extents *extents)
{
	return (struct weak_duplicate){.index = own->index + 1,
		.counters = own->counters + extents->counters.size,
		.bitmap = own->bitmap + extents->bitmap.size,
		.list_heads = own->list_heads + extents->sites};
}

/*
 * Stores in @own the start of each record's own data, and in own[count] the end of the last record's own data.
 */
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
	/* The list of weak duplicates is written over the list of all records. */
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
