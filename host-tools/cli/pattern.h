/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.h - regular expressions for names of functions, as in the option --function of many commands.
 */
#ifndef BAREPROF_HOST_PATTERN_H
#define BAREPROF_HOST_PATTERN_H

#include "bytes.h"

#include <regex.h>

/*
 * function_pattern - compiles the extended regular expression @text, the argument of --function, to @regex. Returns
 * false after it printed an error. If it returns true, the caller frees @regex with regfree().
 * named_pattern - does the same for the argument of @option.
 */
bool function_pattern(regex_t *regex, const char *text);
bool named_pattern(regex_t *regex, const char *option, const char *text);

/*
 * function_matches - returns whether @name, the name of a function, matches @regex. The name is copied to @scratch,
 * because regexec() needs a string that ends with a zero byte. The caller frees @scratch after the last call.
 */
bool function_matches(const regex_t *regex, struct bytes name, struct buffer *scratch);

#endif
