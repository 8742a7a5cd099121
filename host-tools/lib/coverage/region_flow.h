/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_flow.h - finds torn counts whose differences are not below 0. Code cannot run more often than the code around it,
 * unless it is in a loop.
 */
#ifndef BAREPROF_HOST_REGION_FLOW_H
#define BAREPROF_HOST_REGION_FLOW_H

#include "region.h"

/*
 * regions_flow - returns a region that ran more often than the control flow allows, or NULL. Only `switch` is checked:
 * for all other control flow, a difference of counters is below 0. regions_count() must have computed the counts from
 * @count counters. The counts of @regions stay as they are, but the values of its expressions change.
 */
const struct region *regions_flow(struct function_regions *regions, size_t count);

#endif
