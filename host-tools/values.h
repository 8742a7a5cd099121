/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - what the arguments of options mean, where several commands agree.
 */
#ifndef BAREPROF_HOST_VALUES_H
#define BAREPROF_HOST_VALUES_H

#include "bytes.h"

/* value_text - @text with \n, \r, \t, \\ and \xHH decoded; the caller frees the result. */
struct buffer value_text(const char *text);

/* value_seconds - the number of seconds in @text, more than 0; says so and is false if that is none. */
bool value_seconds(const char *text, double *seconds);

/* seconds_now - time that never jumps. */
double seconds_now(void);

#endif
