/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_order.h - the conditions of a file in the order in which LCOV's text has them: by line. A condition in a macro
 * belongs to the line that uses the macro.
 */
#ifndef BAREPROF_HOST_BRANCH_ORDER_H
#define BAREPROF_HOST_BRANCH_ORDER_H

#include "coverage.h"
#include "radix.h"

/* How often a condition was true and false. */
struct branch_counts {
	uint32_t line;
	uint64_t true_count;
	uint64_t false_count;
};

/* Starts as all zeros, can be used again, and ends with branch_order_free(). */
struct branch_order {
	struct branch_counts *list; /* without conditions that are constant */
	size_t count;
	/* The following members belong to branch_order.c. */
	size_t room;
	uint32_t *items;
	uint64_t *keys;
	uint32_t *positions;
	size_t item_room;
	struct radix radix;
};

/* branch_order_make - fills in order->list with the conditions of @file. */
void branch_order_make(
	struct branch_order *order, const struct file_coverage *file, const struct coverage_rules *rules);
void branch_order_free(struct branch_order *order);

#endif
