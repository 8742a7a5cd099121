/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_profile.c - the memory of a machine profile, and the checks that all readers share. */
#include "mip_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The maximum length of a name in a message. */
#define NAME_SHOWN 200

void mip_profile_free(struct mip_profile *profile)
{
	buffer_free(&profile->id);
	free(profile->functions);
	free(profile->edges);
	arena_free(&profile->arena);
	*profile = (struct mip_profile){0};
}

struct mip_function *mip_profile_add(struct mip_profile *profile, const struct mip_function *function)
{
	struct mip_function *copy;
	uint8_t *name = arena_take(&profile->arena, function->name.size + 1);

	profile->functions =
		array_grow(profile->functions, profile->count, &profile->room, sizeof(*profile->functions));
	copy = &profile->functions[profile->count++];
	*copy = *function;
	if (function->name.size)
		memcpy(name, function->name.data, function->name.size);
	name[function->name.size] = 0;
	copy->name.data = name;
	mip_copy_blocks(profile, copy, function);
	return copy;
}

void mip_copy_blocks(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from)
{
	size_t size = from->block_count * sizeof(*from->blocks);

	to->blocks = size ? arena_take(&profile->arena, size) : NULL;
	to->block_count = from->block_count;
	if (size)
		memcpy(to->blocks, from->blocks, size);
}

void mip_add_results(struct mip_function *to, const struct mip_function *from)
{
	uint32_t i;

	to->runs = add_saturating(to->runs, from->runs);
	to->calls = add_saturating(to->calls, from->calls);
	to->at_least |= from->at_least;
	to->order_sum = add_saturating(to->order_sum, from->order_sum);
	to->orders = add_saturating(to->orders, from->orders);
	for (i = 0; to->block_count == from->block_count && i < to->block_count; i++)
		to->blocks[i].ran |= from->blocks[i].ran;
}

void mip_profile_add_edge(struct mip_profile *profile, const struct mip_edge *edge)
{
	profile->edges = array_grow(profile->edges, profile->edge_count, &profile->edge_room, sizeof(*profile->edges));
	profile->edges[profile->edge_count++] = *edge;
}

enum mip_section mip_section_of(uint32_t kinds)
{
	return kinds & BAREPROF_MIP_KIND_CALLS ? MIP_CALLS : MIP_COVERAGE;
}

uint64_t mip_raw_size(const struct mip_profile *profile, const struct mip_function *function)
{
	if (!mip_kinds_without_blocks(function->kinds))
		return 0;
	if (function->kinds & BAREPROF_MIP_KIND_RETURNS)
		return BAREPROF_MIP_SAMPLED_SIZE;
	return (function->kinds & BAREPROF_MIP_KIND_CALLS ? BAREPROF_MIP_CALLS_SIZE : 1) +
	       (profile->relative ? (uint64_t)function->block_count : 0);
}

uint64_t mip_block_size(const struct mip_profile *profile, const struct mip_function *function)
{
	bool has_bytes = function->kinds & BAREPROF_MIP_KIND_BLOCKS && !profile->relative;

	if (!has_bytes)
		return 0;
	return function->block_count ? (uint64_t)function->blocks[function->block_count - 1].index + 1 : 1;
}

uint32_t mip_section_kinds(enum mip_section section)
{
	static const uint32_t kinds[MIP_SECTIONS] = {
		BAREPROF_MIP_KIND_COVERAGE,
		BAREPROF_MIP_KIND_CALLS,
		BAREPROF_MIP_KIND_BLOCKS,
		BAREPROF_MIP_KIND_RETURNS,
	};

	return kinds[section];
}

const char *mip_section_what(enum mip_section section)
{
	static const char *const words[MIP_SECTIONS] = {
		"coverage bytes", "bytes of call entries", "block bytes", "bytes of samples"};

	return words[section];
}

const char *mip_reason_text(unsigned int reason)
{
	switch (reason) {
#define REASON_CASE(number, name, words)                                                                               \
	case number:                                                                                                   \
		return words;
		BAREPROF_MIP_REASONS(REASON_CASE)
#undef REASON_CASE
	default:
		return "for a reason that this bareprof does not know";
	}
}

bool mip_kinds_valid(uint32_t kinds)
{
	uint32_t mode = mip_kinds_without_blocks(kinds);

	if (kinds & BAREPROF_MIP_KIND_WRAPS && kinds & BAREPROF_MIP_KIND_FULL)
		return false;
	if (kinds & MIP_KINDS_OF_BLOCKS && !(kinds & BAREPROF_MIP_KIND_BLOCKS))
		return false;
	return !mode || mode == BAREPROF_MIP_KIND_COVERAGE || mode == BAREPROF_MIP_KIND_CALLS ||
	       mode == BAREPROF_MIP_KIND_SAMPLED;
}

int mip_shown_size(const struct mip_function *function)
{
	return function->name.size < NAME_SHOWN ? (int)function->name.size : NAME_SHOWN;
}

/* The raw bytes of a function in one section. */
struct mip_range {
	const struct mip_function *function;
	enum mip_section section;
	uint64_t offset;
	uint64_t size;
};

