/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_join.c - joins machine profiles of one image by the names and addresses of their functions. */
#include "mip_join.h"
#include "mip_samples.h"

#include <stdlib.h>
#include <string.h>

void mip_join_number(struct mip_profile *profile)
{
	size_t i;

	memset(profile->section, 0, sizeof(profile->section));
	profile->kinds = 0;
	profile->numbered = true;
	for (i = 0; i < profile->count; i++) {
		struct mip_function *function = &profile->functions[i];
		struct mip_extent *section = &profile->section[mip_section_of(function->kinds)];
		uint64_t size = mip_raw_size(profile, function);
		uint64_t blocks = mip_block_size(profile, function);

		profile->kinds |= function->kinds;
		function->raw = size ? section->size : 0;
		section->size += size;
		function->block_raw = blocks ? profile->section[MIP_BLOCKS].size : 0;
		profile->section[MIP_BLOCKS].size += blocks;
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

/* A function whose calls were not counted was called at least once in each run. */
static void count_runs(struct mip_function *function)
{
	function->kinds = (function->kinds & ~BAREPROF_MIP_KIND_COVERAGE) | BAREPROF_MIP_KIND_CALLS;
	function->start = BAREPROF_MIP_CALLS_START;
	function->calls = function->runs;
	function->at_least = function->runs > 0;
}

static void join_blocks(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from)
{
	to->kinds |= from->kinds & MIP_KINDS_OF_BLOCKS;
	/* A joined profile only numbers its raw bytes, so their start value has no meaning. */
	if (to->kinds & BAREPROF_MIP_KIND_WRAPS)
		to->kinds &= ~(uint32_t)BAREPROF_MIP_KIND_FULL;
	if (!to->block_count)
		mip_copy_blocks(profile, to, from);
}

static void join_function(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from)
{
	struct mip_function other = *from;
	bool has_raw = to->kinds & (BAREPROF_MIP_KIND_COVERAGE | BAREPROF_MIP_KIND_CALLS);

	if (!other.kinds)
		return;
	if ((to->kinds | other.kinds) & BAREPROF_MIP_KIND_CALLS) {
		if (!(to->kinds & BAREPROF_MIP_KIND_CALLS))
			count_runs(to);
		if (!(other.kinds & BAREPROF_MIP_KIND_CALLS))
			count_runs(&other);
	}
	if (!has_raw)
		to->start = other.start;
	/* The bits of blocks are added with the blocks. */
	to->kinds |= mip_kinds_without_blocks(other.kinds);
	if (to->kinds & (BAREPROF_MIP_KIND_COVERAGE | BAREPROF_MIP_KIND_CALLS))
		to->reason = 0;
	mip_add_results(to, &other);
	join_blocks(profile, to, &other);
}

/* Appends the edges of @other, whose functions have the indices @moved in @profile, and adds up equal edges. */
static void join_edges(struct mip_profile *profile, const struct mip_profile *other, const size_t *moved)
{
	size_t i;

	for (i = 0; i < other->edge_count; i++) {
		struct mip_edge edge = other->edges[i];

		edge.callee = (uint32_t)moved[edge.callee];
		mip_profile_add_edge(profile, &edge);
	}
	mip_samples_join(profile);
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
	size_t *moved = allocate(other->count, sizeof(*moved));
	size_t i;

	for (i = 0; i < count; i++)
		sorted[i] = &profile->functions[i];
	qsort(sorted, count, sizeof(struct mip_function *), compare_functions);
	for (i = 0; i < other->count; i++) {
		const struct mip_function *from = &other->functions[i];
		struct mip_function **to =
			count ? bsearch(&from, sorted, count, sizeof(*sorted), compare_functions) : NULL;

		moved[i] = to ? (size_t)(*to - profile->functions) : SIZE_MAX;
		if (to)
			join_function(profile, *to, from);
	}
	/* Appending moves the functions in memory, so it comes last. */
	for (i = 0; i < other->count; i++)
		if (moved[i] == SIZE_MAX) {
			mip_profile_add(profile, &other->functions[i]);
			moved[i] = profile->count - 1;
		}
	join_edges(profile, other, moved);
	free(sorted);
	free(moved);
	profile->merged = add_saturating(profile->merged, other->merged);
	mip_join_number(profile);
}
