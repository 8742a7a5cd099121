/* SPDX-License-Identifier: BSD-2-Clause */
/* mapping_zero.h - changes the mapping of a function so that llvm-cov computes 0 in place of counts of 2^63 or more. */
#ifndef BAREPROF_HOST_MAPPING_ZERO_H
#define BAREPROF_HOST_MAPPING_ZERO_H

#include "mapping.h"

/*
 * mapping_zero - appends the regions of @record to @output. Operands whose value would be 2^63 or more get the value 0.
 * @regions are the regions of @record with their counts, which regions_count() computed from the @count counters.
 */
void mapping_zero(const struct mapping_record *record, const struct function_regions *regions, const uint64_t *counters,
	size_t count, struct buffer *output);

#endif
