/* SPDX-License-Identifier: BSD-2-Clause */
/* first_names.c - counts functions for a message, and keeps the names of the first three. */
#include "first_names.h"

#include <inttypes.h>

#define NAMED_MAX 3

void first_names_add(struct first_names *list, struct bytes name)
{
	if (list->count++ >= NAMED_MAX || !name.size)
		return;
	if (list->names.size)
		buffer_add_text(&list->names, ", ");
	buffer_add(&list->names, name.data, name.size);
}

void first_names_text(struct first_names *list, struct buffer *text)
{
	buffer_add_text(text, buffer_string(&list->names));
	if (list->count > NAMED_MAX)
		buffer_printf(text, " and %" PRIu64 " more", list->count - NAMED_MAX);
}

void first_names_free(struct first_names *list)
{
	buffer_free(&list->names);
	list->count = 0;
}
