/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments.h - what the words of arguments mean, wherever they stand: in options, in
 * names of live sources, in files that describe a run.
 */
#ifndef BAREPROF_HOST_ARGUMENTS_H
#define BAREPROF_HOST_ARGUMENTS_H

#include "bytes.h"

/* argument_number - is all of @text a number in decimal digits, from @min to @max? */
bool argument_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* argument_seconds - is it a number of seconds, above 0? argument_percent - a number from 0 to 100? */
bool argument_seconds(const char *text, double *seconds);
bool argument_percent(const char *text, double *percent);

/* argument_text - @text with \n, \r, \t, \\ and \xHH decoded; the caller frees the result. */
struct buffer argument_text(const char *text);

/* argument_bad_escape - the first backslash in @text that argument_text() would leave as it is or misread; NULL: none. */
const char *argument_bad_escape(const char *text);

#endif
