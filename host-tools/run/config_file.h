/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config_file.h - the language of our description files: lines of `key = value`. Space
 * around key and value does not count; empty lines and lines that start with #
 * do not either. A line that ends in a backslash goes on in the next one.
 */
#ifndef BAREPROF_HOST_CONFIG_FILE_H
#define BAREPROF_HOST_CONFIG_FILE_H

#include "bytes.h"
#include "error.h"

/*
 * config_file_read - call @set with @context for each line of @text, in their order,
 * up to one that it refuses; @key and @value are gone after the call. The error
 * then starts with the number of the line. Errors: INVALID_INPUT, or what @set returned.
 */
enum status config_file_read(struct bytes text,
	enum status (*set)(void *context, const char *key, const char *value, struct error *error), void *context,
	struct error *error);

#endif
