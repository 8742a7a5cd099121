/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - the steps of `bareprof report`: read pairs of program and profile,
 * make one profile of all, ask llvm-cov.
 */
#ifndef BAREPROF_HOST_REPORT_H
#define BAREPROF_HOST_REPORT_H

#include "covmap.h"
#include "elf_info.h"
#include "input.h"
#include "lcov.h"
#include "llvm.h"
#include "profile_read.h"

/* What a file has of profiles. */
struct report_profile {
	struct input input;
	struct dump_receiver dump;
	struct bytes raw; /* the raw ones, of the file or of the dump in it */
	struct buffer fixed; /* these with weak duplicates mended, if there are any */
	bool other; /* indexed or text: llvm-profdata gets the file as it is */
};

/* A program and its profile. */
struct report_pair {
	const char *elf_path;
	const char *profile_path;
	struct programs programs; /* the program, for captures of counters */
	struct completion_report report;
	struct elf_info elf;
	struct report_profile profile;
	struct raw_profile first; /* of the raw profiles in it; all zeros: there are none */
	struct llvm llvm; /* reads the profile */
	bool checked; /* both have a build id, the same one */
	char *object; /* what llvm-cov gets as the program */
};

/* The upper part is to be filled in, the rest starts as zeros. report_free() frees what was made. */
struct report {
	char **operands;
	size_t count; /* of pairs */
	unsigned int llvm_release; /* that was asked for; 0: none */
	bool partial; /* of incomplete captures take what came whole */
	struct path_map *maps;
	size_t map_count;

	struct report_pair *pairs;
	struct covmap *covmaps; /* of the pairs; NULL: nothing is to be renamed */
	const char *subject; /* what an error is about */
	const struct llvm *llvm; /* the newest of all pairs */
	char *folder; /* temporary */
	char *indexed; /* profile there */
	struct lcov lcov;
	bool lcov_read;
};

/* report_read - read and check all pairs, choose the tools for each. Errors: SYSTEM, INVALID_INPUT, USAGE. */
enum status report_read(struct report *report, struct error *error);

/* report_prepare - make one indexed profile of all, rename files and functions. Errors: SYSTEM, INVALID_INPUT. */
enum status report_prepare(struct report *report, struct error *error);

/* report_tool - run @words as report_cov() does. */
enum status report_tool(const char *const *words, struct buffer *output, struct error *error);

/*
 * report_cov - llvm-cov @verb with the words @more (NULL ends them; NULL: none)
 * on all programs. What it prints is appended to @output, or goes to the
 * terminal if that is NULL. Errors: SYSTEM, INVALID_INPUT; of llvm-cov's own it has told.
 */
enum status report_cov(
	struct report *report, const char *verb, const char *const *more, struct buffer *output, struct error *error);

/* report_totals - llvm-cov's own sums of lines and of MC/DC conditions. Errors as report_cov(). */
enum status report_totals(
	struct report *report, struct lcov_rate *lines, struct lcov_rate *conditions, struct error *error);

/* report_lcov - have report->lcov read. Errors as report_cov(). */
enum status report_lcov(struct report *report, struct error *error);

/*
 * report_diff - judge the lines that differ between git revision @base and the
 * files on disk: print a table and what is not covered, if @print; count them
 * into *@lines. Errors: SYSTEM, INVALID_INPUT.
 */
enum status report_diff(
	struct report *report, const char *base, bool print, struct lcov_rate *lines, struct error *error);

void report_free(struct report *report);

#endif
