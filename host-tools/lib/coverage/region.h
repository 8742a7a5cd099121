/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region.h - the regions of one function, with their counts. The regions in the file have operands, which are counters,
 * or sums and differences of counters. So the counts are computed when a function is read.
 */
#ifndef BAREPROF_HOST_REGION_H
#define BAREPROF_HOST_REGION_H

#include "bytes.h"

/* The numbers are those of the file and of llvm-cov's JSON. */
enum region_kind {
	REGION_CODE,
	REGION_EXPANSION, /* a macro or an included file, whose regions are in another file of the function */
	REGION_SKIPPED, /* source that the preprocessor left out */
	REGION_GAP, /* white space after code, whose count only matters for lines without code */
	REGION_BRANCH, /* a condition */
	REGION_DECISION, /* MC/DC: a decision that consists of several conditions */
	REGION_CONDITION, /* MC/DC: a condition of a decision */
};

/* The number of a condition that follows none. */
#define CONDITION_NONE (-1)

struct region {
	uint32_t line; /* the first line is 1 */
	uint32_t column;
	uint32_t end_line;
	uint32_t end_column; /* the first column after the region */
	uint32_t file; /* index in function_regions->files; the first file is 0 */
	uint32_t expanded; /* EXPANSION: index of the file that has the regions of the expansion; otherwise 0 */
	uint32_t operand[2]; /* of the count, as in the file; a condition has two: of the counts of true and false */
	uint64_t count; /* how often the code ran; a condition: how often it was true */
	uint64_t false_count; /* a condition: how often it was false */
	/* DECISION: the end of its test vectors in the bitmap (clang 19: in bits), and its number of conditions */
	uint32_t bitmap_end;
	uint16_t condition_count;
	/* CONDITION: its number in its decision, and the numbers of those that follow if it is false or true */
	int16_t condition;
	int16_t next[2];
	bool folded[2]; /* a condition: it is constant, so it is never true (0) or never false (1) */
	enum region_kind kind : 8;
};

/* location - returns a location in a source as one number: the line in the upper 32 bits, the column in the lower ones. */
static inline uint64_t location(uint32_t line, uint32_t column)
{
	return (uint64_t)line << 32 | column;
}

_Static_assert(sizeof(struct region) == 64, "a region has the size of a cache line");

/* The bits of an operand that are 0 if its count is always 0. They have this value if it is a difference of counters. */
#define REGION_OPERAND_TAG        3u
#define REGION_OPERAND_DIFFERENCE 2u

/*
 * region_is_condition - returns whether @region is a condition, which has two counts.
 * region_is_counted - returns whether @region is a part of the source with one count.
 * region_is_difference - returns whether the count of a condition for true (@side is 0) or false (1) is a difference of
 *	counters.
 */
static inline bool region_is_condition(const struct region *region)
{
	return region->kind == REGION_BRANCH || region->kind == REGION_CONDITION;
}

static inline bool region_is_counted(const struct region *region)
{
	return !region_is_condition(region) && region->kind != REGION_DECISION;
}

static inline bool region_is_difference(const struct region *region, unsigned int side)
{
	return (region->operand[side] & REGION_OPERAND_TAG) == REGION_OPERAND_DIFFERENCE;
}

/*
 * A file of a function. The same source can be several files: one for each expansion, because the regions have other
 * counts in each expansion.
 */
struct function_file {
	uint32_t name; /* index in the file names */
	uint32_t first; /* index of its first region in function_regions->list */
	uint32_t count;
	bool expansion; /* an expansion has its regions in this file */
	uint32_t operand; /* belongs to region_read.c, like the following member */
	uint8_t state;
};

/*
 * The regions of a function. Starts as all zeros. It can be used again for the next function, which is faster than new
 * memory for each. End with function_regions_free().
 */
struct function_regions {
	struct region *list; /* in the order of the file, so those of one file are together */
	size_t count;
	size_t room;
	struct function_file *files;
	size_t file_count;
	size_t file_room;
	/* The kinds of regions that the function has. Later steps skip the work for other kinds. */
	bool has_expansions;
	bool has_conditions;
	bool has_decisions;
	bool has_blank_gaps; /* gaps without a count */
	bool in_order; /* each expansion is in a file that comes before the file of its regions */
	/* Also, expansions lead from the first file to every other file, so the first file is the main file. */
	bool connected;
	bool has_counts; /* after regions_count(): a count is not 0 */
	bool has_impossible; /* after regions_count(): a count is 2^63 or more */
	uint32_t counters; /* 1 more than the highest counter to which a region or an expression refers */
	/* The following members belong to region_counts.c. */
	struct expression *expressions;
	size_t expression_count;
	size_t expression_room;
	uint32_t *stack;
	size_t stack_room;
};

/*
 * regions_read - reads the regions in @bytes, without their counts. @list_files are the files of the function's list, of
 * which there are @list_count. Returns NULL, or a text that says what is wrong, such as "a region ends before it begins".
 */
const char *regions_read(
	struct function_regions *regions, struct bytes bytes, const uint32_t *list_files, size_t list_count);

/*
 * regions_count - computes the counts of the regions from the @count counters. @counters is NULL if the profile does not
 * have the function: then all counts are 0. Returns false if a region refers to a counter that does not exist, or if an
 * expression contains itself. Then the counts are not valid, and the function must be left out, as llvm-cov does. If all
 * counters are 0, all counts are 0, too, and it is not noticed that an expression contains itself.
 *
 * Without counters, the counters that exist are those up to the last one to which a count of a region refers. The counts
 * of false can refer to more.
 */
bool regions_count(struct function_regions *regions, const uint64_t *counters, size_t count);

/* regions_main_file - returns the file that is the target of no expansion, or file_count if there is none. */
size_t regions_main_file(const struct function_regions *regions);

/* regions_are_dummy - returns whether @bytes are only a mark that an object does not use a function. */
bool regions_are_dummy(struct bytes bytes);

void function_regions_free(struct function_regions *regions);

#endif