static enum status check_range(const struct mip_profile *profile, const struct mip_function *function,
	const struct mip_range *range, struct error *error)
{
	uint64_t whole = profile->section[range->section].size;

	if (range->offset <= whole && range->size <= whole - range->offset)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"has a record for the function '%.*s' whose raw bytes are at offset %" PRIu64
		", outside of the section with %" PRIu64 " %s; link the image again",
		mip_shown_size(function), (const char *)function->name.data, range->offset, whole,
		mip_section_what(range->section));
}

static enum status check_function(
	const struct mip_profile *profile, const struct mip_function *function, struct error *error)
{
	enum mip_section section = mip_section_of(function->kinds);

	if (profile->relative && function->raw < BAREPROF_MIP_V8_HEADER)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a record for the function '%.*s' whose raw bytes are at offset %" PRIu64
			", within the header of the raw section; link the image again",
			mip_shown_size(function), (const char *)function->name.data, function->raw);
	if (function->block_count && !(function->kinds & BAREPROF_MIP_KIND_BLOCKS))
		return error_set(error, STATUS_INVALID_INPUT,
			"has blocks of the function '%.*s', but its kinds have no block coverage; link the image again",
			mip_shown_size(function), (const char *)function->name.data);
	if (profile->relative && !mip_kinds_without_blocks(function->kinds))
		return error_set(error, STATUS_INVALID_INPUT,
			"has only block bytes of the function '%.*s', but version 8 needs a coverage byte or a call "
			"entry of each function with blocks; link the image again",
			mip_shown_size(function), (const char *)function->name.data);
	if (section == MIP_CALLS && function->raw % 4)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a record for the function '%.*s' whose call entry is at offset %" PRIu64
			", which is not a multiple of 4; link the image again",
			mip_shown_size(function), (const char *)function->name.data, function->raw);
	return STATUS_OK;
}

/* Compares two ranges by section, then by offset. */
static int compare_ranges(const void *left, const void *right)
{
	const struct mip_range *a = left;
	const struct mip_range *b = right;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return compare_uint(a->offset, b->offset);
}

static enum status check_overlaps(const struct mip_range *sorted, size_t count, struct error *error)
{
	size_t i;

	for (i = 1; i < count; i++) {
		const struct mip_range *a = &sorted[i - 1];
		const struct mip_range *b = &sorted[i];

		if (a->section == b->section && b->offset - a->offset < a->size)
			return error_set(error, STATUS_INVALID_INPUT,
				"has two records, for '%.*s' and '%.*s', that share the raw byte at offset %" PRIu64
				"; link the image again",
				mip_shown_size(a->function), (const char *)a->function->name.data,
				mip_shown_size(b->function), (const char *)b->function->name.data, b->offset);
	}
	return STATUS_OK;
}

/* Adds the ranges of the raw bytes of @function to @ranges. */
static enum status add_ranges(const struct mip_profile *profile, const struct mip_function *function,
	struct mip_range *ranges, size_t *count, struct error *error)
{
	const struct mip_range own[] = {
		{function, mip_section_of(function->kinds), function->raw, mip_raw_size(profile, function)},
		{function, MIP_BLOCKS, function->block_raw, mip_block_size(profile, function)},
	};
	enum status status = STATUS_OK;
	unsigned int i;

	for (i = 0; i < 2 && status == STATUS_OK; i++) {
		status = check_range(profile, function, &own[i], error);
		if (own[i].size)
			ranges[(*count)++] = own[i];
	}
	return status;
}

/*
 * Version 8 has the bytes of the blocks after the other raw bytes of a function. So if a profile of version 9 has
 * blocks, its raw bytes have other places in version 8: in the order of the map, one function after the other.
 */
static void place_v8(struct mip_profile *profile)
{
	bool moves = profile->kinds & BAREPROF_MIP_KIND_BLOCKS && !profile->relative;
	uint64_t header = profile->relative ? 0 : BAREPROF_MIP_V8_HEADER;
	uint64_t at = header;
	size_t i;

	for (i = 0; i < profile->count; i++) {
		struct mip_function *function = &profile->functions[i];
		uint64_t size = function->kinds & BAREPROF_MIP_KIND_CALLS ? BAREPROF_MIP_CALLS_SIZE : 1;

		function->raw_v8 = moves ? at : header + function->raw;
		if (function->kinds)
			at += (size + function->block_count + 3) & ~(uint64_t)3;
	}
	profile->size_v8 = moves ? at : header + profile->section[mip_section_of(profile->kinds)].size;
}

enum status mip_profile_check(struct mip_profile *profile, struct error *error)
{
	struct mip_range *ranges;
	enum status status = STATUS_OK;
	size_t count = 0;
	size_t i;

	if (!profile->count)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no functions; compile the image with 'bareprof mip cc', and keep the section "
			"'" BAREPROF_MIP_SECTION_MAP "' when you link");
	ranges = allocate(profile->count, 2 * sizeof(*ranges));
	profile->kinds = 0;
	for (i = 0; i < profile->count && status == STATUS_OK; i++) {
		if (!profile->functions[i].kinds)
			continue;
		profile->kinds |= profile->functions[i].kinds;
		status = add_ranges(profile, &profile->functions[i], ranges, &count, error);
		if (status == STATUS_OK)
			status = check_function(profile, &profile->functions[i], error);
	}
	if (status == STATUS_OK && count) {
		qsort(ranges, count, sizeof(*ranges), compare_ranges);
		status = check_overlaps(ranges, count, error);
	}
	free(ranges);
	place_v8(profile);
	return status;
}
