/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments.h - parses numbers, times and escapes, in the arguments of options, in the
 * names of live sources and in configuration files.
 */
#ifndef BAREPROF_HOST_ARGUMENTS_H
#define BAREPROF_HOST_ARGUMENTS_H

#include "bytes.h"

/*
 * argument_number - returns whether @text is a decimal number from @min to @max. If it is, stores the number in
 * *@number.
 */
bool argument_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* argument_seconds - returns whether @text is a number of seconds above 0. If it is, stores the number in *@seconds. */
bool argument_seconds(const char *text, double *seconds);

/* argument_percent - returns whether @text is a number from 0 to 100. If it is, stores the number in *@percent. */
bool argument_percent(const char *text, double *percent);

/* argument_text - returns @text with the escapes \n, \r, \t, \\ and \xHH decoded. The caller frees the buffer. */
struct buffer argument_text(const char *text);

/*
 * argument_bad_escape - returns the first backslash in @text that does not begin \n, \r, \t, \\ or \xHH. If there is no
 * such backslash, returns NULL.
 */
const char *argument_bad_escape(const char *text);

#endif
