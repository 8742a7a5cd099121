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

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS_MIN 64u

static bool same_name(const struct function *a, const struct function *b)
{
	return a->reference == b->reference && a->name.size == b->name.size &&
	       (!a->name.size || !memcmp(a->name.data, b->name.data, a->name.size));
}

/*
 * While the table grows, each bucket is a list. Arrays for each property and not one
 * of structures: growing jumps about in them, and so they stay in the cache.
 */
struct lists {
	uint32_t *head; /* of each bucket: number + 1 of a name; 0: empty */
	uint32_t *next; /* in its bucket, likewise */
};

static void push(struct lists *lists, size_t bucket, uint32_t key)
{
	lists->next[key - 1] = lists->head[bucket];
	lists->head[bucket] = key;
}

/* Take each name from the front of the list @key to the front of its bucket. */
static void take_over(const struct buckets *buckets, struct lists *lists, uint32_t key)
{
	while (key) {
		uint32_t next = lists->next[key - 1];

		push(lists, buckets_of(buckets, key - 1), key);
		key = next;
	}
}

static void reverse_bucket(const struct buckets *buckets, struct lists *lists, size_t bucket)
{
	uint32_t key = lists->head[bucket];

	lists->head[bucket] = 0;
	take_over(buckets, lists, key);
}

/* Put all names where they are in the end, and turn buckets as often as they were taken over. */
static void insert_names(const struct buckets *buckets, struct lists *lists)
{
	uint8_t *turns = allocate(buckets->size, sizeof(*turns)); /* odd or even, when last used */
	size_t size = BUCKETS_MIN;
	uint8_t doubled = 0;
	size_t i;

	for (i = 0; i < buckets->keys; i++) {
		size_t bucket = buckets_of(buckets, i);

		if ((i + 1) * 4 >= size * 3) {
			size *= 2;
			doubled ^= 1;
		}
		if (turns[bucket] != doubled)
			reverse_bucket(buckets, lists, bucket);
		turns[bucket] = doubled;
		push(lists, bucket, (uint32_t)i + 1);
	}
	for (i = 0; i < buckets->size; i++)
		if (turns[i] != doubled)
			reverse_bucket(buckets, lists, i);
	free(turns);
}

/* A table that never doubled is written with fewer buckets: they are taken over into those. */
static void shrink(struct buckets *buckets, struct lists *lists, size_t size)
{
	uint32_t *old = lists->head;
	size_t i;

	lists->head = allocate(size, sizeof(*lists->head));
	buckets->size = size;
	for (i = 0; i < BUCKETS_MIN; i++)
		take_over(buckets, lists, old[i]);
	free(old);
}

static void put_in_order(struct buckets *buckets, const struct lists *lists)
{
	uint32_t count = 0;
	uint32_t key;
	size_t i;

	buckets->order = allocate(buckets->keys, sizeof(*buckets->order));
	buckets->start = allocate(buckets->size + 1, sizeof(*buckets->start));
	for (i = 0; i < buckets->size; i++) {
		buckets->start[i] = count;
		for (key = lists->head[i]; key; key = lists->next[key - 1])
			buckets->order[count++] = key - 1;
	}
	buckets->start[buckets->size] = count;
	assert(count == buckets->keys);
}

/* The final size: as few buckets as leave a quarter free. */
static size_t final_size(size_t keys)
{
	size_t size = 1;

	while (keys > 2 && size <= keys * 4 / 3)
		size *= 2;
	return size;
}

static void find_names(struct buckets *buckets, const struct model *model)
{
	const struct function *functions = model->functions;
	size_t i;

	buckets->first = allocate(model->count + 1, sizeof(*buckets->first));
	buckets->slot = allocate(model->count, sizeof(*buckets->slot));
	for (i = 0; i < model->count; i++) {
		if (i && same_name(&functions[i - 1], &functions[i]))
			continue;
		buckets->first[buckets->keys] = (uint32_t)i;
		buckets->slot[buckets->keys++] = (uint32_t)functions[i].reference;
	}
	buckets->first[buckets->keys] = (uint32_t)model->count;
}

void buckets_make(struct buckets *buckets, const struct model *model)
{
	struct lists lists;
	size_t size;

	*buckets = (struct buckets){0};
	find_names(buckets, model);
	size = final_size(buckets->keys);
	buckets->size = size > BUCKETS_MIN ? size : BUCKETS_MIN;
	lists.head = allocate(buckets->size, sizeof(*lists.head));
	lists.next = allocate(buckets->keys, sizeof(*lists.next));
	insert_names(buckets, &lists);
	if (size < buckets->size)
		shrink(buckets, &lists, size);
	put_in_order(buckets, &lists);
	free(lists.head);
	free(lists.next);
}

void buckets_free(struct buckets *buckets)
{
	free(buckets->first);
	free(buckets->slot);
	free(buckets->order);
	free(buckets->start);
	*buckets = (struct buckets){0};
}
