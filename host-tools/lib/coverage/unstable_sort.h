/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unstable_sort.h - sorts so that elements with equal keys end up in the order in which llvm-cov has them. llvm-cov
 * sorts with std::sort() of libstdc++, which changes the order of equal elements in a way that only depends on their
 * number and on the results of the comparisons.
 */
#ifndef BAREPROF_HOST_UNSTABLE_SORT_H
#define BAREPROF_HOST_UNSTABLE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Items are numbers, for example indexes in an array of the caller. */
struct unstable_sort {
	uint32_t *items;
	size_t count;
	/* below - returns whether @left must be before @right. It is called for pairs of items. */
	bool (*below)(const void *context, uint32_t left, uint32_t right);
	const void *context;
};

/* unstable_sort - sorts sort->items. It compares at most about 3 * n * log2(n) times, and needs no memory. */
void unstable_sort(const struct unstable_sort *sort);

#endif
