/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_selection.h - the part of a coverage that a report is about.
 */
#ifndef BAREPROF_HOST_COVERAGE_SELECTION_H
#define BAREPROF_HOST_COVERAGE_SELECTION_H

#include "coverage.h"
#include "output.h"

/* A report of everything has all of coverage->sources, and no filter. */
struct coverage_selection {
	struct coverage *coverage; /* after coverage_finish() */
	const uint32_t *files; /* some or all of coverage->sources, in the same order */
	size_t file_count;
	function_filter filter; /* the functions of the report; NULL: all */
	const void *context; /* of @filter */
};

/*
 * A report has at most this number of executable lines plus one for each byte of the mappings. A damaged mapping can have
 * functions of millions of lines. A whole Linux has 360,000 lines, and a mapping of 17 MB.
 */
#define REPORT_LINES_BASE ((uint64_t)1 << 20)

/* selection_has - returns whether the report is about @function. */
static inline bool selection_has(const struct coverage_selection *selection, const struct coverage_function *function)
{
	return !selection->filter || selection->filter(selection->context, function);
}

/* selection_name - returns the name of the file @file, an index in coverage->files. */
static inline struct bytes selection_name(const struct coverage_selection *selection, uint32_t file)
{
	return selection->coverage->files->list[file];
}

/*
 * selection_lines - adds the number of executable lines of @segments to *@lines. Returns false and sets @error if the
 * report has too many lines.
 */
bool selection_lines(const struct coverage_selection *selection, const struct segments *segments, uint64_t *lines,
	struct error *error);

/*
 * text_flush - moves @text to @output.
 * text_flush_full - does so if @text has become long. Writers call it often, so that they need little memory.
 */
static inline void text_flush(struct buffer *text, struct output *output)
{
	output_put(output, text->data, text->size);
	text->size = 0;
}

static inline void text_flush_full(struct buffer *text, struct output *output)
{
	if (text->size >= 1u << 16)
		text_flush(text, output);
}

#endif
