/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doubles.c - the counters of each record begin where those of the record before it
 * end. Who says otherwise is a double if they are those of another one of its name,
 * which says what is so.
 */
#include "weak_duplicates.h"

#include <stdlib.h>

/* Where the next record's own begin. The sizes have 32 bits each: no overflow. */
static struct own behind(const struct own *own, const struct claim *claim)
{
	return (struct own){.index = own->index + 1,
		.counters = own->counters + claim->counters.size,
		.bitmap = own->bitmap + claim->bitmap.size,
		.heads = own->heads + claim->sites};
}

static uint64_t start_of(const struct own *own, bool bitmap)
{
	return bitmap ? own->bitmap : own->counters;
}

/* The last record whose own begin at @at or before. Of those without a bitmap none comes behind one that has it. */
static size_t holder(const struct own *own, size_t count, uint64_t at, bool bitmap)
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

/* Does record @index say of its counters, or its bitmap, that they are those of *@used, which says so too? */
static bool shares(
	const struct own *own, const struct claim *claims, size_t count, size_t index, bool bitmap, uint64_t *used)
{
	const struct extent *claimed = bitmap ? &claims[index].bitmap : &claims[index].counters;
	size_t other = holder(own, count, claimed->address, bitmap);
	const struct extent *its = bitmap ? &claims[other].bitmap : &claims[other].counters;

	*used = other;
	return claims[other].name == claims[index].name && its->size && its->address == claimed->address &&
	       start_of(&own[other], bitmap) == claimed->address;
}

static bool is_double(const struct own *own, const struct claim *claim)
{
	return claim->counters.address != own->counters;
}

/* What record @index says is so, or it is a double. */
static bool explained(struct own *own, const struct claim *claims, size_t count, size_t index)
{
	const struct extent *bitmap = &claims[index].bitmap;
	bool twice = is_double(&own[index], &claims[index]);
	uint64_t unused;

	if (twice && !shares(own, claims, count, index, false, &own[index].used))
		return false;
	return !bitmap->size || bitmap->address == own[index].bitmap ||
	       (twice && shares(own, claims, count, index, true, &unused));
}

bool doubles_find(
	struct doubles *doubles, const struct claim *claims, size_t count, uint64_t counters, uint64_t bitmaps)
{
	struct own *own = allocate(count + 1, sizeof(*own));
	size_t found = 0;
	bool good;
	size_t i;

	for (i = 0; i < count; i++)
		own[i + 1] = behind(&own[i], &claims[i]);
	good = own[count].counters == counters && own[count].bitmap == bitmaps;
	for (i = 0; i < count && good; i++)
		good = explained(own, claims, count, i);
	for (i = 0; i < count && good; i++)
		if (is_double(&own[i], &claims[i]))
			own[found++] = own[i];
	if (found)
		*doubles = (struct doubles){.list = own, .count = found, .heads = own[count].heads};
	else
		free(own);
	return found;
}

void doubles_free(struct doubles *doubles)
{
	free(doubles->list);
	*doubles = (struct doubles){0};
}

const struct own *doubles_own(const struct doubles *doubles, uint64_t index)
{
	size_t low = 0;
	size_t high = doubles->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (doubles->list[middle].index == index)
			return &doubles->list[middle];
		if (doubles->list[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
