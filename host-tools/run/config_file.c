/* SPDX-License-Identifier: BSD-2-Clause */
/* config_file.c - splits a configuration file into keys and values. */
#include "config_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

/*
 * Ends the line at @line with a zero. If the next lines continue this line, the function first joins them with this
 * line. Returns the next line, or NULL.
 */
static char *next_line(char *line, unsigned int *number)
{
	char *end = strchr(line, '\n');

	/* A comment ends with its line, even if the line ends in a backslash. */
	while (end && end > line && end[-1] == '\\' && *line != '#') {
		end[-1] = end[0] = ' ';
		end = strchr(end, '\n');
		++*number;
	}
	if (!end)
		return NULL;
	*end = 0;
	++*number;
	return end + 1;
}

enum status config_file_read(struct bytes text,
	enum status (*set)(void *context, const char *key, const char *value, struct error *error), void *context,
	struct error *error)
{
	struct buffer copy = {0};
	enum status status = STATUS_OK;
	unsigned int number = 1;
	unsigned int first;
	char *next;

	if (text.size && memchr(text.data, 0, text.size))
		return error_set(error, STATUS_INVALID_INPUT, "is not a text file: it contains a zero byte");
	buffer_add(&copy, text.data, text.size);
	buffer_string(&copy);
	for (next = (char *)copy.data; next && status == STATUS_OK;) {
		char *line = next;
		char *value;
		struct error reason;

		first = number;
		next = next_line(line, &number);
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		value = strchr(line, '=');
		if (value) {
			*value++ = 0;
			status = set(context, trim(line), trim(value), &reason);
		} else {
			status = error_set(
				&reason, STATUS_INVALID_INPUT, "'%.200s' does not have the form 'key = value'", line);
		}
		if (status != STATUS_OK)
			error_set(error, status, "line %u: %.3900s", first, reason.text);
	}
	buffer_free(&copy);
	return status;
}
