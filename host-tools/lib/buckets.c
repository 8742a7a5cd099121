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
	return a->name.size == b->name.size && (!a->name.size || !memcmp(a->name.data, b->name.data, a->name.size));
}

static void push(struct buckets *buckets, uint32_t *head, size_t size, uint32_t index)
{
	struct bucket_key *key = &buckets->key[index - 1];
	uint32_t *front = &head[key->slot & (size - 1)];

	key->next = *front;
	*front = index;
}

/* Take the names over, bucket by bucket from the front of each. */
static void resize(struct buckets *buckets, size_t size)
{
	uint32_t *head = allocate(size, sizeof(*head));
	size_t i;

	for (i = 0; i < buckets->size; i++) {
		uint32_t index = buckets->head[i];

		while (index) {
			uint32_t next = buckets->key[index - 1].next;

			push(buckets, head, size, index);
			index = next;
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
	size_t i;

	*buckets = (struct buckets){.model = model, .size = BUCKETS_LEAST};
	buckets->head = allocate(buckets->size, sizeof(*buckets->head));
	buckets->key = allocate(model->count, sizeof(*buckets->key));
	for (i = 0; i < model->count;) {
		struct bucket_key *key = &buckets->key[buckets->keys++];

		key->first = (uint32_t)i;
		key->slot = (uint32_t)model->functions[i].reference;
		do
			i++;
		while (i < model->count && same_name(&model->functions[key->first], &model->functions[i]));
		key->end = (uint32_t)i;
		if (buckets->keys * 4 >= buckets->size * 3)
			resize(buckets, buckets->size * 2);
		push(buckets, buckets->head, buckets->size, (uint32_t)buckets->keys);
	}
	if (final_size(buckets->keys) != buckets->size)
		resize(buckets, final_size(buckets->keys));
}

void buckets_free(struct buckets *buckets)
{
	free(buckets->key);
	free(buckets->head);
	*buckets = (struct buckets){0};
}

static const struct bucket_key *at(const struct buckets *buckets, uint32_t index)
{
	return index ? &buckets->key[index - 1] : NULL;
}

const struct bucket_key *buckets_first(const struct buckets *buckets, size_t bucket)
{
	return at(buckets, buckets->head[bucket]);
}

const struct bucket_key *buckets_next(const struct buckets *buckets, const struct bucket_key *key)
{
	return at(buckets, key->next);
}
