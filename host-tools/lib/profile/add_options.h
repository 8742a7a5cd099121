/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * add_options.h - how the functions of an input are added to a model.
 */
#ifndef BAREPROF_HOST_ADD_OPTIONS_H
#define BAREPROF_HOST_ADD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct add_options {
	uint64_t weight; /* of every count; 1 as a rule */
	unsigned int shard; /* keep functions whose reference % shards is this; */
	unsigned int shards; /* 0: all */
};

/* in_shard - is the function @reference in this shard? What belongs to no function goes to the first shard. */
static inline bool in_shard(const struct add_options *options, uint64_t reference)
{
	return !options->shards || reference % options->shards == options->shard;
}

static inline bool is_first_shard(const struct add_options *options)
{
	return !options->shard;
}

#endif
