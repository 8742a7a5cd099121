/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lcov.h - coverage by lines and branches, as llvm-cov exports it.
 */
#ifndef BAREPROF_HOST_LCOV_H
#define BAREPROF_HOST_LCOV_H

#include "bytes.h"

struct lcov_line {
	uint64_t number;
	uint64_t hits;
	unsigned int branches;
	unsigned int taken; /* of them */
};

struct lcov_file {
	char *name;
	struct lcov_line *lines; /* the executable ones, by number */
	size_t count;
	size_t room;
};

/* Starts as all zeros, ends with lcov_free(). */
struct lcov {
	struct lcov_file *files; /* by name, each once */
	size_t count;
	size_t room;
};

/* How much of something there is, and how much of it was reached. */
struct lcov_rate {
	uint64_t valid;
	uint64_t covered;
};

/* lcov_read - read LCOV's text @bytes; lines of it that are of other kinds, or damaged, are passed over. */
void lcov_read(struct lcov *lcov, struct bytes bytes);
void lcov_free(struct lcov *lcov);

/* lcov_line - the line @number of @file, NULL if it is not executable. */
const struct lcov_line *lcov_line(const struct lcov_file *file, uint64_t number);

/* lcov_add - count @file's lines into *@lines, its branches into *@branches. */
void lcov_add(const struct lcov_file *file, struct lcov_rate *lines, struct lcov_rate *branches);

#endif
