/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_view.h - shows source with its coverage: the count of each line, the pieces that did not run, and below a line
 * its conditions, its MC/DC decisions and the instantiations of its function.
 */
#ifndef BAREPROF_HOST_SOURCE_VIEW_H
#define BAREPROF_HOST_SOURCE_VIEW_H

#include "report_view.h"
#include "source_text.h"

/*
 * source_view_add - appends the source of @wanted to @text; see source_find.h for what @wanted can be. The instantiations
 * of a function are shown together, unless @wanted names one of them completely. If the source is gone, lines have counts
 * only. The text says so in a sentence, and also if the source is newer than the program. Errors: INVALID_INPUT.
 */
enum status source_view_add(
	struct buffer *text, const struct report_view *view, const char *wanted, struct error *error);

/* The page that source_view.c and source_notes.c write. */
struct source_page {
	const struct report_view *view;
	struct buffer *text;
	uint32_t file;
	uint32_t first; /* the lines to show */
	uint32_t last;
	int width; /* of line numbers */
	struct source_text source;
	struct file_coverage data;
	struct condition *conditions;
	size_t condition_count;
	size_t next_condition;
	struct file_decision **decisions; /* sorted by their last line; one for each location */
	size_t decision_count;
	size_t next_decision;
	size_t next_function; /* index in coverage->by_main_file */
	bool single; /* the page shows one instantiation alone */
};

/* source_notes_start - prepares the notes of @page, after page->data was computed. source_notes_free() ends them. */
void source_notes_start(struct source_page *page);
void source_notes_free(struct source_page *page);

/*
 * source_notes_wait - returns whether there are notes to @line.
 * source_notes_add - appends the notes to @line, which are fewer if the line did not run. Lines must come in their order.
 */
bool source_notes_wait(const struct source_page *page, uint32_t line);
void source_notes_add(struct source_page *page, uint32_t line, bool ran);

/* source_margin - appends the columns before the source, for a line without number and count. */
void source_margin(struct source_page *page);

#endif
