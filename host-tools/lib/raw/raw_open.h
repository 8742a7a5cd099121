/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_open.h - finds the sections of a raw profile in a file, and checks the sections.
 */
#ifndef BAREPROF_HOST_RAW_OPEN_H
#define BAREPROF_HOST_RAW_OPEN_H

#include "raw_profile.h"

/* raw_magic - returns whether @file starts with the magic number of a raw profile. */
bool raw_magic(struct bytes file);

/* The number of bytes at the start of a raw profile that determine its version and the size of its header. */
#define RAW_START 16u

/*
 * raw_header - reads the header at the start of @bytes into *@profile, and stores the size of the header in *@size. All
 * other members of *@profile become zero. Errors: INVALID_INPUT.
 * raw_identify - does the same as raw_header(), but reads only the first RAW_START bytes of the header. These bytes
 * determine the version, the pointer width, the byte order and *@size. Errors: INVALID_INPUT.
 */
enum status raw_header(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);
enum status raw_identify(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);

/* A section of the file: @count elements of @size bytes, and @pad bytes of padding after them. */
#define RAW_SECTIONS 8u
struct raw_section {
	const char *what; /* name of the section in messages */
	/* number in enum bareprof_section; BAREPROF_SECTIONS: the enum does not have this section */
	unsigned int section;
	uint64_t count;
	size_t size;
	uint64_t pad;
};

/*
 * raw_section_list - stores the sections that follow the header of @profile in the array @part,
 * which has RAW_SECTIONS elements. The sections have the order of the file, and the sizes that the
 * header claims. Value data follows the last section.
 */
void raw_section_list(const struct raw_profile *profile, struct raw_section *part);

/*
 * raw_open - reads the header at @offset of @file, finds all sections, and checks all records. The
 * counters of each record must be inside the section of counters, and no counter may belong to two
 * records. If raw_open() succeeds, the caller must call raw_close() in the end. Errors:
 * INVALID_INPUT.
 */
enum status raw_open(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
void raw_close(struct raw_profile *profile);

/*
 * These functions are the steps of raw_open(). The caller must call raw_close() in the end, even
 * after an error. Errors: INVALID_INPUT.
 * raw_sections - finds all sections. All bytes after the last section are treated as value data.
 * raw_records - checks the records. A caller that has already checked the same records need not call
 * raw_records(). If @each is not NULL, raw_records() calls @each for every record whose counters and
 * bitmap are inside their sections. If @each returns a status other than OK, raw_records() stops and returns
 * that status. The records of weak duplicates are passed to @each as they are in the file.
 * raw_finish - finds the end of the value data and the end of the profile.
 */
typedef enum status raw_each(void *context, uint64_t index, const struct raw_function *function, struct error *error);

enum status raw_sections(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
enum status raw_records(struct raw_profile *profile, raw_each *each, void *context, struct error *error);
enum status raw_finish(struct raw_profile *profile, struct bytes file, struct error *error);

#endif
