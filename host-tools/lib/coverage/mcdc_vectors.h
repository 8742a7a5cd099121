/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc_vectors.h - from the conditions of a decision and the bitmap to the result of the decision.
 */
#ifndef BAREPROF_HOST_MCDC_VECTORS_H
#define BAREPROF_HOST_MCDC_VECTORS_H

#include "mcdc.h"

/* A decision whose conditions were found. */
struct mcdc_decision {
	const struct region *region;
	const struct region **conditions; /* by their numbers; there are region->condition_count */
	uint16_t *order; /* the numbers of the conditions, in the order of llvm-cov */
};

/*
 * mcdc_evaluate - computes the result of @decision, and calls request->found. @scratch gets the memory that is needed
 * during the call.
 */
void mcdc_evaluate(struct mcdc_request *request, const struct mcdc_decision *decision, struct arena *scratch);

#endif
