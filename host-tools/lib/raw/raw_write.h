/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_write.h - writes a raw profile from its sections. Any raw version, byte order and pointer
 * width is possible.
 */
#ifndef BAREPROF_HOST_RAW_WRITE_H
#define BAREPROF_HOST_RAW_WRITE_H

#include "raw_profile.h"

/* A record in a form that does not depend on the raw version. */
struct raw_record {
	uint64_t name; /* name hash */
	uint64_t hash; /* structural hash */
	uint64_t address; /* address of the function; 0: not known */
	uint64_t counters; /* offset in the section of counters, in bytes */
	uint64_t bitmap; /* offset in the section of bitmaps, in bytes */
	uint32_t counter_count;
	uint32_t bitmap_size;
	uint16_t value_sites[RAW_VALUE_KINDS];
};

/*
 * The content of a raw profile. The bytes in its slices already have the byte order and the pointer
 * width of the profile.
 */
struct raw_image {
	uint64_t version_word;
	unsigned int width; /* pointer width in bytes */
	bool big; /* big-endian */
	const struct raw_record *records;
	uint64_t record_count;
	/*
	 * The section for each number in enum bareprof_section. The build ids come from
	 * raw_build_ids(). The entry BAREPROF_DATA is not used, because @records are written
	 * instead.
	 */
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes values; /* value data */
};

/* raw_write - appends the raw profile @image to @out. */
void raw_write(struct buffer *out, const struct raw_image *image);

/*
 * raw_write_header - appends those header words in @header that exist in the raw version of the profile. The version is
 * one of the words of @header. The words are big-endian if @big is true, otherwise little-endian.
 */
void raw_write_header(struct buffer *out, const uint64_t *header, bool big);

/* raw_build_ids - appends the build ids of @profile to @out, in the form that raw version @version needs. */
void raw_build_ids(const struct raw_profile *profile, unsigned int version, struct buffer *out);

#endif
