/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * add_options.h - options for adding the functions of an input to a model.
 */
#ifndef BAREPROF_HOST_ADD_OPTIONS_H
#define BAREPROF_HOST_ADD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct add_options {
	uint64_t weight; /* factor for every count; usually 1 */
	unsigned int shard; /* add only functions for which name hash % shards == shard */
	unsigned int shards; /* number of shards; 0: add all functions */
};

/* in_shard - returns whether the function with the name hash @reference belongs to the shard that @options selects. */
static inline bool in_shard(const struct add_options *options, uint64_t reference)
{
	return !options->shards || reference % options->shards == options->shard;
}

/*
 * is_first_shard - returns whether @options selects the first shard. Data that belongs to no
 * function is added only to the first shard.
 */
static inline bool is_first_shard(const struct add_options *options)
{
	return !options->shard;
}

#endif
