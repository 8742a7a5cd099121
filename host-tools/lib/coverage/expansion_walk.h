/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expansion_walk.h - goes through the expansions in a file of a function, and through those within them.
 */
#ifndef BAREPROF_HOST_EXPANSION_WALK_H
#define BAREPROF_HOST_EXPANSION_WALK_H

#include "region.h"

struct expansion_walk {
	const struct function_regions *regions;
	/*
	 * Called for the file of each expansion, after the files of the expansions in it: that is llvm-cov's order. @path
	 * are the @depth expansions around the file, the outermost first.
	 */
	void (*visit)(struct expansion_walk *walk, uint32_t file, const uint32_t *path, size_t depth);
	void *context;
	/* The following members belong to expansion_walk.c. */
	uint32_t *path; /* indexes of expansions in regions->list */
	uint32_t *next; /* for each of them: the region in its file that comes next */
	size_t room;
	bool *visited;
	size_t visited_room;
};

/*
 * expansions_in_file - goes through all expansions in the file @file, in the order of their regions.
 * expansion_inside - goes through the expansion with the index @expansion in regions->list, and those within it.
 * Each file of a function is visited at most once in a call, so that mappings whose files contain each other do no harm.
 * A walk starts as all zeros, apart from @regions, @visit and @context, and ends with expansion_walk_free().
 */
void expansions_in_file(struct expansion_walk *walk, uint32_t file);
void expansion_inside(struct expansion_walk *walk, uint32_t expansion);
void expansion_walk_free(struct expansion_walk *walk);

#endif
