/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lcov.h - the coverage of lines and branches. lcov_read() reads it from the LCOV text that llvm-cov exports, and
 * coverage_lcov() makes it from a coverage mapping.
 */
#ifndef BAREPROF_HOST_LCOV_H
#define BAREPROF_HOST_LCOV_H

#include "bytes.h"

/* An executable line, or several that follow each other and have the same hits. Only a single line has branches. */
struct lcov_line {
	uint32_t number;
	uint32_t lines; /* number of lines */
	uint64_t hits;
	uint32_t branches;
	uint32_t taken; /* number of branches of the line that were taken */
};

struct lcov_file {
	char *name;
	struct lcov_line *lines; /* in the order of their numbers */
	size_t count;
	size_t room;
};

/* The coverage of all files. Starts as all zeros and ends with lcov_free(). */
struct lcov {
	struct lcov_file *files; /* sorted by name, each file once */
	size_t count;
	size_t room;
};

/* @valid is the number of all lines, branches or conditions. @covered is the number of those that are covered. */
struct lcov_rate {
	uint64_t valid;
	uint64_t covered;
};

/* lcov_read - reads @bytes, a file in LCOV's text format. Ignores damaged lines and lines of other kinds. */
void lcov_read(struct lcov *lcov, struct bytes bytes);
void lcov_free(struct lcov *lcov);

/* lcov_line - returns the element of @file that contains the line @number, or NULL if this line is not executable. */
const struct lcov_line *lcov_line(const struct lcov_file *file, uint64_t number);

/*
 * lcov_add - adds the number of all lines of @file and the number of its covered lines to *@lines. Does the same with
 * its branches and *@branches.
 */
void lcov_add(const struct lcov_file *file, struct lcov_rate *lines, struct lcov_rate *branches);

#endif
