/* SPDX-License-Identifier: BSD-2-Clause */
/* first_names.h - counts functions for a message, and keeps the names of the first three. */
#ifndef BAREPROF_HOST_FIRST_NAMES_H
#define BAREPROF_HOST_FIRST_NAMES_H

#include "bytes.h"

/* Before its first use it is all zeros; first_names_free() frees its memory. */
struct first_names {
	struct buffer names;
	uint64_t count; /* of all functions that were added */
};

/*
 * first_names_add - adds a function. @name may be empty, if it is not known.
 * first_names_text - appends text such as "a, b, c and 2 more" to @text.
 */
void first_names_add(struct first_names *list, struct bytes name);
void first_names_text(struct first_names *list, struct buffer *text);
void first_names_free(struct first_names *list);

#endif
