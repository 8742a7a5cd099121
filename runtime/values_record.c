/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_record.c - records the values that were seen at value sites, in one list for each
 * site. A node that was added to a list stays in this list forever. So one CPU can walk a
 * list while another CPU changes it.
 */
#include "values_atomic.h"

#if BAREPROF_SERVES_VALUES

/* Returns a node that is not in a list yet, or NULL if all nodes are in lists. */
static struct bareprof_node *take(struct bareprof_values *values)
{
	struct bareprof_pool *pool;

	for (pool = values->pool; pool < values->pool + 2; pool++) {
		struct bareprof_node *node = (struct bareprof_node *)pool->next;

		if ((size_t)(pool->end - pool->next) >= sizeof(*node)) {
			pool->next = (char *)(node + 1);
			return node;
		}
	}
	return NULL;
}

/* Increases the count of @value in the list at @at by 1. Returns 0 if @value has to be dropped. */
static int note(struct bareprof_values *values, struct bareprof_node **at, uint64_t value)
{
	struct bareprof_node *rarest = NULL;
	struct bareprof_node *node;
	size_t n = 0;

	for (; (node = bareprof_load_acquire(at)) != NULL; at = &node->next) {
		if (node->value == value) {
			node->count++;
			return 1;
		}
		if (!rarest || node->count < rarest->count)
			rarest = node;
		n++;
	}
	if (bareprof_values_hold(values, 0))
		return 0;
	node = rarest;
	/* If another CPU has added a node, or if no node is left, node becomes NULL and @value is dropped. */
	if (n < values->max_per_site)
		node = *at ? NULL : take(values);
	/*
	 * If the list is full, node is the node with the smallest count. If this count is
	 * above 1, it is reduced by 1. Otherwise @value takes this node.
	 */
	if (node == rarest && node && node->count > 1) {
		node->count--;
	} else if (node) {
		node->count = 1;
		node->value = value;
		if (node != rarest) {
			node->next = NULL;
			bareprof_store_release(at, node);
		}
	}
	bareprof_store_release(&values->held, 0);
	return node != NULL;
}

void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index)
{
	struct bareprof_values *values = bareprof_load_acquire(&bareprof_global_state.images);
	size_t *dropped = &bareprof_global_state.dropped;

	for (; values; values = bareprof_load_acquire(&values->next)) {
		const struct bareprof_slice *records = &values->image->section[BAREPROF_DATA];

		if ((uintptr_t)record - (uintptr_t)records->start >= records->size)
			continue;
		if (note(values, *bareprof_heads_of(values, record) + index, value))
			return;
		dropped = &values->dropped;
		break;
	}
	bareprof_atomic_add(dropped, 1);
}

/*
 * Sizes are recorded as in compiler-rt. A size from 9 to 511 that is not a power of two is
 * recorded as the next lower power of two plus 1. For example, 9 to 15 are recorded as 9.
 * Every size above 512 is recorded as 513.
 */
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index)
{
	uint32_t size = value > 512 ? 513 : (uint32_t)value;

	if (size > 8 && size & (size - 1)) {
		do
			size &= size - 1;
		while (size & (size - 1));
		size++;
	}
	__llvm_profile_instrument_target(size, record, index);
}

#endif
