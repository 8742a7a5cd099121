/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_map.c - sorted lists of addresses. A binary search finds an address in such a list.
 */
#include "address_map.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
	const struct address *a = left;
	const struct address *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->reference > b->reference) - (a->reference < b->reference);
}

/*
 * Sorts the list. If several entries have the same start address, keeps only the first of them.
 * Returns the number of entries that are left.
 */
static size_t sort_out(struct address *list, size_t count)
{
	size_t kept = 0;
	size_t i = 1;

	/* Usually no sort is needed, because the functions are in memory in the order of their records. */
	while (i < count && compare(&list[i - 1], &list[i]) <= 0)
		i++;
	if (i < count)
		qsort(list, count, sizeof(*list), compare);
	for (i = 0; i < count; i++)
		if (!i || list[i].start != list[i - 1].start)
			list[kept++] = list[i];
	return kept;
}

static void read_functions(struct address_map *addresses, const struct raw_profile *profile)
{
	struct raw_function function;
	struct error unused;
	uint64_t i;

	addresses->function = allocate((size_t)profile->records, sizeof(*addresses->function));
	for (i = 0; i < profile->records; i++)
		if (raw_function(profile, i, &function, &unused) == STATUS_OK && function.address)
			addresses->function[addresses->functions++] =
				(struct address){function.address, 1, function.name};
	addresses->functions = sort_out(addresses->function, addresses->functions);
}

static void read_vtables(struct address_map *addresses, const struct raw_profile *profile)
{
	struct bytes section = profile->section[BAREPROF_VTAB];
	size_t size = BAREPROF_VTABLE_SIZE(profile->width);
	size_t i;

	addresses->vtables = section.size / size;
	addresses->vtable = allocate(addresses->vtables, sizeof(*addresses->vtable));
	for (i = 0; i < addresses->vtables; i++) {
		const uint8_t *record = section.data + i * size;

		addresses->vtable[i].reference = load_uint(record, 8, profile->big);
		addresses->vtable[i].start = load_uint(record + 8, profile->width, profile->big);
		addresses->vtable[i].size = load_uint(record + 8 + profile->width, 4, profile->big);
	}
	addresses->vtables = sort_out(addresses->vtable, addresses->vtables);
}

void address_map_read(struct address_map *addresses, const struct raw_profile *profile)
{
	/* The map is used only to look up values, so the map is not needed if the profile has no values. */
	if (!profile->values.size)
		return;
	read_functions(addresses, profile);
	read_vtables(addresses, profile);
}

void address_map_free(struct address_map *addresses)
{
	free(addresses->function);
	free(addresses->vtable);
	*addresses = (struct address_map){0};
}

/* Returns the last entry that starts at or before @address, or NULL if there is none. */
static const struct address *at_or_before(const struct address *list, size_t count, uint64_t address)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &list[low - 1] : NULL;
}

uint64_t address_map_function(const struct address_map *addresses, uint64_t address)
{
	const struct address *found = at_or_before(addresses->function, addresses->functions, address);

	return found && found->start == address ? found->reference : 0;
}

uint64_t address_map_vtable(const struct address_map *addresses, uint64_t address)
{
	const struct address *found = at_or_before(addresses->vtable, addresses->vtables, address);

	/*
	 * The address directly after a vtable still belongs to that vtable, because the address point of a vtable may
	 * be after the last entry of the vtable.
	 */
	return found && address - found->start <= found->size ? found->reference : 0;
}
