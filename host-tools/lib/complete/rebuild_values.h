/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_values.h - the value data of a profile that is rebuilt: the records say what
 * sites there are, the capture what was seen there.
 */
#ifndef BAREPROF_HOST_REBUILD_VALUES_H
#define BAREPROF_HOST_REBUILD_VALUES_H

#include "bytes.h"
#include "error.h"

/* What it is made of. */
struct value_source {
	struct bytes records; /* as the target has them, all of one version */
	size_t record_count;
	unsigned int version;
	unsigned int width; /* of a pointer */
	bool big;
	struct bytes counts; /* of values, a byte for each site; empty: no site has any */
	struct bytes pairs; /* values and their counts, site by site */
};

/* rebuild_values_check - are there as many values as the sites say? Errors: INVALID_INPUT. */
enum status rebuild_values_check(const struct value_source *parts, struct error *error);

/* rebuild_values - append a block for each record that has sites. The parts fit each other, and the records. */
void rebuild_values(struct buffer *out, const struct value_source *parts);

#endif
