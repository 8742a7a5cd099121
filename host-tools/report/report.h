/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - the steps of `bareprof report`: read the pairs of program and profile, merge the
 * profiles into one, run llvm-cov.
 */
#ifndef BAREPROF_HOST_REPORT_H
#define BAREPROF_HOST_REPORT_H

#include "covmap.h"
#include "elf_info.h"
#include "input.h"
#include "lcov.h"
#include "llvm.h"
#include "profile_read.h"

/* The profiles in a file. */
struct report_profile {
	struct input input;
	struct dump_receiver dump;
	struct bytes raw; /* the raw profiles, from the file or from the dump in it */
	struct buffer fixed; /* the raw profiles after weak duplicates were fixed, if there were any */
	bool other; /* indexed or text: llvm-profdata reads the file as it is */
};

/* A program and its profile. */
struct report_pair {
	const char *elf_path;
	const char *profile_path;
	struct programs programs; /* the program, which completes captures of counters */
	struct completion_report report;
	struct elf_info elf;
	struct report_profile profile;
	struct raw_profile first; /* the first raw profile in the file; all zeros: there is none */
	struct llvm llvm; /* the tools that read the profile */
	bool checked; /* program and profile have the same build id */
	uint64_t records; /* number of records in the first raw profile; 0: unknown */
	char *object; /* path of the program for llvm-cov */
};

/* Numbers of functions, of a program with one or several profiles. */
struct report_functions {
	uint64_t in_profile;
	uint64_t mapped; /* functions of the profile that have a coverage mapping */
	uint64_t unused; /* functions that have a mapping, but are not in the profile */
};

/* The caller fills in the upper part, the rest starts as zeros. report_free() frees what the steps made. */
struct report {
	char **operands; /* program and profile of each pair */
	size_t count; /* number of pairs */
	unsigned int llvm_release; /* argument of --llvm; 0: not given */
	bool partial; /* accept incomplete captures, and keep what arrived completely */
	struct path_map *maps;
	size_t map_count;

	struct report_pair *pairs;
	struct covmap *covmaps; /* one for each pair; NULL: the mapping cannot be read, and nothing is renamed */
	const char *subject; /* the file or argument that an error is about */
	const struct llvm *llvm; /* the newest tools of all pairs */
	char *folder; /* path of the temporary folder */
	char *indexed; /* path of the merged profile in the temporary folder */
	struct report_functions functions; /* numbers of functions of the first pair */
	size_t impossible; /* functions with impossible counts, in all profiles */
	struct lcov lcov;
	bool lcov_read;
};

/* report_read - reads and checks all pairs, and chooses the tools for each. Errors: SYSTEM, INVALID_INPUT, USAGE. */
enum status report_read(struct report *report, struct error *error);

/* report_prepare - merges the profiles, and renames files and functions. Errors: SYSTEM, INVALID_INPUT. */
enum status report_prepare(struct report *report, struct error *error);

/* report_pair_indexed - returns the path of the indexed profile of pair @i alone; the caller frees it. */
char *report_pair_indexed(const struct report *report, size_t i);

/*
 * report_impossible - looks for counts of 2^63 and more in each profile, prints a warning for each profile that has
 * them, and sets report->impossible. Makes the counts 0 in report->covmaps. Errors: SYSTEM, INVALID_INPUT.
 */
enum status report_impossible(struct report *report, struct error *error);

/*
 * report_tool - runs the command @words, which ends with NULL. @output and the errors are
 * the same as in report_cov().
 */
enum status report_tool(const char *const *words, struct buffer *output, struct error *error);

/*
 * report_cov - runs llvm-cov @verb on all programs, with the further words @more, which end with NULL
 * (@more NULL: none). Appends its output to @output, or prints it if @output is NULL.
 * Errors: SYSTEM, INVALID_INPUT; llvm-cov itself prints why it failed.
 */
enum status report_cov(
	struct report *report, const char *verb, const char *const *more, struct buffer *output, struct error *error);

/*
 * report_table - prints the table of llvm-cov, with MC/DC if @mcdc. If its number of functions differs from that of
 * the profile or the records of a single program, prints why. Errors as report_cov().
 */
enum status report_table(struct report *report, bool mcdc, struct error *error);

/*
 * report_count_functions - counts the functions of @model, which is the profile of a program with the mapping
 * @covmap. report_find_function - returns the function of @model that has the counters for @regions, or NULL.
 */
struct report_functions report_count_functions(const struct covmap *covmap, struct model *model);
const struct function *report_find_function(
	const struct covmap *covmap, struct model *model, const struct covmap_regions *regions);

/* report_totals - reads the totals of lines and of MC/DC conditions from llvm-cov. Errors as report_cov(). */
enum status report_totals(
	struct report *report, struct lcov_rate *lines, struct lcov_rate *conditions, struct error *error);

/* report_lcov - fills in report->lcov, once. Errors as report_cov(). */
enum status report_lcov(struct report *report, struct error *error);

/*
 * report_diff - computes the coverage of the lines that differ between git revision @base and the files on disk,
 * and sets *@lines to this coverage. If @print is set, prints a table and the lines that are not covered. Errors:
 * SYSTEM, INVALID_INPUT.
 */
enum status report_diff(
	struct report *report, const char *base, bool print, struct lcov_rate *lines, struct error *error);

void report_free(struct report *report);

#endif
