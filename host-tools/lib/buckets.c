/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.c - the table that LLVM's on-disk hash table would have become. Readers
 * do not care for the order in a bucket, but files of the same content are then
 * the same bytes: names come in their order, each to the front of its bucket, and
 * the table doubles when it is three quarters full. Doubling takes the names over
 * bucket by bucket, from the front of each to the front of another: it turns the
 * order of those that stay together. So here names go to their last bucket at
 * once, and buckets are turned.
 */
#include "buckets.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS_LEAST 64u

static bool same_name(const struct function *a, const struct function *b)
{
	return a->reference == b->reference && a->name.size == b->name.size &&
	       (!a->name.size || !memcmp(a->name.data, b->name.data, a->name.size));
}

static void push(struct buckets *buckets, size_t bucket, uint32_t key)
{
	buckets->next[key - 1] = buckets->head[bucket];
	buckets->head[bucket] = key;
}

static void turn(struct buckets *buckets, size_t bucket)
{
	uint32_t key = buckets->head[bucket];

	buckets->head[bucket] = 0;
	while (key) {
		uint32_t next = buckets->next[key - 1];

		push(buckets, bucket, key);
		key = next;
	}
}

/* As many buckets as LLVM's table had in the end, names that it had taken over by then. */
static void fill(struct buckets *buckets)
{
	uint8_t *turns = allocate(buckets->size, sizeof(*turns)); /* odd or even, when last used */
	size_t size = BUCKETS_LEAST;
	uint8_t doubled = 0;
	size_t i;

	for (i = 0; i < buckets->keys; i++) {
		size_t bucket = buckets_of(buckets, i);

		if ((i + 1) * 4 >= size * 3) {
			size *= 2;
			doubled ^= 1;
		}
		if (turns[bucket] != doubled)
			turn(buckets, bucket);
		turns[bucket] = doubled;
		push(buckets, bucket, (uint32_t)i + 1);
	}
	for (i = 0; i < buckets->size; i++)
		if (turns[i] != doubled)
			turn(buckets, i);
	free(turns);
}

/* A table that never doubled is written with fewer buckets: they are taken over into those. */
static void shrink(struct buckets *buckets, size_t size)
{
	uint32_t *old = buckets->head;
	size_t i;

	buckets->head = allocate(size, sizeof(*buckets->head));
	buckets->size = size;
	for (i = 0; i < BUCKETS_LEAST; i++) {
		uint32_t key = old[i];

		while (key) {
			uint32_t next = buckets->next[key - 1];

			push(buckets, buckets_of(buckets, key - 1), key);
			key = next;
		}
	}
	free(old);
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
	size_t size;
	size_t i;

	*buckets = (struct buckets){.size = BUCKETS_LEAST};
	buckets->first = allocate(model->count + 1, sizeof(*buckets->first));
	buckets->slot = allocate(model->count, sizeof(*buckets->slot));
	buckets->next = allocate(model->count, sizeof(*buckets->next));
	for (i = 0; i < model->count; i++) {
		if (i && same_name(&functions[i - 1], &functions[i]))
			continue;
		buckets->first[buckets->keys] = (uint32_t)i;
		buckets->slot[buckets->keys++] = (uint32_t)functions[i].reference;
	}
	buckets->first[buckets->keys] = (uint32_t)model->count;
	size = final_size(buckets->keys);
	if (size > BUCKETS_LEAST)
		buckets->size = size;
	buckets->head = allocate(buckets->size, sizeof(*buckets->head));
	fill(buckets);
	if (size < buckets->size)
		shrink(buckets, size);
}

void buckets_free(struct buckets *buckets)
{
	free(buckets->first);
	free(buckets->slot);
	free(buckets->next);
	free(buckets->head);
	*buckets = (struct buckets){0};
}
