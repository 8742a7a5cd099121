/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.c - grow a table as LLVM's on-disk hash table does. Readers do not
 * care for the order in a bucket, but files of the same content are then the
 * same bytes: names come in their order, each to the front of its bucket, and
 * the table doubles when it is three quarters full.
 */
#include "buckets.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS_LEAST 64u

static bool same_name(const struct function *a, const struct function *b)
{
	return a->reference == b->reference && a->name.size == b->name.size && (!a->name.size || !memcmp(a->name.data, b->name.data, a->name.size));
}

static void push(struct buckets *buckets, uint32_t *head, size_t size, uint32_t key)
{
	uint32_t *front = &head[buckets->slot[key - 1] & (size - 1)];

	buckets->next[key - 1] = *front;
	*front = key;
}

/* Take the names over, bucket by bucket from the front of each. */
static void resize(struct buckets *buckets, size_t size)
{
	uint32_t *head = allocate(size, sizeof(*head));
	size_t i;

	for (i = 0; i < buckets->size; i++) {
		uint32_t key = buckets->head[i];

		while (key) {
			uint32_t next = buckets->next[key - 1];

			push(buckets, head, size, key);
			key = next;
		}
	}
	free(buckets->head);
	buckets->head = head;
	buckets->size = size;
}

/* The final size: as few buckets as leave a quarter free. */
static size_t final_size(size_t keys)
{
	size_t size = 1;

	while (keys > 2 && size <= keys * 4 / 3)
		size *= 2;
	return size;
}

void buckets_make(struct buckets *buckets, const struct model *model)
{
	const struct function *functions = model->functions;
	size_t i;

	*buckets = (struct buckets){.size = BUCKETS_LEAST};
	buckets->head = allocate(buckets->size, sizeof(*buckets->head));
	buckets->first = allocate(model->count + 1, sizeof(*buckets->first));
	buckets->slot = allocate(model->count, sizeof(*buckets->slot));
	buckets->next = allocate(model->count, sizeof(*buckets->next));
	for (i = 0; i < model->count; i++) {
		if (i && same_name(&functions[i - 1], &functions[i]))
			continue;
		buckets->first[buckets->keys] = (uint32_t)i;
		buckets->slot[buckets->keys] = (uint32_t)functions[i].reference;
		buckets->keys++;
		if (buckets->keys * 4 >= buckets->size * 3)
			resize(buckets, buckets->size * 2);
		push(buckets, buckets->head, buckets->size, (uint32_t)buckets->keys);
	}
	buckets->first[buckets->keys] = (uint32_t)model->count;
	if (final_size(buckets->keys) != buckets->size)
		resize(buckets, final_size(buckets->keys));
}

void buckets_free(struct buckets *buckets)
{
	free(buckets->first);
	free(buckets->slot);
	free(buckets->next);
	free(buckets->head);
	*buckets = (struct buckets){0};
}
