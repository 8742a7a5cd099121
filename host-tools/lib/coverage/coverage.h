/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage.h - the coverage of the source of one or more programs: their mappings together with the counts of a profile.
 * Its numbers are those of the llvm-cov that fits the programs.
 *
 * The summaries of functions are kept. If the coverage of files is needed, the regions are kept too, in a compact form.
 * So a report of a whole kernel takes little memory.
 */
#ifndef BAREPROF_HOST_COVERAGE_H
#define BAREPROF_HOST_COVERAGE_H

#include "coverage_rules.h"
#include "expansion_walk.h"
#include "mapping.h"
#include "mcdc.h"
#include "model.h"
#include "region_judge.h"
#include "segments.h"

/* Of @total things, @covered ran. */
struct rate {
	uint64_t covered;
	uint64_t total;
};

enum {
	RATE_REGIONS,
	RATE_FUNCTIONS,
	RATE_INSTANTIATIONS,
	RATE_LINES,
	RATE_BRANCHES,
	RATE_CONDITIONS, /* MC/DC */
	RATES,
};

/* The coverage of a file, of several files, or of a function (without FUNCTIONS and INSTANTIATIONS). */
struct coverage_summary {
	struct rate rate[RATES];
};

/* A function of a program: an instantiation, if the function is a template or a static inline function. */
struct coverage_function {
	struct bytes name; /* mangled, and without the name of its file */
	uint64_t executions; /* the count of its first region */
	const struct mapping *mapping;
	const struct mapping_record *record;
	const struct function *profile; /* NULL: the profile does not have the function, so all counts are 0 */
	uint32_t file; /* its first file: index in coverage->files; llvm-cov lists the function there */
	uint32_t main_file; /* the file that the summary is about: index in coverage->files, or FILE_NONE */
	uint32_t line; /* start of its first region in the main file; instantiations have it in common */
	uint32_t column;
	uint32_t first_line; /* the line of its first region */
	enum counts_verdict verdict;
	struct coverage_summary summary;
};

#define FILE_NONE UINT32_MAX

/* Selects functions for the summary of a file. Returns true for each function that the summary takes. */
typedef bool (*function_filter)(const void *context, const struct coverage_function *function);

/* Start with coverage_start(), and end with coverage_free(). */
struct coverage {
	struct coverage_rules rules;
	struct file_names *files; /* belongs to the caller */
	struct coverage_function *functions; /* in the order in which they were added */
	size_t count;
	size_t room;
	/* After coverage_finish(): the files that functions have regions in, sorted by name. */
	uint32_t *sources; /* indexes in coverage->files */
	size_t source_count;
	/* After coverage_finish(): the functions that have regions in a file, see coverage_in_file(). */
	size_t *in_file_start;
	uint32_t *in_file;
	uint32_t *by_main_file; /* indexes of the functions that have a main file, by main file and location */
	size_t by_main_count;
	size_t mismatched; /* functions that were left out, because the profile has them with another structural hash */
	size_t nameless; /* functions that were left out, because the program lacks their names */
	/* functions with counts that were left out, because their regions refer to counters that do not exist */
	size_t unusable;
	struct bytes first_unusable; /* the name of the first of them */
	size_t unknown_decisions; /* MC/DC decisions that are too large or damaged, see mcdc.h; nothing of them is covered */
	bool byte_counters;
	uint64_t mapping_size; /* bytes of all mappings together */
	/* The following members belong to coverage.c and coverage_file.c. */
	struct bytes *in_file_stored; /* for each element of @in_file: see file_store.h */
	struct file_coverage *storing; /* NULL: nothing is stored */
	struct buffer stored_text;
	struct arena stored;
	struct function_regions scratch;
	struct segments segments;
	struct expansion_walk walk;
	uint64_t mcdc_work; /* see struct mcdc_request */
	struct function_place *places; /* each function in each of its files */
	size_t place_count;
	size_t place_room;
	uint64_t *seen; /* hash table: hashes of the functions with their files */
	size_t seen_count;
	size_t seen_size;
	uint64_t work; /* see coverage.c */
	uint64_t work_limit;
};

/*
 * coverage_start - makes @coverage ready for coverage_add(), with the rules of this release of LLVM. @files must be true if
 * coverage_file() will be called.
 */
void coverage_start(struct coverage *coverage, struct file_names *names, unsigned int release, bool files);

/*
 * coverage_add - adds the functions of a program with their counts in @model. @mapping and @model must stay valid until
 * coverage_free(). The names in @mapping were added to coverage->files. Errors: INVALID_INPUT (the regions of a function
 * are damaged, or a function has no name).
 */
