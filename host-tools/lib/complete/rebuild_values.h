/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_values.h - writes the value data of a profile that is rebuilt: the value sites come
 * from the records, and their values from the capture.
 */
#ifndef BAREPROF_HOST_REBUILD_VALUES_H
#define BAREPROF_HOST_REBUILD_VALUES_H

#include "bytes.h"
#include "error.h"

struct value_source {
	struct bytes records; /* the records as in the memory of the target; all have one version */
	size_t record_count;
	unsigned int version;
	unsigned int width; /* of a pointer, bytes */
	bool big; /* big-endian */
	struct bytes counts; /* the number of values of each site, one byte each; empty: no site has values */
	struct bytes pairs; /* values and their counts, site by site */
};

/* rebuild_values_check - checks that the number of pairs in @parts is the sum of its counts. Errors: INVALID_INPUT. */
enum status rebuild_values_check(const struct value_source *parts, struct error *error);

/* rebuild_values - appends a block for each record that has sites. rebuild_values_check() must have succeeded. */
void rebuild_values(struct buffer *out, const struct value_source *parts);

#endif
