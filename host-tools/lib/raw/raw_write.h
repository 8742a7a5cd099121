/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_write.h - put a raw profile together from its parts, in any version, byte
 * order and pointer width.
 */
#ifndef BAREPROF_HOST_RAW_WRITE_H
#define BAREPROF_HOST_RAW_WRITE_H

#include "raw_profile.h"

/* A record without what differs from version to version. */
struct raw_record {
	uint64_t name;
	uint64_t hash;
	uint64_t address; /* of the function */
	uint64_t counters; /* offset in the counter section */
	uint64_t bitmap; /* offset in the bitmap section */
	uint32_t counter_count;
	uint32_t bitmap_size;
	uint16_t value_sites[RAW_VALUE_KINDS];
};

/* What is written. Views are of the profile's byte order and width. */
struct raw_image {
	uint64_t version_word;
	unsigned int width; /* of a pointer */
	bool big;
	const struct raw_record *records;
	uint64_t record_count;
	/* By enum bareprof_section; build ids as the version wants them; that of the records is not used. */
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes values; /* value data */
};

/* raw_write - append the profile to @out. */
void raw_write(struct buffer *out, const struct raw_image *image);

/* raw_write_header - append the words of @header that its version has. */
void raw_write_header(struct buffer *out, const uint64_t *header, bool big);

/* raw_build_ids - append the build ids of @profile to @out, as a profile of @version has them. */
void raw_build_ids(const struct raw_profile *profile, unsigned int version, struct buffer *out);

#endif
