/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * correlate.c - writes a raw profile. The counters come from the input. The records and names come
 * from the program. The profile has no value sites, because a target without records cannot store
 * values.
 */
#include "correlate.h"

enum status correlate(struct buffer *out, const struct raw_profile *profile,
	const struct completion_options *completion, struct error *error)
{
	struct raw_image parts = {.width = profile->width, .big = profile->big, .values = profile->values};
	struct buffer unwanted = {0};
	const struct record_table *table;
	struct program *program;
	enum status status;
	unsigned int i;

	if (!programs_any(completion->programs))
		return error_set(error, STATUS_INVALID_INPUT,
			"has no records and no names, which are only in the ELF file: give that file with --elf");
	status = programs_find(completion->programs, profile->build_id, &program,
		completion->report ? &completion->report->warning : &unwanted, error);
	buffer_free(&unwanted);
	if (status == STATUS_OK)
		status = program_fits(
			program, profile->width, profile->big, profile->section[BAREPROF_CNTS].size, error);
	if (status == STATUS_OK)
		status = program_records(program, profile->version_word, &table, error);
	if (status == STATUS_OK)
		status = program_named(program, table, error);
	if (status != STATUS_OK)
		return status;
	parts.version_word = table->version_word & ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	parts.records = table->functions;
	parts.record_count = table->count;
	for (i = 0; i < BAREPROF_SECTIONS; i++)
		parts.section[i] = profile->section[i];
	parts.section[BAREPROF_NAMES] = table->names;
	raw_write(out, &parts);
	return STATUS_OK;
}
