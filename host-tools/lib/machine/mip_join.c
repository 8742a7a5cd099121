/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_join.c - joins machine profiles of one image by the names and addresses of their functions. */
#include "mip_join.h"

#include <stdlib.h>
#include <string.h>

void mip_join_number(struct mip_profile *profile)
{
	size_t i;

	profile->section[MIP_COVERAGE] = profile->section[MIP_CALLS] = (struct mip_extent){0, 0};
	profile->kinds = 0;
	profile->numbered = true;
	for (i = 0; i < profile->count; i++) {
		struct mip_function *function = &profile->functions[i];
		bool calls = function->kinds & BAREPROF_MIP_KIND_CALLS;
		struct mip_extent *section = &profile->section[calls ? MIP_CALLS : MIP_COVERAGE];

		profile->kinds |= function->kinds;
		if (!function->kinds)
			continue;
		function->raw = section->size;
		section->size += calls ? BAREPROF_MIP_CALLS_SIZE : 1;
	}
}

static int compare_functions(const void *left, const void *right)
{
	const struct mip_function *a = *(const struct mip_function *const *)left;
	const struct mip_function *b = *(const struct mip_function *const *)right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp((const char *)a->name.data, (const char *)b->name.data);
}

/* A function of mode "coverage" was called at least once in each run. */
static void count_runs(struct mip_function *function)
{
	function->kinds = (function->kinds & ~BAREPROF_MIP_KIND_COVERAGE) | BAREPROF_MIP_KIND_CALLS;
	function->start = BAREPROF_MIP_CALLS_START;
	function->calls = function->runs;
	function->at_least = function->runs > 0;
}

static void join_blocks(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from)
{
	uint32_t i;

	if (!to->block_count && from->block_count) {
		size_t size = from->block_count * sizeof(*from->blocks);

		to->kinds |= from->kinds & BAREPROF_MIP_KIND_BLOCKS;
		to->blocks = arena_take(&profile->arena, size);
		to->block_count = from->block_count;
		memcpy(to->blocks, from->blocks, size);
	} else if (to->block_count == from->block_count) {
		for (i = 0; i < to->block_count; i++)
			to->blocks[i].ran |= from->blocks[i].ran;
	}
}

static void join_function(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from)
{
	struct mip_function other = *from;

	if (!other.kinds)
		return;
	if (!to->kinds) {
		to->kinds = other.kinds & ~BAREPROF_MIP_KIND_BLOCKS;
		to->reason = 0;
		to->start = other.start;
	}
	if ((to->kinds ^ other.kinds) & BAREPROF_MIP_KIND_CALLS)
		count_runs(to->kinds & BAREPROF_MIP_KIND_CALLS ? &other : to);
	to->runs = mip_saturating_add(to->runs, other.runs);
	to->calls = mip_saturating_add(to->calls, other.calls);
	to->at_least |= other.at_least;
	to->order_sum = mip_saturating_add(to->order_sum, other.order_sum);
	to->orders = mip_saturating_add(to->orders, other.orders);
	join_blocks(profile, to, &other);
}

bool mip_join_can(const struct mip_profile *profile, const struct mip_profile *other)
{
	size_t i;

	if ((!profile->numbered && !other->numbered) || profile->relative || other->relative)
		return false;
	if (profile->count != other->count || profile->numbered != other->numbered)
		return true;
	for (i = 0; i < profile->count; i++) {
		const struct mip_function *a = &profile->functions[i];
		const struct mip_function *b = &other->functions[i];

		if (compare_functions(&a, &b) || a->kinds != b->kinds)
			return true;
	}
	return false;
}

void mip_join(struct mip_profile *profile, const struct mip_profile *other)
{
	size_t count = profile->count;
	struct mip_function **sorted = allocate(count, sizeof(struct mip_function *));
	size_t *added = allocate(other->count, sizeof(*added));
	size_t added_count = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sorted[i] = &profile->functions[i];
	qsort(sorted, count, sizeof(struct mip_function *), compare_functions);
	for (i = 0; i < other->count; i++) {
		const struct mip_function *from = &other->functions[i];
		struct mip_function **to =
			count ? bsearch(&from, sorted, count, sizeof(*sorted), compare_functions) : NULL;

		if (to)
			join_function(profile, *to, from);
		else
			added[added_count++] = i;
	}
	/* The functions move when functions are added, so that is done last. */
	for (i = 0; i < added_count; i++)
		mip_profile_add(profile, &other->functions[added[i]]);
	free(sorted);
	free(added);
	profile->merged = mip_saturating_add(profile->merged, other->merged);
	mip_join_number(profile);
}
