/* SPDX-License-Identifier: BSD-2-Clause */
/* mapping_functions.c - looks up the functions of many records at the same time, because a search mostly waits for memory. */
#include "mapping_functions.h"

#include <stdlib.h>

/* The number of records whose functions are looked up at the same time. */
#define BATCH 64u

struct function **mapping_functions(const struct mapping *mapping, struct model *model, bool renamed)
{
	struct function **found = allocate(mapping->record_count, sizeof(struct function *));
	struct model_key keys[BATCH];
	size_t first;

	for (first = 0; first < mapping->record_count; first += BATCH) {
		size_t count = mapping->record_count - first < BATCH ? mapping->record_count - first : BATCH;
		size_t i;

		for (i = 0; i < count; i++) {
			const struct mapping_record *record = &mapping->records[first + i];
			const struct mapping_rename *rename = renamed ? mapping_renamed(mapping, record->name) : NULL;

			keys[i] = (struct model_key){rename ? rename->now : record->name, record->hash};
		}
		model_find_each(model, keys, count, found + first);
	}
	return found;
}
