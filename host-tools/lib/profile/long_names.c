/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * long_names.c - a hash table from name hashes to names. The table needs no hash function, because a name hash is
 * already one half of an MD5.
 */
#include "long_names.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_MIN 16u

struct long_name {
	uint64_t reference;
	struct bytes name; /* empty: this slot is free */
};

/*
 * Returns the slot of the name hash @reference. If @reference is not in the table, returns the free slot in which it
 * can be stored.
 */
static struct long_name *find_slot(const struct long_names *names, uint64_t reference)
{
	size_t at = (size_t)reference;
	struct long_name *slot;

	do
		slot = &names->table[at++ & (names->size - 1)];
	while (slot->name.size && slot->reference != reference);
	return slot;
}

static void make_room(struct long_names *names)
{
	struct long_names old = *names;
	size_t i;

	if (names->count * 2 < names->size)
		return;
	names->size = old.size ? old.size * 2 : TABLE_MIN;
	names->table = allocate(names->size, sizeof(*names->table));
	for (i = 0; i < old.size; i++)
		if (old.table[i].name.size)
			*find_slot(names, old.table[i].reference) = old.table[i];
	free(old.table);
}

struct bytes long_names_keep(struct long_names *names, struct arena *arena, uint64_t reference, struct bytes name)
{
	struct long_name *slot;
	uint8_t *copy;

	make_room(names);
	slot = find_slot(names, reference);
	if (!slot->name.size) {
		copy = arena_take(arena, name.size);
		memcpy(copy, name.data, name.size);
		*slot = (struct long_name){reference, {copy, name.size}};
		names->count++;
	}
	return slot->name;
}

void long_names_free(struct long_names *names)
{
	free(names->table);
	*names = (struct long_names){0};
}
