/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_view.h - what all views of a report for people need: the coverage, the files, and the names of functions.
 */
#ifndef BAREPROF_HOST_REPORT_VIEW_H
#define BAREPROF_HOST_REPORT_VIEW_H

#include "arena.h"
#include "source_filter.h"

struct condition;

struct report_view {
	struct coverage *coverage;
	const struct source_filter *filter; /* NULL: all files */
	const char **names; /* of coverage->functions, as they are in the source */
	const char *program; /* path of the program, for messages */
	int64_t program_time; /* when the newest program was written, in seconds since 1970; 0: unknown */
	bool color; /* write escape sequences for colours, see terminal.h */
	struct arena arena; /* the memory of @names */
	size_t newer; /* number of sources that uncovered_add() found to be newer than the program */
	uint32_t newer_file; /* the first of them */
};

/*
 * report_view_names - fills in view->names. Returns false if names stay mangled, because there is nothing that demangles
 * them. report_view_free() frees the names.
 */
bool report_view_names(struct report_view *view);
void report_view_free(struct report_view *view);

/*
 * view_local_file - returns the file at the start of the name @name of a profile, which local functions have. It ends with
 * ';', or with ':'. If the name has none, the result has no bytes.
 */
struct bytes view_local_file(struct bytes name);

/*
 * is_end_of_path - returns whether @end is the path @name, or its end after a slash.
 * last_component - returns the part of @path after the last slash.
 */
bool is_end_of_path(struct bytes name, struct bytes end);
struct bytes last_component(struct bytes path);

/*
 * add_own_location - appends where the source of a condition is. @file is the file of the view: another one is named,
 * without its folder.
 */
void add_own_location(
	struct buffer *buffer, const struct report_view *view, uint32_t file, const struct condition *condition);

/* report_view_takes - returns whether the view is about the file with this index in coverage->files. */
bool report_view_takes(const struct report_view *view, uint32_t file);

/*
 * add_safe - appends @text, and writes '?' for control characters except tabs, because a name or source could harm the
 * terminal.
 */
void add_safe(struct buffer *buffer, struct bytes text);
void add_safe_text(struct buffer *buffer, const char *text);

/*
 * report_view_common - returns the length of the folder that all @count files have in common, with the slash at its end.
 * @files are sorted by name.
 */
size_t report_view_common(const struct report_view *view, const uint32_t *files, size_t count);

/* hundredths - returns the part of @rate that is covered, in hundredths of a percent. Nothing to cover is 0. */
uint64_t hundredths(struct rate rate);

/* add_percent - appends the part of @rate that is covered, such as " 97.50%", or "      -" if there is nothing to cover. */
void add_percent(struct buffer *buffer, struct rate rate);

/* missing - returns the part of @rate that is not covered. */
static inline uint64_t missing(struct rate rate)
{
	return rate.total - rate.covered;
}

/* add_short_count - appends @count with at most three digits and a unit: 999, 1.23k, 12.3k, 123M. */
void add_short_count(struct buffer *buffer, uint64_t count);

/* Escape sequences, which color_start() writes only if view->color is true. */
enum color {
	COLOR_MISSED, /* source that did not run */
	COLOR_BAD, /* a number that shows that something is missing */
	COLOR_PARTLY,
	COLOR_GOOD,
	COLOR_TITLE,
};

void color_start(struct buffer *buffer, const struct report_view *view, enum color color);
void color_end(struct buffer *buffer, const struct report_view *view);

/*
 * add_rate_columns - appends three columns with the width RATE_COLUMNS_WIDTH: how many there are, how many are missing,
 * and the part that is covered.
 * add_rate_titles - appends the titles of the columns that add_rate_columns() fills. @title names what is counted, such
 *	as "Lines".
 */
#define RATE_COLUMNS_WIDTH 28
void add_rate_columns(struct buffer *buffer, const struct report_view *view, struct rate rate);
void add_rate_titles(struct buffer *buffer, const char *title);

#endif
