/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_limits.c - checks that a file can hold a sample profile.
 */
#include "sampleprof_limits.h"

#include <inttypes.h>

/* The part of a name that a message shows. */
#define SHOWN(name) (int)((name)->text.size < 200 ? (name)->text.size : 200), (const char *)(name)->text.data

static enum status refuse_offset(const struct sampleprof_function *function, uint32_t offset, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"the function '%.*s' (GUID %" PRIu64 ") has samples at the offset %" PRIu32
		", but clang reads offsets up to %u; leave these samples out",
		SHOWN(function->name), function->name->guid, offset, SAMPLEPROF_OFFSET_LAST);
}

static enum status check_offsets(const struct sampleprof_function *function, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < function->count_count; i++)
		if (function->counts[i]->at.offset > SAMPLEPROF_OFFSET_LAST)
			return refuse_offset(function, function->counts[i]->at.offset, error);
	for (i = 0; i < function->inlinee_count && status == STATUS_OK; i++) {
		if (function->inlinees[i]->at.offset > SAMPLEPROF_OFFSET_LAST)
			return refuse_offset(function, function->inlinees[i]->at.offset, error);
		status = check_offsets(function->inlinees[i], error);
	}
	return status;
}

enum status sampleprof_check(const struct sampleprof *profile, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	if (!profile->function_count)
		return error_set(error, STATUS_INVALID_INPUT,
			"the sample profile has no functions, and clang would refuse it; take more samples");
	for (i = 0; i < profile->function_count && status == STATUS_OK; i++) {
		const struct sampleprof_function *function = profile->functions[i];

		if (!function->hash != (profile->kind == SAMPLEPROF_LINES))
			return error_set(error, STATUS_INVALID_INPUT,
				"the function '%.*s' (GUID %" PRIu64 ") has %s hash in a %s profile",
				SHOWN(function->name), function->name->guid, function->hash ? "a" : "no",
				function->hash ? "line" : "probe");
		status = check_offsets(function, error);
	}
	return status;
}
