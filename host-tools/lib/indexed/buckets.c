/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.c - builds the hash table in the order in which LLVM's writer would have built it. Readers accept any order
 * within a bucket, but only this order gives the same bytes as llvm-profdata for the same content.
 *
 * LLVM pushes each name to the front of its bucket. When the table is three quarters full, LLVM doubles the number of
 * buckets. Then LLVM walks each old bucket from the front, and pushes every name to the front of its new bucket.
 * Afterwards, the names that stay together in a bucket are in reverse order.
 *
 * This file does not move names at a doubling. It puts each name into its final bucket at once, and only reverses the
 * buckets, once for each doubling.
 *
 * For example, the names a, b and c are pushed in this order, and LLVM puts all of them into the bucket [c b a]. When
 * the table doubles, this bucket is divided into the buckets x and y. The names a and c belong to x, so LLVM pushes
 * first c and then a to x, which becomes [a c]. The name b belongs to y, which becomes [b]. This file pushes a and c to
 * x from the start, so x is [c a] and y is [b]. At the doubling, this file reverses both buckets, so x becomes [a c],
 * as in LLVM.
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
 * While the table grows, each bucket is a linked list of keys. A key is the number of a name plus 1, and the key 0 ends
 * a list. The lists are stored in two arrays instead of an array of structures. Names are accessed in random order, and
 * a larger part of a small array stays in the cache.
 */
struct lists {
	uint32_t *head; /* the first key of each bucket */
	uint32_t *next; /* one entry for each name: the key that follows the key of this name in its list */
};

static void push(struct lists *lists, size_t bucket, uint32_t key)
{
	lists->next[key - 1] = lists->head[bucket];
	lists->head[bucket] = key;
}

/*
 * Moves the names of the list that starts with @key into their buckets. The names are moved in the
 * order of the list, and each name is pushed to the front of its bucket.
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
 * Inserts all names into their final buckets. A bucket is not reversed at each doubling, but only
 * before the next name is pushed to it, and at the end. Two reversals cancel each other. Therefore
 * a bucket is reversed only if the number of doublings since the last push is odd.
 */
static void insert_names(const struct buckets *buckets, struct lists *lists)
{
	/*
	 * One entry for each bucket: the value that @odd had when the names of the bucket were last
	 * in LLVM's order.
	 */
	uint8_t *reversed = allocate(buckets->size, sizeof(*reversed));
	size_t size = BUCKETS_MIN;
	uint8_t odd = 0; /* 1: the number of doublings so far is odd */
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
 * Reduces the table to @size buckets. LLVM does the same when it writes a table that never doubled,
 * because such a table has more buckets than it needs. The names are moved in the same way as at a
 * doubling.
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
 * Returns the number of buckets that LLVM writes for @keys names. For at most 2 names this is 1.
 * For more names it is the smallest power of two above 4/3 of their number.
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
