/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_show.h - the views of `bareprof sample show`. */
#ifndef BAREPROF_HOST_SAMPLE_SHOW_H
#define BAREPROF_HOST_SAMPLE_SHOW_H

#include "sample_blocks.h"
#include "sample_stacks.h"

/* The samples of one line of source, or the code of this line without samples. */
struct sample_line_tally {
	const char *file; /* NULL: not known */
	uint32_t line; /* 0: not known */
	const char *name; /* the function in the source, which may be inlined; NULL: not known */
	const struct sample_function *function; /* NULL: the code is in no function */
	uint64_t samples;
};

/* The samples to print, and the options that decide which of them are printed, and how. */
struct sample_shown {
	const struct sample_report *report;
	size_t *functions; /* indices of the functions to list, in the order in which they are listed */
	size_t function_count;
	struct sample_line_tally *lines; /* in the order in which they are listed; empty: lines were not asked for */
	size_t line_count;
	bool has_lines; /* lines were asked for */
	struct sample_function_blocks *blocks; /* of each function of the program; NULL: blocks were not asked for */
	bool seen; /* functions and lines without samples are listed, too */
	bool mangled; /* names are printed as they are in the symbol table */
	uint64_t top; /* the maximum number of functions or lines to list; 0: all */
};

/*
 * sample_lines_tally - adds up the samples of each line: most samples first. The caller frees shown->lines.
 * sample_lines_seen - does the same for all lines with code: in the order of files and lines. Code that was inlined
 * counts for the line at which it is in the source.
 */
void sample_lines_tally(
	struct sample_shown *shown, const struct sample_lines *lines, const uint64_t *addresses, struct arena *arena);
void sample_lines_seen(struct sample_shown *shown, struct sample_lines *lines);

/* sample_shown_name - returns the name of the function @index as it is shown. */
const char *sample_shown_name(const struct sample_shown *shown, size_t index);

/* These functions print to standard output: for people, for programs, and as folded stacks. */
void sample_show_text(const struct sample_shown *shown);
void sample_show_seen(const struct sample_shown *shown);
void sample_show_json(const struct sample_shown *shown);
void sample_show_folded(const struct sample_stacks *stacks);

/* sample_flame_graph - appends a page of HTML with a flame graph. @title is the name of the ELF file. */
void sample_flame_graph(struct buffer *html, const struct sample_stacks *stacks, const char *title);

#endif
