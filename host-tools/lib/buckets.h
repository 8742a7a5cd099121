/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buckets.h - the hash table of an indexed profile: which names lie in which
 * bucket, in which order.
 */
#ifndef BAREPROF_HOST_BUCKETS_H
#define BAREPROF_HOST_BUCKETS_H

#include "model.h"

/* One name: the functions from first up to end have it. */
struct bucket_key {
	uint32_t first;
	uint32_t end;
	uint32_t next; /* in its bucket: index + 1; 0: none */
	uint32_t slot; /* the lower half of the name's hash: its bucket is in there */
	uint64_t name_size; /* for the writer: of the name, */
	uint64_t size; /* and of its records */
};

struct buckets {
	struct bucket_key *key;
	size_t keys;
	uint32_t *head; /* of each bucket: index + 1; 0: empty */
	size_t size; /* buckets: a power of two */
	const struct model *model;
};

/* buckets_make - for a sorted @model, which must stay as it is; free with buckets_free(). */
void buckets_make(struct buckets *buckets, const struct model *model);
void buckets_free(struct buckets *buckets);

/* buckets_first, buckets_next - the names of a bucket in order; NULL at the end. */
const struct bucket_key *buckets_first(const struct buckets *buckets, size_t bucket);
const struct bucket_key *buckets_next(const struct buckets *buckets, const struct bucket_key *key);

#endif
