/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_ranges.h - the runs of machine code, as counts of ranges and branches for llvm-profgen. */
#ifndef BAREPROF_HOST_SAMPLE_RANGES_H
#define BAREPROF_HOST_SAMPLE_RANGES_H

#include "sample_profile.h"
#include "sampleprof_file.h"

/* All zeros before its first use; sample_ranges_free() frees its memory. */
struct sample_ranges {
	struct sampleprof_range *list; /* the blocks that ran */
	size_t count;
	size_t room;
	/* the jumps between them, and for each function a branch from address 0, because its callers are not known */
	struct sampleprof_branch *branches;
	size_t branch_count;
	size_t branch_room;
};

/* sample_ranges_make - fills in @ranges, which must be empty. @samples must be sorted. */
void sample_ranges_make(struct sample_ranges *ranges, const struct sample_program *program,
	const struct samples *samples, struct sample_losses *losses);
void sample_ranges_free(struct sample_ranges *ranges);

#endif
