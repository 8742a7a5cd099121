/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.c - what was seen at value sites: a list for each, in nodes of a pool that
 * the compiler or the integrator made. No locks: lists only grow, and only at their end.
 */
#include <bareprof/values.h>

#include "bounds.h"

#define STATE      bareprof_state_is_missing_write_BAREPROF_STATE
#define SEQUENTIAL __ATOMIC_SEQ_CST

/* Values kept of a site, as by compiler-rt: with the compiler's nodes and without. */
#define STATIC_MOST  24u
#define DYNAMIC_MOST 255u

typedef struct bareprof_node **__attribute__((may_alias)) any_heads;
typedef uint16_t __attribute__((may_alias)) any_u16;

BAREPROF_API extern const int32_t bareprof_node_bounds[2];
BAREPROF_BOUNDS_TABLE("bareprof_node_bounds", BAREPROF_BOUNDS("__llvm_prf_vnds"));

static void *take(struct bareprof_pool *pool, size_t bytes)
{
	char *at = __atomic_load_n(&pool->next, __ATOMIC_RELAXED);

	do {
		if ((size_t)(pool->end - at) < bytes)
			return NULL;
	} while (!__atomic_compare_exchange_n(&pool->next, &at, at + bytes, 0, SEQUENTIAL, SEQUENTIAL));
	return at;
}

/* Compilers up to 17 make no list heads for bare metal. */
static any_heads make_heads(struct bareprof_state *state, uint8_t *record)
{
	any_heads *place = (any_heads *)(record + state->values);
	const any_u16 *sites = (const any_u16 *)(record + state->sites);
	any_heads heads = NULL;
	any_heads made;
	size_t n = 0;
	size_t i;

	for (i = 0; i < state->kinds; i++)
		n += sites[i];
	made = take(&state->own, (n * sizeof(*made) + 7) & ~(size_t)7);
	/* The pool is zeros. If another CPU was first, these are lost. */
	if (!made || __atomic_compare_exchange_n(place, &heads, made, 0, SEQUENTIAL, SEQUENTIAL))
		return made;
	return heads;
}

/* A new value behind @at, the end of its list for now, which may have grown since. */
static int append(struct bareprof_state *state, struct bareprof_node **at, uint64_t value)
{
	struct bareprof_node *node = take(&state->section, sizeof(*node));

	if (!node)
		node = take(&state->own, sizeof(*node));
	if (!node)
		return 0;
	node->value = value;
	node->count = 1;
	for (;;) {
		struct bareprof_node *other = NULL;

		if (__atomic_compare_exchange_n(at, &other, node, 0, SEQUENTIAL, SEQUENTIAL))
			return 1;
		at = &other->next;
	}
}

void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index)
{
	struct bareprof_state *state = &STATE;
	struct bareprof_node *rarest = NULL;
	unsigned int n = 0;
	struct bareprof_node **at;
	any_heads heads;
	int noted = 0;

	__atomic_fetch_add(&state->busy, 1, SEQUENTIAL);
	if (!state->values)
		goto out;
	heads = __atomic_load_n((any_heads *)((uint8_t *)record + state->values), __ATOMIC_ACQUIRE);
	if (!heads)
		heads = make_heads(state, record);
	if (!heads)
		goto out;
	for (at = &heads[index]; *at; at = &(*at)->next) {
		struct bareprof_node *node = __atomic_load_n(at, __ATOMIC_ACQUIRE);

		if (node->value == value) {
			node->count++;
			noted = 1;
			goto out;
		}
		if (!rarest || node->count < rarest->count)
			rarest = node;
		n++;
	}
	if (__atomic_load_n(&state->closed, SEQUENTIAL))
		goto out;
	noted = 1;
	if (n < state->most) {
		noted = append(state, at, value);
	} else if (rarest->count > 1) {
		rarest->count--;
	} else {
		rarest->value = value;
		rarest->count = 1;
	}
out:
	if (!noted)
		__atomic_fetch_add(&state->dropped, 1, SEQUENTIAL);
	__atomic_fetch_sub(&state->busy, 1, SEQUENTIAL);
}

/* Sizes beyond 8 share what stands for them: a power of two, or one more than that. */
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index)
{
	if (value > 512) {
		value = 513;
	} else if (value > 8) {
		uint32_t power = 0x80000000u >> __builtin_clz((uint32_t)value);

		value = value == power ? power : power + 1;
	}
	__llvm_profile_instrument_target(value, record, index);
}

void bareprof_values_start(const struct bareprof_image *image)
{
	const uint32_t version = (uint32_t)image->version;
	struct bareprof_state *state = &STATE;
	struct bareprof_span nodes;

	bareprof_take_bounds(&nodes, bareprof_node_bounds, 1);
	state->section.next = (char *)(uintptr_t)nodes.start;
	state->most = nodes.size ? STATIC_MOST : DYNAMIC_MOST;
	state->section.end = state->section.next + nodes.size;
	state->kinds = BAREPROF_VALUE_KINDS(version);
	state->sites = BAREPROF_RECORD_VALUE_SITES(version, (unsigned int)sizeof(uintptr_t));
	__atomic_store_n(
		&state->values, BAREPROF_RECORD_VALUES_PTR(version, (unsigned int)sizeof(uintptr_t)), __ATOMIC_RELEASE);
}
