/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_text_write.c - writes sample profiles as text, and the counts of ranges.
 */
#include "sampleprof_file.h"
#include "sampleprof_limits.h"
#include "sampleprof_text.h"

#include <inttypes.h>
#include <stdio.h>

struct writer {
	const struct sampleprof *profile;
	bool nested_metadata;
	struct buffer *out;
	struct error *error;
};

enum use {
	FUNCTION,
	INLINEE,
	CALLEE
};

/*
 * Returns whether a reader would take @name for this name. A line that starts with # is a comment, and one that starts
 * with [ belongs to a profile with calling contexts. A number in place of an inlinee's name would be a count.
 */
static bool fits_text(struct bytes name, enum use use)
{
	struct buffer probe = {0};
	struct bytes text;
	struct bytes again;
	uint64_t zero;
	size_t i;
	bool same;

	for (i = 0; i < name.size; i++)
		if (name.data[i] < ' ' || name.data[i] == 0x7f)
			return false;
	if (!name.size || *name.data == ' ' || *name.data == '#' || *name.data == '[')
		return false;
	if (use != CALLEE)
		return use == FUNCTION || *name.data < '0' || *name.data > '9';
	buffer_add(&probe, name.data, name.size);
	buffer_add_text(&probe, ":0");
	text = (struct bytes){probe.data, probe.size};
	same = take_callee(&text, &again, &zero) && again.size == name.size;
	buffer_free(&probe);
	return same;
}

static enum status add_name(struct writer *writer, const struct sampleprof_name *name, enum use use)
{
	char number[24];
	struct bytes text = name->text;

	if (!text.size)
		text = (struct bytes){
			(const uint8_t *)number, (size_t)snprintf(number, sizeof(number), "%" PRIu64, name->guid)};
	if (!fits_text(text, use))
		return error_set(writer->error, STATUS_INVALID_INPUT,
			"the text of a sample profile cannot hold the function '%.*s'; write an ext-binary file",
			(int)(text.size < 200 ? text.size : 200), (const char *)text.data);
	buffer_add(writer->out, text.data, text.size);
	return STATUS_OK;
}

static void add_location(struct writer *writer, unsigned int indent, struct sampleprof_location at)
{
	buffer_printf(writer->out, "%*s%" PRIu32, (int)indent, "", at.offset);
	if (at.discriminator)
		buffer_printf(writer->out, ".%" PRIu32, at.discriminator);
	buffer_add_text(writer->out, ": ");
}

static enum status add_count(struct writer *writer, unsigned int indent, const struct sampleprof_count *count)
{
	enum status status = STATUS_OK;
	size_t i;

	add_location(writer, indent, count->at);
	buffer_printf(writer->out, "%" PRIu64, count->count);
	for (i = 0; i < count->callee_count && status == STATUS_OK; i++) {
		buffer_add_text(writer->out, " ");
		status = add_name(writer, count->callees[i]->name, CALLEE);
		buffer_printf(writer->out, ":%" PRIu64, count->callees[i]->count);
	}
	buffer_add_text(writer->out, "\n");
	return status;
}

/* Appends the counts, inlinees and metadata of @function. The metadata must come last. */
static enum status add_function(struct writer *writer, const struct sampleprof_function *function)
{
	unsigned int indent = function->depth + 1;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < function->count_count && status == STATUS_OK; i++)
		status = add_count(writer, indent, function->counts[i]);
	for (i = 0; i < function->inlinee_count && status == STATUS_OK; i++) {
		const struct sampleprof_function *inlinee = function->inlinees[i];

		add_location(writer, indent, inlinee->at);
		status = add_name(writer, inlinee->name, INLINEE);
		buffer_printf(writer->out, ":%" PRIu64 "\n", inlinee->total);
		if (status == STATUS_OK)
			status = add_function(writer, inlinee);
	}
	if (function->hash && (!function->depth || writer->nested_metadata))
		buffer_printf(writer->out, "%*s" HASH_WORD " %" PRIu64 "\n", (int)indent, "", function->hash);
	if (function->attributes && writer->nested_metadata)
		buffer_printf(
			writer->out, "%*s" ATTRIBUTES_WORD " %" PRIu32 "\n", (int)indent, "", function->attributes);
	return status;
}

enum status sampleprof_write_text(
	struct sampleprof *profile, const struct sampleprof_options *options, struct buffer *out, struct error *error)
{
	struct writer writer = {profile, options->llvm >= SAMPLEPROF_NESTED_METADATA, out, error};
	size_t start = out->size;
	enum status status = sampleprof_check(profile, error);
	size_t i;

	sampleprof_sort(profile);
	for (i = 0; i < profile->function_count && status == STATUS_OK; i++) {
		const struct sampleprof_function *function = profile->functions[i];

		status = add_name(&writer, function->name, FUNCTION);
		buffer_printf(out, ":%" PRIu64 ":%" PRIu64 "\n", function->total, function->head);
		if (status == STATUS_OK)
			status = add_function(&writer, function);
	}
	if (status != STATUS_OK)
		out->size = start;
	return status;
}

enum status sampleprof_write_ranges(const struct sampleprof_range *ranges, size_t range_count,
	const struct sampleprof_branch *branches, size_t branch_count, struct buffer *out, struct error *error)
{
	size_t i;

	for (i = 0; i < range_count; i++)
		if (ranges[i].last < ranges[i].start)
			return error_set(error, STATUS_INVALID_INPUT,
				"the range 0x%" PRIx64 " to 0x%" PRIx64 " ends before it starts", ranges[i].start,
				ranges[i].last);
	buffer_printf(out, "%zu\n", range_count);
	for (i = 0; i < range_count; i++)
		buffer_printf(
			out, "%" PRIx64 "-%" PRIx64 ":%" PRIu64 "\n", ranges[i].start, ranges[i].last, ranges[i].count);
	buffer_printf(out, "%zu\n", branch_count);
	for (i = 0; i < branch_count; i++)
		buffer_printf(out, "%" PRIx64 "->%" PRIx64 ":%" PRIu64 "\n", branches[i].from, branches[i].to,
			branches[i].count);
	return STATUS_OK;
}
