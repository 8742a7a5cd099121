/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_write.h - writes a raw profile from its sections, in any raw version, byte order and
 * pointer width.
 */
#ifndef BAREPROF_HOST_RAW_WRITE_H
#define BAREPROF_HOST_RAW_WRITE_H

#include "raw_profile.h"

/* A record, independent of the raw version. */
struct raw_record {
	uint64_t name; /* reference to the name */
	uint64_t hash; /* structural hash */
	uint64_t address; /* of the function */
	uint64_t counters; /* offset in the counter section */
	uint64_t bitmap; /* offset in the bitmap section */
	uint32_t counter_count;
	uint32_t bitmap_size;
	uint16_t value_sites[RAW_VALUE_KINDS];
};

/*
 * The content of a raw profile. The contents of the slices already have the byte order and the
 * pointer width of that profile.
 */
struct raw_image {
	uint64_t version_word;
	unsigned int width; /* of a pointer, bytes */
	bool big; /* big-endian */
	const struct raw_record *records;
	uint64_t record_count;
	/* By enum bareprof_section. The build ids come from raw_build_ids(); BAREPROF_DATA is not used. */
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes values; /* value data */
};

/* raw_write - appends the profile to @out. */
void raw_write(struct buffer *out, const struct raw_image *image);

/*
 * raw_write_header - appends the words of @header that exist in the raw version that @header
 * names; @big: in big-endian order.
 */
void raw_write_header(struct buffer *out, const uint64_t *header, bool big);

/* raw_build_ids - appends the build ids of @profile to @out, in the format of raw version @version. */
void raw_build_ids(const struct raw_profile *profile, unsigned int version, struct buffer *out);

#endif
