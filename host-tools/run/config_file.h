/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config_file.h - reads configuration files, which have lines of the form `key = value`. The reader ignores spaces
 * around keys and values, empty lines, and lines that start with #. A line that ends in a backslash continues in the
 * next line.
 */
#ifndef BAREPROF_HOST_CONFIG_FILE_H
#define BAREPROF_HOST_CONFIG_FILE_H

#include "bytes.h"
#include "error.h"

/*
 * config_file_read - calls @set with @context for each line of @text, in order, until @set
 * returns an error. @key and @value are valid only during the call. The text of an error
 * starts with the number of the line. Errors: INVALID_INPUT, or what @set returned.
 */
enum status config_file_read(struct bytes text,
	enum status (*set)(void *context, const char *key, const char *value, struct error *error), void *context,
	struct error *error);

#endif
