/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.h - the option --function of commands that list functions.
 */
#ifndef BAREPROF_HOST_PATTERN_H
#define BAREPROF_HOST_PATTERN_H

#include <regex.h>
#include <stdbool.h>

/*
 * function_pattern - compiles the extended regular expression @text, the argument of --function, to @regex. Returns
 * false after it printed an error. If it returns true, the caller frees @regex with regfree().
 */
bool function_pattern(regex_t *regex, const char *text);

#endif
