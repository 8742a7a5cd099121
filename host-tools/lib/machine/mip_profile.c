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
	copy->blocks = NULL;
	if (function->block_count) {
		size_t size = function->block_count * sizeof(*copy->blocks);

		copy->blocks = arena_take(&profile->arena, size);
		memcpy(copy->blocks, function->blocks, size);
	}
	return copy;
}

enum mip_section mip_section_of(uint32_t kinds)
{
	return kinds & BAREPROF_MIP_KIND_CALLS ? MIP_CALLS : MIP_COVERAGE;
}

/* In version 8, the bytes of the blocks follow those of the function. */
uint64_t mip_raw_size(const struct mip_function *function)
{
	if (!function->kinds)
		return 0;
	return (function->kinds & BAREPROF_MIP_KIND_CALLS ? BAREPROF_MIP_CALLS_SIZE : 1) +
	       (uint64_t)function->block_count;
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
	uint32_t mode = kinds & ~BAREPROF_MIP_KIND_BLOCKS;

	return !kinds || mode == BAREPROF_MIP_KIND_COVERAGE || mode == BAREPROF_MIP_KIND_CALLS;
}

int mip_shown_size(const struct mip_function *function)
{
	return function->name.size < NAME_SHOWN ? (int)function->name.size : NAME_SHOWN;
}

static enum status check_function(
	const struct mip_profile *profile, const struct mip_function *function, struct error *error)
{
	static const char *const names[MIP_SECTIONS] = {"coverage bytes", "call entries"};
	enum mip_section section = mip_section_of(function->kinds);
	uint64_t whole = profile->section[section].size;
	uint64_t size = mip_raw_size(function);

	if (function->raw > whole || size > whole - function->raw)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a record for the function '%.*s' whose raw bytes are at offset %" PRIu64
			", outside of the section of %s with %" PRIu64 " bytes; link the image again",
			mip_shown_size(function), (const char *)function->name.data, function->raw, names[section],
			whole);
	if (profile->relative && function->raw < BAREPROF_MIP_V8_HEADER)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a record for the function '%.*s' whose raw bytes are at offset %" PRIu64
			", within the header of the raw section; link the image again",
			mip_shown_size(function), (const char *)function->name.data, function->raw);
	if (function->block_count && !(function->kinds & BAREPROF_MIP_KIND_BLOCKS))
		return error_set(error, STATUS_INVALID_INPUT,
			"has blocks of the function '%.*s', but its kinds have no block coverage; link the image again",
			mip_shown_size(function), (const char *)function->name.data);
	if (section == MIP_CALLS && function->raw % 4)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a record for the function '%.*s' whose call entry is at offset %" PRIu64
			", which is not a multiple of 4; link the image again",
			mip_shown_size(function), (const char *)function->name.data, function->raw);
	return STATUS_OK;
}

/* Compares two functions by section, then by the offset of their raw bytes. */
static int compare_raw(const void *left, const void *right)
{
	const struct mip_function *a = *(const struct mip_function *const *)left;
	const struct mip_function *b = *(const struct mip_function *const *)right;
	enum mip_section in_a = mip_section_of(a->kinds);
	enum mip_section in_b = mip_section_of(b->kinds);

	if (in_a != in_b)
		return in_a < in_b ? -1 : 1;
	return a->raw < b->raw ? -1 : a->raw > b->raw;
}

static enum status check_overlaps(const struct mip_function **sorted, size_t count, struct error *error)
{
	size_t i;

	for (i = 1; i < count; i++) {
		const struct mip_function *a = sorted[i - 1];
		const struct mip_function *b = sorted[i];

		if (mip_section_of(a->kinds) == mip_section_of(b->kinds) && b->raw - a->raw < mip_raw_size(a))
			return error_set(error, STATUS_INVALID_INPUT,
				"has two records, for '%.*s' and '%.*s', that share the raw byte at offset %" PRIu64
				"; link the image again",
				mip_shown_size(a), (const char *)a->name.data, mip_shown_size(b),
				(const char *)b->name.data, b->raw);
	}
	return STATUS_OK;
}

enum status mip_profile_check(struct mip_profile *profile, struct error *error)
{
	const struct mip_function **sorted;
	enum status status = STATUS_OK;
	size_t count = 0;
	size_t i;

	if (!profile->count)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no functions; compile the image with 'bareprof mip cc', and keep the section "
			"'" BAREPROF_MIP_SECTION_MAP "' when you link");
	sorted = allocate(profile->count, sizeof(*sorted));
	profile->kinds = 0;
	for (i = 0; i < profile->count && status == STATUS_OK; i++) {
		if (!profile->functions[i].kinds)
			continue;
		profile->kinds |= profile->functions[i].kinds;
		sorted[count++] = &profile->functions[i];
		status = check_function(profile, &profile->functions[i], error);
	}
	if (status == STATUS_OK && count) {
		qsort(sorted, count, sizeof(*sorted), compare_raw);
		status = check_overlaps(sorted, count, error);
	}
	free(sorted);
	return status;
}
