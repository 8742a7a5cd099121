/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_targets.h - where the jumps by tables of a function lead. Follows the numbers in registers along all paths from
 * the start of the function to such a jump. So the address of the table and the number of its entries come from the
 * instructions, and nothing is guessed.
 */
#ifndef BAREPROF_HOST_CODE_TARGETS_H
#define BAREPROF_HOST_CODE_TARGETS_H

#include "code_effect.h"
#include "code_map.h"
#include "code_step.h"

/* A function whose instructions have been read. */
struct code_listing {
	const struct image *image;
	const struct code_map *map;
	bool thumb;
	const uint64_t *addresses; /* of each instruction */
	const struct code_step *steps;
	const struct code_effect *effects;
	size_t count;
};

/* The targets of one jump, sorted, each once. */
struct code_targets {
	uint64_t *list;
	size_t count; /* 0: not known */
};

/*
 * code_targets_find - returns the targets of each instruction of @listing, which has code of Arm or AArch64. Returns NULL
 * if no target of a jump by a table is known. code_targets_free - frees them.
 */
struct code_targets *code_targets_find(const struct code_listing *listing);
void code_targets_free(struct code_targets *targets, size_t count);

#endif
