/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.h - the hash table of an indexed profile: which names lie in which
 * bucket, in which order.
 */
#ifndef BAREPROF_HOST_BUCKETS_H
#define BAREPROF_HOST_BUCKETS_H

#include "model.h"

/*
 * Names by number, in the order of the model. An array for each property and not
 * one of structures: making the table jumps about in two of them, which so stay
 * in the cache.
 */
struct buckets {
	uint32_t *first; /* the functions of name n are those from first[n] up to first[n + 1] */
	uint32_t *slot; /* the lower half of the name's hash: its bucket is in there */
	uint32_t *next; /* in its bucket: number + 1; 0: none */
	size_t keys; /* names */
	uint32_t *head; /* of each bucket: number + 1 of a name; 0: empty */
	size_t size; /* buckets: a power of two */
};

/* buckets_make - for a sorted @model, which must stay as it is; free with buckets_free(). */
void buckets_make(struct buckets *buckets, const struct model *model);
void buckets_free(struct buckets *buckets);

/* buckets_of - the bucket of name @key. */
static inline size_t buckets_of(const struct buckets *buckets, size_t key)
{
	return buckets->slot[key] & (buckets->size - 1);
}

#endif
