/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_open.h - find the parts of a raw profile in a file, and check them.
 */
#ifndef BAREPROF_HOST_RAW_OPEN_H
#define BAREPROF_HOST_RAW_OPEN_H

#include "raw_profile.h"

/* raw_magic - does @file start as a raw profile does? */
bool raw_magic(struct bytes file);

/* So many bytes tell what it is and how long its header. */
#define RAW_START 16u

/*
 * raw_header - read the header at the start of @bytes, of *@size bytes, into
 * *@profile, which else is all zeros. raw_identify - of it only what RAW_START bytes tell.
 * Errors: INVALID_INPUT.
 */
enum status raw_header(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);
enum status raw_identify(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);

/* What follows a header, in its order: @count elements of @size bytes and @pad bytes. */
#define RAW_SECTIONS 8u
struct raw_section {
	const char *what;
	unsigned int section; /* BAREPROF_SECTIONS: none */
	uint64_t count;
	size_t size;
	uint64_t pad;
};

/* raw_section_list - what follows the header of @profile, by its account; value data follows that. */
void raw_section_list(const struct raw_profile *profile, struct raw_section *part);

/*
 * raw_open - read the header at @offset of @file, find and check all sections,
 * and check all records: counters in bounds, none in two records. Free it with
 * raw_close(), for which after an error there is no need. Errors: INVALID_INPUT.
 */
enum status raw_open(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
void raw_close(struct raw_profile *profile);

/*
 * raw_open() in steps. raw_sections() finds all sections and takes what comes after
 * them for value data. raw_records() checks the records; those may leave it out who
 * know them to be sound, as they have seen them before. @each, if there is one,
 * gets every record on the way, when it is known to be sound by itself; what it
 * returns ends the walk if it is not OK; of a weak duplicate it gets what the file says.
 * raw_finish() finds the real end of the value data and that of the profile. Free it
 * with raw_close(), also after an error. Errors: INVALID_INPUT.
 */
typedef enum status raw_each(void *context, uint64_t index, const struct raw_function *function, struct error *error);

enum status raw_sections(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
enum status raw_records(struct raw_profile *profile, raw_each *each, void *context, struct error *error);
enum status raw_finish(struct raw_profile *profile, struct bytes file, struct error *error);

#endif
