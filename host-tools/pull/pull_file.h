/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_file.h - `bareprof pull` from a saved log or capture.
 */
#ifndef BAREPROF_HOST_PULL_FILE_H
#define BAREPROF_HOST_PULL_FILE_H

#include "dump_receiver.h"

/* The options for a file. Texts other than @name may be NULL. */
struct pull_file {
	const char *name; /* name of the file; - stands for standard input */
	const char *out;
	const char *all; /* folder for all dumps; NULL if @out is given */
	const char *log;
	const char *dump; /* name of the dump to write */
	bool only_list;
	struct completion_options completion; /* options for making profiles from captures of counters */
};

/*
 * pull_file - makes profiles from the dumps in a saved log or capture and writes them, or prints a list of the dumps.
 * Prints errors. Returns the exit code.
 */
enum status pull_file(const struct pull_file *pull);

#endif
