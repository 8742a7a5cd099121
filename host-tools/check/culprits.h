/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.h - the functions that a finding is about, and their source files as far
 * as a coverage mapping has them.
 */
#ifndef BAREPROF_HOST_CULPRITS_H
#define BAREPROF_HOST_CULPRITS_H

#include "check.h"
#include "units.h"

/* A list of words, each once as far as they stand together. */
struct words {
	char **list;
	size_t count;
	size_t room;
};

/* From culprits_start() to culprits_end(). */
struct culprits {
	const struct check *check;
	struct units units;
	struct words files;
	struct words functions;
};

void culprits_start(struct culprits *culprits, const struct check *check);
void culprits_add(struct culprits *culprits, const struct record *record);
/* culprits_text - append the first few, as "of FUNCTIONS, from FILES". */
void culprits_text(const struct culprits *culprits, struct buffer *text);
/* culprits_add_fix - let @finding name the first function, and add what to compile again. */
void culprits_add_fix(const struct culprits *culprits, struct finding *finding);
void culprits_end(struct culprits *culprits);

/* record_function - the function of a record, record_function_at - of that at offset @at; the caller frees it. */
char *record_function(const struct check *check, const struct record *record);
char *record_function_at(const struct check *check, size_t at);

#endif
