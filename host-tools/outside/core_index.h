/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_index.h - finds the bytes of a file with memory by their address. The segments of a damaged or hostile file can
 * overlap, and there can be a million of them.
 */
#ifndef BAREPROF_HOST_CORE_INDEX_H
#define BAREPROF_HOST_CORE_INDEX_H

#include "bytes.h"

/* Memory that the file has in one piece. */
struct core_part {
	uint64_t address;
	uint64_t size;
	uint64_t offset; /* in the file */
};

/* Starts as all zeros. The caller frees @parts. */
struct core_index {
	struct core_part *parts;
	size_t count;
	size_t room;
};

/*
 * core_index_add - adds @part, unless it has no size. Memory beyond the last address is left out.
 * core_index_sort - sorts the parts by address after the last one was added. Of parts that overlap, the one that begins first
 * has the memory that they share. What is cut from the others is added to @shared, unless @shared is NULL. Parts that follow
 * each other in memory and in the file become one.
 * core_index_find - returns the part that contains @address, or NULL. Takes logarithmic time.
 * core_index_next - returns the part that contains @address, or else the first one after it, or NULL.
 */
void core_index_add(struct core_index *index, struct core_part part);
void core_index_sort(struct core_index *index, struct core_index *shared);
const struct core_part *core_index_next(const struct core_index *index, uint64_t address);
const struct core_part *core_index_find(const struct core_index *index, uint64_t address);

#endif
