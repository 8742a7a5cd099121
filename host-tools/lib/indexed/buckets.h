/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.h - the hash table of an indexed profile: the buckets, and the names in each bucket in
 * the order in which they are written.
 */
#ifndef BAREPROF_HOST_BUCKETS_H
#define BAREPROF_HOST_BUCKETS_H

#include "model.h"

/* The hash table. Each name has a number, in the order of the model. */
struct buckets {
	uint32_t *first; /* name n has the functions first[n] to first[n + 1] - 1 of the model */
	uint32_t *slot; /* lower half of the hash of each name; its lowest bits are the number of the bucket */
	size_t keys; /* number of names */
	uint32_t *order; /* numbers of all names: first the names of bucket 0, then those of bucket 1, and so on */
	uint32_t *start; /* bucket b has the names order[start[b]] to order[start[b + 1] - 1] */
	size_t size; /* number of buckets, a power of two */
};

/*
 * buckets_make - builds the table for @model, which must be sorted. @model must not change while
 * the table is used. The caller frees the table with buckets_free().
 */
void buckets_make(struct buckets *buckets, const struct model *model);
void buckets_free(struct buckets *buckets);

/* buckets_of - returns the number of the bucket to which name number @key belongs. */
static inline size_t buckets_of(const struct buckets *buckets, size_t key)
{
	return buckets->slot[key] & (buckets->size - 1);
}

#endif
