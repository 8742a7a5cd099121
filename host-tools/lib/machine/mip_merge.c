/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_merge.c - adds raw profiles and machine profiles of one link to a machine profile. */
#include "mip_merge.h"
#include "mip_join.h"
#include "mip_link.h"
#include "mip_samples.h"

#include <string.h>

static void add_seen(struct mip_function *function, const struct mip_seen *seen)
{
	uint32_t i;

	function->runs += seen->ran;
	function->calls = add_saturating(function->calls, seen->calls);
	function->at_least |= seen->at_least;
	if (seen->order) {
		function->order_sum = add_saturating(function->order_sum, seen->order);
		function->orders++;
	}
	for (i = 0; i < function->block_count; i++)
		function->blocks[i].ran |= mip_seen_block(seen, function, i);
}

/*
 * A map that came without its ELF file has no build id. It gets the build id of the first raw profile, so that all
 * further ones must come from the same link.
 */
static void adopt_link(struct mip_profile *profile, const struct mip_raw *raw)
{
	if (profile->merged || profile->id.size)
		return;
	buffer_add(&profile->id, raw->id.data, raw->id.size);
	if (!profile->width)
		profile->width = raw->width;
}

enum status mip_merge_raw(
	struct mip_profile *profile, const struct mip_raw *raw, struct buffer *note, struct error *error)
{
	enum status status = mip_raw_fits(raw, profile, note, error);
	size_t i;

	if (status == STATUS_OK)
		adopt_link(profile, raw);
	for (i = 0; i < profile->count && status == STATUS_OK; i++) {
		struct mip_seen seen;

		status = mip_raw_look(&seen, raw, &profile->functions[i], error);
		if (status == STATUS_OK)
			add_seen(&profile->functions[i], &seen);
	}
	if (status == STATUS_OK)
		status = mip_samples_add(profile, raw, note, error);
	profile->merged = add_saturating(profile->merged, 1);
	return status;
}

static bool same_function(const struct mip_function *a, const struct mip_function *b)
{
	return a->name.size == b->name.size && !memcmp(a->name.data, b->name.data, a->name.size) &&
	       a->address == b->address && a->size == b->size && a->kinds == b->kinds && a->raw == b->raw &&
	       a->block_raw == b->block_raw && a->start == b->start && a->block_count == b->block_count &&
	       a->signature == b->signature;
}

enum status mip_merge_profile(
	struct mip_profile *profile, const struct mip_profile *other, struct buffer *note, struct error *error)
{
	struct bytes id = {other->id.data, other->id.size};
	struct bytes expected = {profile->id.data, profile->id.size};
	enum status status = mip_same_link(id, expected, note, error);
	size_t i;

	if (status != STATUS_OK)
		return status;
	if (id.size && expected.size && mip_join_can(profile, other)) {
		mip_join(profile, other);
		return STATUS_OK;
	}
	if (profile->count != other->count || profile->relative != other->relative)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %zu functions, but the other profile has %zu, or their versions differ, so they cannot be "
			"merged; merge profiles of one link",
			other->count, profile->count);
	for (i = 0; i < profile->count; i++)
		if (!same_function(&profile->functions[i], &other->functions[i]))
			return error_set(error, STATUS_INVALID_INPUT,
				"comes from another link: the function '%.*s' differs from function %zu of the other "
				"profile; merge profiles of one link",
				mip_shown_size(&other->functions[i]), (const char *)other->functions[i].name.data,
				i + 1);
	for (i = 0; i < profile->count; i++)
		mip_add_results(&profile->functions[i], &other->functions[i]);
	for (i = 0; i < other->edge_count; i++)
		mip_profile_add_edge(profile, &other->edges[i]);
	mip_samples_join(profile);
	profile->merged = add_saturating(profile->merged, other->merged);
	return STATUS_OK;
}
