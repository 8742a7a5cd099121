/* SPDX-License-Identifier: BSD-2-Clause */
/* conditions.h - the conditions in a file. The counts of all instantiations of a condition are added up. */
#ifndef BAREPROF_HOST_CONDITIONS_H
#define BAREPROF_HOST_CONDITIONS_H

#include "coverage.h"

struct condition {
	uint32_t line; /* location in the file: of the condition, or of the outermost expansion that contains it */
	uint32_t column;
	uint32_t own_line; /* location of the condition itself, which can be in the definition of a macro */
	uint32_t own_column;
	uint32_t end_line;
	uint32_t end_column;
	uint32_t own_file; /* nested: the file of @own_line, as an index in coverage->files; otherwise 0 */
	bool nested; /* the condition is in an expansion */
	uint64_t taken[2]; /* how often it was true, and how often it was false */
	bool folded[2]; /* it is constant, so it is never true, or never false */
	bool difference[2]; /* this count is a difference of counters */
};

/*
 * conditions_of - returns the conditions in @file, sorted by location, and sets *@count to their number. The caller frees
 * the list. @byte_counters is coverage->byte_counters.
 */
struct condition *conditions_of(const struct file_coverage *file, bool byte_counters, size_t *count);

/*
 * conditions_at - returns the condition at a location, or the first of the line if @column is 0. Returns NULL if there is
 * none. Conditions in expansions do not count, unless @column is 0.
 */
const struct condition *conditions_at(const struct condition *list, size_t count, uint32_t line, uint32_t column);

/* condition_lacks - returns whether the condition is never true (@side is 0) or never false (1), but could be. */
static inline bool condition_lacks(const struct condition *condition, unsigned int side)
{
	return !condition->taken[side] && !condition->folded[side];
}

#endif
