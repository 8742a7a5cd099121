/* SPDX-License-Identifier: BSD-2-Clause */
/* uncovered_listing.h - the items of one file, which uncovered.c and uncovered_conditions.c collect. */
#ifndef BAREPROF_HOST_UNCOVERED_LISTING_H
#define BAREPROF_HOST_UNCOVERED_LISTING_H

#include "conditions.h"
#include "report_view.h"
#include "source_text.h"

/* A function, from its first to its last region. */
struct extent_of_function {
	uint32_t line;
	uint32_t column;
	uint32_t end_line;
	uint32_t end_column; /* the first column after the function */
	uint32_t index; /* in coverage->functions */
	bool ran; /* at least one instantiation ran */
};

/* Lines that did not run. */
struct range {
	uint64_t first;
	uint64_t last;
};

struct item {
	uint32_t line;
	uint32_t column;
	size_t order; /* the order in which items were added */
	char *text;
};

struct listing {
	struct report_view *view;
	uint32_t file;
	struct source_text source;
	struct file_coverage data;
	struct extent_of_function *functions; /* sorted by location; one for each location */
	size_t function_count;
	size_t function_room;
	struct condition *conditions;
	size_t condition_count;
	struct range *ranges; /* those that have an item, by line */
	size_t range_count;
	size_t range_room;
	struct item *items;
	size_t count;
	size_t room;
};

/* listing_add - adds an item, and takes the text from @text. */
void listing_add(struct listing *listing, uint32_t line, uint32_t column, struct buffer *text);

/* listing_add_name - appends the name of @function to @text, if it is not NULL: ", in NAME". */
void listing_add_name(struct listing *listing, struct buffer *text, const struct extent_of_function *function);

/*
 * listing_function - returns the innermost function that contains a part of @line, or NULL.
 * listing_function_at - returns the innermost function that contains a location, or NULL. Several functions can be in one
 *	line.
 */
const struct extent_of_function *listing_function(const struct listing *listing, uint64_t line);
const struct extent_of_function *listing_function_at(const struct listing *listing, uint32_t line, uint32_t column);

/*
 * listing_is_macro - returns whether @line is in the definition of a macro. The lines that use the macro have items for
 * what it lacks. Other lines outside of functions are in files that are included in a function.
 */
bool listing_is_macro(const struct listing *listing, uint64_t line);

/* listing_missed - returns whether @line is in a range that has an item. */
bool listing_missed(const struct listing *listing, uint64_t line);

/* listing_add_conditions - adds the items for conditions. */
void listing_add_conditions(struct listing *listing);

#endif
