/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_values.h - writes the value data of a profile that is being rebuilt. The value sites come
 * from the records, and their values come from the capture.
 */
#ifndef BAREPROF_HOST_REBUILD_VALUES_H
#define BAREPROF_HOST_REBUILD_VALUES_H

#include "bytes.h"
#include "error.h"

struct value_source {
	struct bytes
		records; /* the records as they are in the target's memory; all records have the same raw version */
	size_t record_count;
	unsigned int version;
	unsigned int width; /* pointer width in bytes */
	bool big; /* the target is big-endian */
	struct bytes counts; /* the number of values of each site, 1 byte each; empty: no site has values */
	struct bytes pairs; /* values and their counts, site by site */
};

/*
 * rebuild_values_check - checks that the number of values in @parts->pairs is the sum of the numbers
 * in @parts->counts. Errors: INVALID_INPUT.
 */
enum status rebuild_values_check(const struct value_source *parts, struct error *error);

/*
 * rebuild_values - appends a block for each record that has value sites. rebuild_values_check()
 * must have accepted @parts before.
 */
void rebuild_values(struct buffer *out, const struct value_source *parts);

#endif
