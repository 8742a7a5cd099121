/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_live.h - `bareprof pull` from a target that is sending now.
 */
#ifndef BAREPROF_HOST_PULL_LIVE_H
#define BAREPROF_HOST_PULL_LIVE_H

#include "dump_receiver.h"

/* The options for a live source. Texts other than @name and @out may be NULL. */
struct pull_live {
	const char *name;
	const char *out;
	const char *all; /* folder for all dumps; @out is then not used */
	const char *log;
	const char *dump; /* name of the dump to wait for and to write */
	const char *send;
	const char *ask; /* text with %s that asks for missing blocks */
	const char *then;
	const char *until;
	double timeout; /* seconds; 0: none */
	double wait; /* seconds to wait for missing blocks; with @ask, the longest time to wait for an answer */
	bool only_list;
	bool named; /* the user chose the name @out */
	struct completion_options completion; /* options for making profiles from captures of counters */
};

/* pull_live - writes the profiles of a live source, or lists its dumps. Prints errors. Returns the exit code. */
enum status pull_live(const struct pull_live *pull);

#endif
