/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments.h - what the arguments of options mean, where several commands agree.
 */
#ifndef BAREPROF_HOST_ARGUMENTS_H
#define BAREPROF_HOST_ARGUMENTS_H

#include "bytes.h"

/* value_text - @text with \n, \r, \t, \\ and \xHH decoded; the caller frees the result. */
struct buffer value_text(const char *text);

/* value_bad_escape - the first backslash in @text that value_text() would leave as it is or misread; NULL: none. */
const char *value_bad_escape(const char *text);

/* value_time - the number of seconds in @text, more than 0; false if that is none. */
bool value_time(const char *text, double *seconds);

/* value_seconds - the same for --timeout; says so if that is none. */
bool value_seconds(const char *text, double *seconds);

/* value_count - the whole number from 0 to @most in @text for --@option; says so and is false if that is none. */
bool value_count(const char *option, const char *text, unsigned int most, unsigned int *count);

/* seconds_now - time that never jumps. */
double seconds_now(void);

#endif
