/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_base.h - the totals of an earlier report, with which a new one is compared. They come from a JSON export or
 * from an LCOV file, of bareprof or llvm-cov, because a CI has one of the two: LCOV is what its service reads, and JSON
 * has all totals of the table. JSON of --summary-only, which is small, has enough data.
 */
#ifndef BAREPROF_HOST_COVERAGE_BASE_H
#define BAREPROF_HOST_COVERAGE_BASE_H

#include "coverage.h"

struct base_file {
	char *name;
	struct coverage_summary summary;
	bool matched; /* the new report has the file, too */
};

/* Starts as all zeros, and ends with coverage_base_free(). */
struct coverage_base {
	struct base_file *files; /* sorted by name */
	size_t count;
	size_t room;
	size_t common; /* length of the folder that all names have in common */
	bool has[RATES]; /* the totals that the report has; LCOV has no regions */
};

/*
 * coverage_base_read - reads the report at @path. Errors: SYSTEM, INVALID_INPUT (it is neither JSON of coverage nor LCOV,
 * or has no files).
 */
enum status coverage_base_read(struct coverage_base *base, const char *path, struct error *error);
void coverage_base_free(struct coverage_base *base);

/* coverage_base_find - returns the file @name, or NULL. */
struct base_file *coverage_base_find(const struct coverage_base *base, struct bytes name);

/*
 * base_json_read - appends the files of JSON. Returns NULL, or a text that says what is wrong, and sets *@offset to where.
 * base_lcov_read - appends the files of LCOV, and returns whether there was one.
 */
const char *base_json_read(struct coverage_base *base, struct bytes text, size_t *offset);
bool base_lcov_read(struct coverage_base *base, struct bytes text);

/* base_add - appends a file, whose name the base frees. */
void base_add(struct coverage_base *base, char *name, const struct coverage_summary *summary);

#endif
