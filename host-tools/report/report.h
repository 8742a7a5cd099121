/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - the steps of `bareprof report`: read the pairs of program and profile, merge the profiles into one, compute
 * the coverage, and write it.
 */
#ifndef BAREPROF_HOST_REPORT_H
#define BAREPROF_HOST_REPORT_H

#include "coverage_lcov.h"
#include "elf_info.h"
#include "first_names.h"
#include "input.h"
#include "lcov.h"
#include "llvm.h"
#include "own_records.h"
#include "profile_read.h"
#include "source_filter.h"

/*
 * The functions of a profile are compared with the functions of all programs of the report. These are the numbers of
 * functions with each result.
 */
struct report_functions {
	uint64_t in_profile;
	uint64_t mapped; /* functions with a coverage mapping */
	uint64_t changed; /* functions from another build, which have another structural hash in the mapping */
	/* functions in @changed that have no record in the profile's own program, although the build ids are equal */
	uint64_t foreign;
	uint64_t absent; /* functions that no program has */
	uint64_t duplicates; /* weak duplicates without a mapping; another definition has the mapping */
};

/* Functions that have a mapping in a program, but are not in a profile. */
struct report_lacking {
	/* functions without a record: no code uses them, or the linker removed them */
	uint64_t unused;
	/* functions with a record; if the program's records cannot be read, functions that an object uses */
	struct first_names with_record;
};

/* The profiles in a file. */
struct report_profile {
	struct input input;
	struct dump_receiver dump;
	struct bytes
		raw; /* the raw profiles, from the file or from the dump in it; empty: the file is indexed or text */
};

/* A program and its profile. */
struct report_pair {
	const char *elf_path;
	const char *profile_path;
	struct programs programs; /* the program; a capture of counters gets its records and names from it */
	struct completion_report report;
	struct elf_info elf;
	struct report_profile profile;
	struct raw_profile first; /* the first raw profile in the file; all zeros: there is none */
	struct model model; /* the profile */
	bool model_used;
	struct mapping *mapping; /* of the program; it belongs to struct report */
	struct llvm llvm; /* with --with-llvm, --compare and --html: the tools that fit the program */
	bool checked; /* the build ids were compared, and program and profile have the same build id */
	size_t other_builds; /* number of other build ids in an indexed profile, if @checked is true */
	struct report_functions functions;
	/* the functions of the profile that the report lacks: those in @functions.changed and @functions.absent */
	struct first_names missing;
	struct report_lacking lacking; /* functions that the profile lacks; only for the first pair */
	struct own_records own_records; /* of the program; only report_records() uses it */
	uint64_t records; /* number of records in the first raw profile; 0: unknown */
	char *object; /* path of the program for llvm-cov; NULL: none is needed yet */
};

/*
 * The caller fills in the fields before the empty line, and sets the other fields to zero. report_free() frees the
 * memory that the steps allocated.
 */
struct report {
	char **operands; /* paths of the pairs: program, profile, program, profile, ... */
	size_t count; /* number of pairs */
	unsigned int llvm_release; /* argument of --llvm; 0: not given */
	bool wants_files; /* outputs need the coverage of files, see coverage_file() */
	bool wants_llvm; /* outputs need report_tools() */
	bool partial; /* accept incomplete captures, and keep what arrived completely */
	struct path_map *maps;
	size_t map_count;
	struct source_filter filter; /* report_free() frees it */

	struct report_pair *pairs;
	struct file_names files;
	struct mapping *mappings; /* one for each program, in the order of the pairs */
	size_t mapping_count;
	struct model merged; /* the profile of all pairs, if there are several */
	struct model *model; /* the profile of the report: @merged, or that of the only pair */
	unsigned int release; /* of LLVM, whose rules the report follows */
	struct coverage coverage;
	struct coverage_selection selection;
	uint32_t *selected_files; /* the files that @filter takes */
	const char *subject; /* the file or argument that an error is about */
	const struct llvm *llvm; /* the newest tools of all pairs; NULL: none were looked for */
	char *folder; /* path of the temporary folder; NULL: there is none yet */
	char *indexed; /* path of the merged profile in the temporary folder */
	uint64_t impossible; /* functions with impossible counts, in all profiles */
	bool incomplete; /* the report lacks functions or all sources, and a warning was printed */
	struct lcov lcov;
	bool lcov_read;
};

