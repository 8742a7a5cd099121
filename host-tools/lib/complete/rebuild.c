/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.c - finds the ELF file of a capture, checks it, and rebuilds the profile.
 */
#include "rebuild.h"
#include "rebuild_state.h"

#include <bareprof/wire.h>

static enum status find_program(struct rebuild *rebuild)
{
	struct completion_report *report = rebuild->completion->report;
	struct buffer unwanted = {0};
	enum status status;

	if (!programs_any(rebuild->completion->programs))
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"has %s only; names and records are in the ELF file: give that file with --elf, or its folder "
			"with --elf-dir",
			sent_dump_content(rebuild->sent));
	status = programs_find(rebuild->completion->programs, rebuild->begin->id, &rebuild->program,
		report ? &report->warning : &unwanted, rebuild->error);
	buffer_free(&unwanted);
	return status;
}

enum status rebuild_profraw(struct buffer *out, const struct capture *capture, const struct sent_dump *sent,
	const struct completion_options *completion, struct error *error)
{
	struct rebuild rebuild = {.out = out,
		.begin = &sent->begin,
		.completion = completion,
		.sent = sent,
		.big = sent->begin.order == BAREPROF_ORDER_BIG,
		.error = error};
	enum status status = find_program(&rebuild);

	if (status == STATUS_OK)
		status = rebuild_check(&rebuild);
	if (status != STATUS_OK)
		return status;
	sent_dump_stream(capture, sent, BAREPROF_STREAM_COUNTERS, &rebuild.counters);
	sent_dump_stream(capture, sent, BAREPROF_STREAM_BITMAP, &rebuild.bitmap);
	sent_dump_stream(capture, sent, BAREPROF_STREAM_SITES, &rebuild.site_counts);
	sent_dump_stream(capture, sent, BAREPROF_STREAM_VALUES, &rebuild.values);
	if (sent->state == DUMP_COMPLETE && !rebuild.program->correlated &&
		!(sent->begin.version & BAREPROF_VARIANT_DEBUG_CORRELATE))
		status = rebuild_as_target(&rebuild);
	else
		status = rebuild_functions(&rebuild);
	sparse_buffer_free(&rebuild.counters);
	sparse_buffer_free(&rebuild.bitmap);
	sparse_buffer_free(&rebuild.site_counts);
	sparse_buffer_free(&rebuild.values);
	return status;
}
