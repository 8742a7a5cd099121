/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_stacks.h - the stacks of functions in which samples were taken, with inlined functions. */
#ifndef BAREPROF_HOST_SAMPLE_STACKS_H
#define BAREPROF_HOST_SAMPLE_STACKS_H

#include "sample_report.h"

/* Samples with one stack of functions. */
struct sample_stack {
	size_t first; /* index of the outermost function in sample_stacks.frames */
	size_t depth; /* number of functions, at least 1 */
	uint64_t count;
};

/* All stacks. sample_stacks_free() frees it. */
struct sample_stacks {
	struct sample_stack *list; /* sorted by the names of the functions, from the outermost on; none is equal */
	size_t count;
	size_t *frames; /* for each function of each stack, the index of its name in @names */
	size_t frame_count;
	size_t frame_room;
	const char **names; /* sorted, each once */
	size_t name_count;
	struct arena arena;
};

/* sample_stacks_make - fills in @stacks. The lines of all addresses come from @lines, in the order of @addresses. */
void sample_stacks_make(struct sample_stacks *stacks, const struct sample_report *report,
	const struct sample_lines *lines, const uint64_t *addresses);
void sample_stacks_free(struct sample_stacks *stacks);

/*
 * sample_addresses - returns all addresses that the stacks of @report need, sorted, each once. Sets *@count to their
 * number. The caller frees the result.
 */
uint64_t *sample_addresses(const struct sample_report *report, size_t *count);

/* sample_address_index - returns the index of @address in the sorted list of @count addresses that contains it. */
size_t sample_address_index(const uint64_t *addresses, size_t count, uint64_t address);

#endif
