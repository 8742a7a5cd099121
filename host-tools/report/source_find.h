/* SPDX-License-Identifier: BSD-2-Clause */
/* source_find.h - finds the file or function that a user means. */
#ifndef BAREPROF_HOST_SOURCE_FIND_H
#define BAREPROF_HOST_SOURCE_FIND_H

#include "report_view.h"

/* What was found: a whole file, or the functions that start at one location in a file. */
struct source_target {
	uint32_t file; /* index in coverage->files */
	size_t *functions; /* indexes in coverage->functions: instantiations of one function; the caller frees them */
	size_t count; /* 0: the whole file is meant */
};

/*
 * source_find - finds what @wanted means. It is the name of a file or the end of its name, from a slash on, or a name of
 * a function: mangled or not, with or without its parameters and the arguments of templates, or the end of such a name,
 * from "::" on. FILE:FUNCTION means a function in a file. If a name fits completely, names that fit in part do not
 * count. Errors: INVALID_INPUT (there is nothing, or there are several; then the text lists them).
 */
enum status source_find(
	const struct report_view *view, const char *wanted, struct source_target *target, struct error *error);

/*
 * plain_name - returns @name without result type, parameters, and arguments of templates. The caller frees it.
 */
char *plain_name(const char *name);

#endif
