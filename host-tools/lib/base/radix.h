/* SPDX-License-Identifier: BSD-2-Clause */
/* radix.h - sorts by numbers of 64 bits. For thousands of items, this is many times as fast as qsort(). */
#ifndef BAREPROF_HOST_RADIX_H
#define BAREPROF_HOST_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* Memory for radix_sort(). Starts as all zeros, can be used again, and ends with radix_free(). */
struct radix {
	uint32_t *spare;
	size_t room;
};

/*
 * radix_sort - sorts the @count indexes in @items by their keys: keys[items[i]]. Items with equal keys keep their order. To
 * sort by several keys, call it once for each key, the most important key last.
 */
void radix_sort(struct radix *radix, const uint64_t *keys, uint32_t *items, size_t count);

/*
 * radix_sort_equal - sorts each run of equal keys with @compare, as qsort_r() does, unless the run is sorted already. The
 * items must be sorted by their keys.
 */
void radix_sort_equal(const uint64_t *keys, uint32_t *items, size_t count,
	int (*compare)(const void *left, const void *right, void *context), void *context);
void radix_free(struct radix *radix);

#endif
