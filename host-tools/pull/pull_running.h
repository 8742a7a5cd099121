/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_running.h - `bareprof pull --from`: from images that run on this machine.
 */
#ifndef BAREPROF_HOST_PULL_RUNNING_H
#define BAREPROF_HOST_PULL_RUNNING_H

#include "dump_receiver.h"

/* What was asked of images that run on this machine. */
struct pull_running {
	const char *from; /* the argument of --from */
	char *const *names; /* of images, NULL at their end; none: all */
	const char *out; /* NULL: each has a file by its name */
	const char *all; /* NULL: in the current folder */
	bool capture; /* not the .profraw */
	struct completion_options completion; /* for captures */
};

/* pull_running - pull from them; says what is wrong. */
enum status pull_running(const struct pull_running *pull);

#endif
