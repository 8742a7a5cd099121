/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites.c - copies and merges value sites. To merge two sites, their values are sorted first.
 */
#include "sites.h"
#include "bytes.h"
#include "count.h"

#include <stdlib.h>
#include <string.h>

/* At most this many values are sorted by insertion. LLVM's runtime stores about this many values for each site. */
#define FEW 16u

/* Sorts a few values by insertion, without allocating memory. */
static void insert_values(struct value *values, size_t count, bool (*before)(struct value, struct value))
{
	size_t i;

	for (i = 1; i < count; i++) {
		struct value value = values[i];
		size_t at = i;

		for (; at && before(value, values[at - 1]); at--)
			values[at] = values[at - 1];
		values[at] = value;
	}
}

/*
 * Sorts values. Values that are equal must keep their order. qsort() does not guarantee this, so a
 * merge sort is used.
 */
static void sort_values(struct value *values, size_t count, bool (*before)(struct value, struct value))
{
	struct value *from = values;
	struct value *to;
	struct value *spare;
	size_t width;

	if (count <= FEW) {
		insert_values(values, count, before);
		return;
	}
	spare = to = allocate(count, sizeof(*to));
	for (width = 1; width < count; width *= 2) {
		struct value *done = to;
		size_t start;

		for (start = 0; start < count; start += 2 * width) {
			size_t middle = start + width < count ? start + width : count;
			size_t end = middle + width < count ? middle + width : count;
			size_t a = start;
			size_t b = middle;
			size_t at = start;

			while (a < middle || b < end)
				to[at++] =
					b >= end || (a < middle && !before(from[b], from[a])) ? from[a++] : from[b++];
		}
		to = from;
		from = done;
	}
	if (from != values)
		memcpy(values, from, count * sizeof(*values));
	free(spare);
}

static bool smaller_value(struct value a, struct value b)
{
	return a.value < b.value;
}

static bool larger_count(struct value a, struct value b)
{
	return a.count > b.count;
}

struct sites *sites_copy(const struct sites *sites, uint64_t weight, bool *overflow)
{
	struct sites *copy = allocate(1, sizeof(*copy));
	unsigned int kind;
	uint32_t i;
	size_t j;

	for (kind = 0; kind < PROFILE_KINDS; kind++) {
		if (!sites->count[kind])
			continue;
		copy->count[kind] = sites->count[kind];
		copy->site[kind] = allocate(sites->count[kind], sizeof(struct site));
		for (i = 0; i < sites->count[kind]; i++) {
			const struct site *from = &sites->site[kind][i];
			struct site *to = &copy->site[kind][i];

			if (!from->count)
				continue;
			*to = (struct site){allocate(from->count, sizeof(*to->values)), from->count};
			for (j = 0; j < from->count; j++)
				to->values[j] = (struct value){
					from->values[j].value, count_scale(from->values[j].count, weight, overflow)};
		}
	}
	return copy;
}

void sites_clear(struct sites *sites)
{
	unsigned int kind;
	uint32_t i;

	for (kind = 0; kind < PROFILE_KINDS; kind++) {
		for (i = 0; i < sites->count[kind]; i++)
			free(sites->site[kind][i].values);
		free(sites->site[kind]);
	}
	*sites = (struct sites){0};
}

void sites_forget(struct sites *sites)
{
	unsigned int kind;
	uint32_t i;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		for (i = 0; i < sites->count[kind]; i++) {
			free(sites->site[kind][i].values);
			sites->site[kind][i] = (struct site){0};
		}
}

void sites_free(struct sites *sites)
{
	if (sites)
		sites_clear(sites);
	free(sites);
}

bool sites_any(const struct sites *sites)
{
	return sites->count[0] || sites->count[1] || sites->count[2];
}

bool sites_same(const struct sites *a, const struct sites *b)
{
	unsigned int kind;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		if (a->count[kind] != b->count[kind])
			return false;
	return true;
}

bool sites_more(const struct sites *a, const struct sites *b)
{
	unsigned int kind = 0;

	while (kind < PROFILE_KINDS - 1 && a->count[kind] == b->count[kind])
		kind++;
	return a->count[kind] > b->count[kind];
}

/*
 * Returns whether @into has all values in @added, and so needs no more memory for them. The values
 * in @into and @added must be sorted.
 */
static bool has_all(const struct site *into, const struct value *added, size_t count)
{
	size_t a = 0;
	size_t b;

	for (b = 0; b < count; b++, a++) {
		while (a < into->count && into->values[a].value < added[b].value)
			a++;
		if (a == into->count || into->values[a].value != added[b].value)
			return false;
	}
	return true;
}

static void add_counts(struct site *into, const struct value *added, size_t count, uint64_t weight, bool *overflow)
{
	size_t a = 0;
	size_t b;

	for (b = 0; b < count; b++, a++) {
		while (into->values[a].value != added[b].value)
			a++;
		into->values[a].count =
			count_add(into->values[a].count, count_scale(added[b].count, weight, overflow), overflow);
	}
}

static void merge_values(
	struct site *into, const struct value *added, size_t added_count, uint64_t weight, bool *overflow)
{
	struct value *merged = allocate(into->count + added_count, sizeof(*merged));
	size_t count = 0;
	size_t a = 0;
	size_t b = 0;

	while (a < into->count || b < added_count) {
		bool take_a = b >= added_count || (a < into->count && into->values[a].value <= added[b].value);
		bool take_b = a >= into->count || (b < added_count && added[b].value <= into->values[a].value);
		struct value value = take_a ? into->values[a++] : (struct value){added[b].value, 0};
		uint64_t more = take_b ? count_scale(added[b++].count, weight, overflow) : 0;

		/* If nothing is added to a count, it stays the same, even if it is above COUNT_MAX. */
		if (take_a && take_b)
			value.count = count_add(value.count, more, overflow);
		else
			value.count += more;
		merged[count++] = value;
	}
	free(into->values);
	*into = (struct site){merged, count};
}

static void merge_site(struct site *into, const struct site *from, uint64_t weight, bool *overflow)
{
	struct value few[FEW];
	struct value *added = from->count <= FEW ? few : allocate(from->count, sizeof(*added));

	if (from->count)
		memcpy(added, from->values, from->count * sizeof(*added));
	sort_values(added, from->count, smaller_value);
	sort_values(into->values, into->count, smaller_value);
	if (has_all(into, added, from->count))
		add_counts(into, added, from->count, weight, overflow);
	else
		merge_values(into, added, from->count, weight, overflow);
	if (added != few)
		free(added);
}

void sites_merge(struct sites *into, const struct sites *from, uint64_t weight, bool *overflow)
{
	unsigned int kind;
	uint32_t i;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		for (i = 0; i < into->count[kind]; i++)
			if (from->site[kind][i].count || into->site[kind][i].count > 1)
				merge_site(&into->site[kind][i], &from->site[kind][i], weight, overflow);
}

void sites_order(struct sites *sites)
{
	unsigned int kind;
	uint32_t i;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		for (i = 0; i < sites->count[kind]; i++) {
			struct site *site = &sites->site[kind][i];

			sort_values(site->values, site->count, larger_count);
			if (site->count > SITE_VALUES_MAX)
				site->count = SITE_VALUES_MAX;
		}
}
