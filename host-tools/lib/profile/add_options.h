/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * add_options.h - how the functions of an input are added to a model.
 */
#ifndef BAREPROF_HOST_ADD_OPTIONS_H
#define BAREPROF_HOST_ADD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct add_options {
	uint64_t weight; /* multiplies every count; usually 1 */
	unsigned int shard; /* keep functions with reference % shards == shard */
	unsigned int shards; /* 0: keep all functions */
};

/* in_shard - returns whether the function with @reference is in this shard. */
static inline bool in_shard(const struct add_options *options, uint64_t reference)
{
	return !options->shards || reference % options->shards == options->shard;
}

/* is_first_shard - returns whether this shard is the one that gets the data that belongs to no function. */
static inline bool is_first_shard(const struct add_options *options)
{
	return !options->shard;
}

#endif
