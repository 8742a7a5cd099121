/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_filter.h - which source files a report is about. All outputs use the same filter, so that their totals agree.
 * With the same filter, the totals are those of llvm-cov.
 */
#ifndef BAREPROF_HOST_SOURCE_FILTER_H
#define BAREPROF_HOST_SOURCE_FILTER_H

#include "coverage.h"

#include <regex.h>

/* A filter. One that is all zeros takes every file. Ends with source_filter_free(). */
struct source_filter {
	regex_t *ignored; /* a file whose name matches one of these is left out */
	size_t ignored_count;
	struct source_place *places; /* only files in these are taken; none: all files */
	size_t place_count;
	const char *const *ignored_texts; /* the arguments, ended by NULL; NULL: none */
	const char *const *sources;
};

/*
 * source_filter_start - fills in @filter. @ignored are the arguments of --ignore-filename, extended regular expressions
 * that may match any part of a name, as -ignore-filename-regex of llvm-cov does. @sources are the arguments of
 * --sources, names of files and folders, which need not exist. Both lists end with NULL, and must stay valid. Returns
 * false after it printed an error.
 * source_filter_is_used - returns whether the filter can leave out a file.
 */
bool source_filter_start(struct source_filter *filter, const char *const *ignored, const char *const *sources);
bool source_filter_is_used(const struct source_filter *filter);
void source_filter_free(struct source_filter *filter);

/* source_filter_takes - returns whether the report is about the file @name. */
bool source_filter_takes(const struct source_filter *filter, struct bytes name);

/*
 * source_filter_files - returns the files of coverage->sources that @filter takes, in the same order, and sets *@count to
 * their number. The caller frees the list. @filter may be NULL.
 */
uint32_t *source_filter_files(const struct source_filter *filter, const struct coverage *coverage, size_t *count);

/*
 * source_filter_check - checks that the report has at least one file, and that each PATH of --sources has one. Prints a
 * warning if a REGEX of --ignore-filename matches none. Errors: INVALID_INPUT.
 */
enum status source_filter_check(
	const struct source_filter *filter, const struct coverage *coverage, struct error *error);

#endif