enum status coverage_add(
	struct coverage *coverage, const struct mapping *mapping, struct model *model, struct error *error);

/* coverage_finish - must be called when all programs were added, and before the functions below. */
void coverage_finish(struct coverage *coverage);
void coverage_free(struct coverage *coverage);

/* coverage_in_file - sets *@count to the number of functions with regions in @file, and returns their indexes. */
const uint32_t *coverage_in_file(const struct coverage *coverage, uint32_t file, size_t *count);

/*
 * coverage_file_summary - sets @summary to the coverage of the functions whose main file is @file. The
 *	instantiations of a function count as one function. For each kind of coverage, this function has the highest
 *	numbers among its instantiations. @filter may be NULL.
 * summary_add - adds @from to @to.
 */
void coverage_file_summary(const struct coverage *coverage, uint32_t file, function_filter filter, const void *context,
	struct coverage_summary *summary);
void summary_add(struct coverage_summary *to, const struct coverage_summary *from);

/* A condition in the source of a file, or in an expansion there. */
struct file_branch {
	struct region region; /* @line and @column are those of the condition itself */
	uint32_t root_line; /* the location of the outermost expansion; without one, of the condition */
	uint32_t root_column;
	uint32_t path; /* index of its path in file_coverage->paths: the locations of the expansions around it */
	uint32_t path_count; /* number of expansions around it */
	uint32_t name; /* nested: the file that has the source of the condition, as an index in coverage->files */
};

/* An MC/DC decision of a function in a file. */
struct file_decision {
	struct region region;
	struct mcdc_result result; /* with its test vectors */
};

/* The coverage of one file. Starts as all zeros, can be used again, and ends with file_coverage_free(). */
struct file_coverage {
	struct segments segments;
	struct file_branch *branches; /* conditions in the source of the file, in the order of the functions */
	size_t branch_count;
	size_t branch_room;
	struct file_branch *nested; /* conditions of expansions in the file, in the order of llvm-cov */
	size_t nested_count;
	size_t nested_room;
	uint64_t *paths; /* for nested branches: the line in the upper 32 bits, the column in the lower ones */
	size_t path_count;
	size_t path_room;
	struct file_decision *decisions;
	size_t decision_count;
	size_t decision_room;
	struct arena arena; /* the results of the decisions */
};

/*
 * coverage_file - computes the coverage of @file from all functions that @filter takes. @filter may be NULL.
 * coverage_function_in_file - computes the coverage of the main file of @function from this function alone.
 */
void coverage_file(struct coverage *coverage, uint32_t file, function_filter filter, const void *context,
	struct file_coverage *out);
void coverage_function_in_file(
	struct coverage *coverage, const struct coverage_function *function, struct file_coverage *out);
void file_coverage_free(struct file_coverage *file);

/*
 * coverage_regions - reads the regions of @function, with their counts, into @regions. Impossible counts are 0.
 * coverage_decisions - appends those MC/DC decisions of @function that are in @file, or all of them if @file is FILE_NONE,
 * to @out. @file is an index in regions->files.
 */
void coverage_regions(
	const struct coverage *coverage, const struct coverage_function *function, struct function_regions *regions);
void coverage_decisions(struct coverage *coverage, const struct coverage_function *function,
	const struct function_regions *regions, uint32_t file, struct file_coverage *out);

/*
 * coverage_store_file - stores what a function with the regions @regions adds to the coverage of @file. *@stored is valid
 * until coverage_free(). Only coverage.c calls it.
 */
void coverage_store_file(struct coverage *coverage, const struct coverage_function *function,
	const struct function_regions *regions, uint32_t file, struct bytes *stored);

/*
 * file_coverage_add_branch - adds a condition in the source of the file.
 * file_coverage_add_nested - adds a condition in an expansion. file_coverage_add_path() has added its path before.
 */
void file_coverage_add_branch(struct file_coverage *file, const struct region *region);
void file_coverage_add_nested(struct file_coverage *file, const struct file_branch *branch);
void file_coverage_add_path(struct file_coverage *file, uint64_t location);

/* file_coverage_start - makes @file empty for a file of @coverage, and keeps its memory. */
void file_coverage_start(struct file_coverage *file, const struct coverage *coverage);

/* function_summary - fills in function->summary from @regions, the regions of @function. coverage_add() calls it. */
void function_summary(
	struct coverage *coverage, struct coverage_function *function, const struct function_regions *regions);

#endif
