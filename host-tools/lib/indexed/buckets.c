/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.c - builds the hash table in the order in which LLVM's writer would have built it.
 * Readers accept any order within a bucket, but only this order gives the same bytes as
 * llvm-profdata for the same content.
 *
 * LLVM pushes each name to the front of its bucket. When the table is three quarters full, it
 * doubles: LLVM walks each old bucket from the front and pushes every name to the front of its
 * new bucket. So names that stay in one bucket are in reverse order after that. This file does
 * not move names at a doubling. It puts each name into its final bucket at once and reverses
 * buckets instead, once for each doubling. An example with an old bucket that becomes x and y,
 * where a, c and d belong to x and b belongs to y:
 *
 *	                     LLVM                     here
 *	push a, b, c         [c b a]                  x [c a]     y [b]
 *	the table doubles    x [a c]     y [b]        x [a c]     y [b]
 *	push d               x [d a c]   y [b]        x [d a c]   y [b]
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
 * While the table grows, each bucket is a linked list of keys. A key is the number of a name plus
 * 1; 0 ends a list. The lists are two arrays and not an array of structures, because growing
 * accesses them in random order, and more of two small arrays stays in the cache.
 */
struct lists {
	uint32_t *head; /* the first key of each bucket */
	uint32_t *next; /* the key that follows each key in its list */
};

static void push(struct lists *lists, size_t bucket, uint32_t key)
{
	lists->next[key - 1] = lists->head[bucket];
	lists->head[bucket] = key;
}

/*
 * Moves the names of the list that starts with @key to @buckets: from the first to the last, each
 * one to the front of its new bucket.
 */
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

/*
 * Inserts all names into their final buckets. A bucket is reversed only when the next name is
 * pushed to it, and at the end: two reversals cancel each other, so only whether the number of
 * doublings since the last push is odd or even matters.
 */
static void insert_names(const struct buckets *buckets, struct lists *lists)
{
	/* For each bucket: the value of @odd when the names in it were last in LLVM's order. */
	uint8_t *reversed = allocate(buckets->size, sizeof(*reversed));
	size_t size = BUCKETS_MIN;
	uint8_t odd = 0; /* 1 if the number of doublings so far is odd */
	size_t i;

	for (i = 0; i < buckets->keys; i++) {
		size_t bucket = buckets_of(buckets, i);

		if ((i + 1) * 4 >= size * 3) {
			size *= 2;
			odd ^= 1;
		}
		if (reversed[bucket] != odd)
			reverse_bucket(buckets, lists, bucket);
		reversed[bucket] = odd;
		push(lists, bucket, (uint32_t)i + 1);
	}
	for (i = 0; i < buckets->size; i++)
		if (reversed[i] != odd)
			reverse_bucket(buckets, lists, i);
	free(reversed);
}

/*
 * If LLVM's table never doubled, LLVM writes it with fewer buckets than it started with, and
 * moves the names to them as it does when it doubles.
 */
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

/*
 * Returns LLVM's final number of buckets: 1 for up to two names, for more names the smallest
 * power of two above 4/3 of their number.
 */
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
