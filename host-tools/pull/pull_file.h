/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_file.h - `bareprof pull` from a saved log or capture.
 */
#ifndef BAREPROF_HOST_PULL_FILE_H
#define BAREPROF_HOST_PULL_FILE_H

#include "dump_receiver.h"

/* What was asked of a file; texts may be NULL but for name. */
struct pull_file {
	const char *name; /* or -: standard input */
	const char *out;
	const char *all; /* a folder; then not out */
	const char *log;
	const char *dump; /* the only one to take */
	bool only_list;
	struct completion_options completion; /* for captures of counters */
};

/* pull_file - pull from a file; says what is wrong. */
enum status pull_file(const struct pull_file *pull);

#endif
