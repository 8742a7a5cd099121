/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_live.h - `bareprof pull` from a target that is talking.
 */
#ifndef BAREPROF_HOST_PULL_LIVE_H
#define BAREPROF_HOST_PULL_LIVE_H

#include "dump_receiver.h"

/* What was asked of a live source; texts may be NULL but for name and out. */
struct pull_live {
	const char *name;
	const char *out;
	const char *all; /* a folder; then not out */
	const char *log;
	const char *dump; /* the only one to take */
	const char *send;
	const char *then;
	const char *until;
	double timeout; /* 0: none */
	bool only_list;
	bool named; /* out was, by the user */
	struct completion_options completion; /* for captures of counters */
};

/* pull_live - pull from a live source; says what is wrong. */
enum status pull_live(const struct pull_live *pull);

#endif
