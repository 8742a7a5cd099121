/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_open.h - finds the sections of a raw profile in a file, and checks them.
 */
#ifndef BAREPROF_HOST_RAW_OPEN_H
#define BAREPROF_HOST_RAW_OPEN_H

#include "raw_profile.h"

/* raw_magic - returns whether @file starts with the magic number of a raw profile. */
bool raw_magic(struct bytes file);

/* The first bytes of a raw profile, which determine the version and the size of the header. */
#define RAW_START 16u

/*
 * raw_header - reads the header at the start of @bytes into *@profile and its size into *@size.
 * The rest of *@profile becomes zero. raw_identify - reads only the first RAW_START bytes of the
 * header: version, pointer width, byte order, and *@size. Errors: INVALID_INPUT.
 */
enum status raw_header(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);
enum status raw_identify(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);

/* A section of the file: @count elements of @size bytes, then @pad bytes. */
#define RAW_SECTIONS 8u
struct raw_section {
	const char *what; /* for messages */
	unsigned int section; /* enum bareprof_section; BAREPROF_SECTIONS: none of them */
	uint64_t count;
	size_t size;
	uint64_t pad;
};

/*
 * raw_section_list - fills in the RAW_SECTIONS sections that follow the header of @profile, in
 * the order of the file and with the sizes that the header claims. Value data follows them.
 */
void raw_section_list(const struct raw_profile *profile, struct raw_section *part);

/*
 * raw_open - reads the header at @offset of @file, finds all sections, and checks all records:
 * their counters are inside the section, and no counter belongs to two records. On success the
 * caller calls raw_close() in the end. Errors: INVALID_INPUT.
 */
enum status raw_open(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
void raw_close(struct raw_profile *profile);

/*
 * raw_open() in steps. After them call raw_close(), also after an error. Errors: INVALID_INPUT.
 *
 * raw_sections() finds all sections and takes everything after them for value data. raw_records()
 * checks the records. Callers that have already checked the same records may skip it. If @each is
 * not NULL, it is called for every record that is valid on its own. If it returns a status other
 * than OK, the walk ends. It gets the records of weak duplicates as they are in the file.
 * raw_finish() finds the ends of the value data and of the profile.
 */
typedef enum status raw_each(void *context, uint64_t index, const struct raw_function *function, struct error *error);

enum status raw_sections(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
enum status raw_records(struct raw_profile *profile, raw_each *each, void *context, struct error *error);
enum status raw_finish(struct raw_profile *profile, struct bytes file, struct error *error);

#endif
