/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cutoffs.h - the cutoffs in the summary of a profile. Each cutoff belongs to a share of the sum of all counts. It
 * contains the lowest count of the hottest blocks that together make up this share. Compilers use cutoffs to
 * distinguish hot code from cold code.
 */
#ifndef BAREPROF_HOST_CUTOFFS_H
#define BAREPROF_HOST_CUTOFFS_H

#include "bytes.h"

#define SUMMARY_CUTOFFS 16u
/*
 * Only counts from this limit on are sorted. Most counts are below the limit. For each count below
 * the limit, a table has the number of blocks with that count.
 */
#define CUTOFFS_SMALL 4096u

struct cutoff {
	uint64_t share; /* a share of the sum of all counts, in millionths: 990000 means 99 % */
	/* the hottest blocks together have this share of all counts; this is the lowest count among them */
	uint64_t min_count;
	uint64_t blocks; /* number of these hottest blocks */
};

/* All counts of a profile. Before its first use it is all zeros; cutoffs_free() frees its memory. */
struct cutoffs {
	uint64_t total; /* sum of all counts; saturates */
	uint64_t small[CUTOFFS_SMALL]; /* for each count below CUTOFFS_SMALL, the number of blocks that have it */
	uint64_t *large; /* all counts that are not below CUTOFFS_SMALL */
	size_t count;
	size_t room;
};

/* cutoffs_add - adds the count of a block. The function is inline because profiles have millions of blocks. */
static inline void cutoffs_add(struct cutoffs *cutoffs, uint64_t count)
{
	cutoffs->total = add_saturating(cutoffs->total, count);
	if (count < CUTOFFS_SMALL) {
		cutoffs->small[count]++;
		return;
	}
	cutoffs->large = array_grow(cutoffs->large, cutoffs->count, &cutoffs->room, sizeof(*cutoffs->large));
	cutoffs->large[cutoffs->count++] = count;
}

/* cutoffs_find - sets @cutoff to the SUMMARY_CUTOFFS cutoffs of LLVM, with ascending shares. Sorts @cutoffs. */
void cutoffs_find(struct cutoffs *cutoffs, struct cutoff *cutoff);
void cutoffs_free(struct cutoffs *cutoffs);

#endif