/* report_read - reads and checks all pairs. Errors: SYSTEM, INVALID_INPUT, USAGE. */
enum status report_read(struct report *report, struct error *error);

/*
 * report_prepare - reads the mappings, merges the profiles, looks for functions that the report will lack, and computes
 * the coverage. Errors: SYSTEM, INVALID_INPUT (also if the report would have no function).
 */
enum status report_prepare(struct report *report, struct error *error);

/*
 * report_impossible - looks for impossible counts in the profile of pair @i. If there are any, prints a warning and adds
 * the number of their functions to report->impossible.
 */
void report_impossible(struct report *report, size_t i);

/* report_match - compares the profile of pair @i with report->mappings, and sets the pair's @functions and @lacking. */
void report_match(struct report *report, size_t i);

/*
 * report_records - returns which functions have records in the program of @pair. The records are read when they are first
 * needed.
 */
struct own_records *report_records(struct report *report, struct report_pair *pair);

/*
 * report_find_lacking - finds the functions in the mapping of the program of @pair that @model lacks. @model is the model
 * of the pair or of the report. @joined is the result of mapping_functions() for the mapping and @model.
 */
void report_find_lacking(struct report *report, struct report_pair *pair, struct model *model,
	struct function *const *joined, struct report_lacking *lacking);

/* report_tell_lacking - prints a warning if the profiles of the program of pair @i lack functions with a record. */
void report_tell_lacking(struct report *report, size_t i);

/*
 * report_tell_missing - prints a warning for each profile whose functions the report lacks, and sets
 * report->incomplete. Errors: INVALID_INPUT if the report would lack the functions of all profiles.
 */
enum status report_tell_missing(struct report *report, struct error *error);

/*
 * report_sources - looks for the source files on disk. Sets *@any to true if at least one exists, otherwise to false.
 * If none exists, prints a warning and sets report->incomplete. @html is true if the caller wants the HTML report. In
 * this case, the function also warns of some missing files, because the HTML report lacks them.
 */
void report_sources(struct report *report, bool html, bool *any);

/* report_is_one_program - returns whether all pairs have the same program. */
bool report_is_one_program(const struct report *report);

/*
 * report_tools - finds the tools of LLVM that fit the programs, writes the merged profile for them into a temporary folder,
 * and prints which tools it uses. report->wants_llvm must be true. Errors: SYSTEM, INVALID_INPUT, USAGE.
 */
enum status report_tools(struct report *report, struct error *error);
void report_tools_free(struct report *report);

/*
 * report_cov - runs llvm-cov @verb on all programs, after report_tools(). @more is an array of further arguments that ends
 * with NULL, or it is NULL. Appends the output of llvm-cov to @output, or prints it if @output is NULL. Errors: SYSTEM,
 * INVALID_INPUT; llvm-cov itself prints why it failed.
 */
enum status report_cov(
	struct report *report, const char *verb, const char *const *more, struct buffer *output, struct error *error);

/*
 * report_explain - explains why the table with @in_table functions, the profile and the records of the only program have
 * different numbers of functions. Prints nothing if the numbers are the same, if there are several programs, or if two
 * profiles have different functions.
 */
void report_explain(const struct report *report, uint64_t in_table);

/* report_lcov - fills in report->lcov. Does nothing if an earlier call has filled it in. Errors: INVALID_INPUT. */
enum status report_lcov(struct report *report, struct error *error);

/*
 * report_diff - sets *@lines to the coverage of the lines that differ between git revision @base and the files on disk.
 * If @print is set, prints a table and the lines that are not covered. Errors: SYSTEM, INVALID_INPUT.
 */
enum status report_diff(
	struct report *report, const char *base, bool print, struct lcov_rate *lines, struct error *error);

void report_free(struct report *report);

#endif
