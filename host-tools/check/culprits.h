/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.h - the functions that a finding is about, and their source files if the image has
 * a coverage mapping.
 */
#ifndef BAREPROF_HOST_CULPRITS_H
#define BAREPROF_HOST_CULPRITS_H

#include "check.h"
#include "units.h"

/* A list of words. A word is not added if it equals one of the last few words of the list. */
struct words {
	char **list;
	size_t count;
	size_t room;
};

/* Call culprits_start() before the first use, and culprits_end() after the last use. */
struct culprits {
	const struct check *check;
	struct units units;
	struct words files;
	struct words functions;
};

void culprits_start(struct culprits *culprits, const struct check *check);
void culprits_add(struct culprits *culprits, const struct record *record);
/* culprits_text - appends the first few functions and files to @text, as "FUNCTIONS, from FILES". */
void culprits_text(const struct culprits *culprits, struct buffer *text);
/*
 * culprits_add_files - sets the function of @finding to the first function, and adds a fix
 * that lists the files. If no file is known, the fix lists the functions.
 */
void culprits_add_files(const struct culprits *culprits, struct finding *finding, enum fix_location location);
/*
 * culprits_add_fix - sets the function of @finding to the first function, and adds a fix that lists the files to
 * compile again. If no file is known, the fix has the word "everything" in place of the list.
 */
void culprits_add_fix(const struct culprits *culprits, struct finding *finding);
void culprits_end(struct culprits *culprits);

/*
 * record_function - returns the name of a record's function, or the name hash in angle brackets if the name is unknown.
 * The caller frees the text. record_function_at - does the same for the record at offset @at of the section.
 */
char *record_function(const struct check *check, const struct record *record);
char *record_function_at(const struct check *check, size_t at);

#endif
