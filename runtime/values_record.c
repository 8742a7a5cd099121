/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_record.c - what was seen at value sites: a list for each, of nodes that are handed
 * out once and stay where they are. So whoever walks a list need not care who changes it.
 */
#include "atomic.h"
#include "values_serialize.h"

#if BAREPROF_SERVES_VALUES

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

/* Returns 0 if the value has to be dropped. */
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
	if (n < values->max_per_site)
		node = *at ? NULL : take(values); /* by now the list may have grown */
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

/* Sizes beyond 8 that are no power of two are the one below and 1; beyond 512 all are 513. */
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
