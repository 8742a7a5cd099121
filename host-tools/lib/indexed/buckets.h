/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.h - the hash table of an indexed profile: which names lie in which
 * bucket, in which order.
 */
#ifndef BAREPROF_HOST_BUCKETS_H
#define BAREPROF_HOST_BUCKETS_H

#include "model.h"

/* Names by number, in the order of the model. */
struct buckets {
	uint32_t *first; /* the functions of name n are those from first[n] up to first[n + 1] */
	uint32_t *slot; /* the lower half of the name's hash: its bucket is in there */
	size_t keys; /* names */
	uint32_t *order; /* all names, bucket after bucket */
	uint32_t *start; /* those of bucket b are order[start[b]] up to order[start[b + 1]] */
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
