/* SPDX-License-Identifier: BSD-2-Clause */
/* pull_watch.h - `bareprof pull --watch`: reads a target again and again, and shows what ran since the last look. */
#ifndef BAREPROF_HOST_PULL_WATCH_H
#define BAREPROF_HOST_PULL_WATCH_H

#include "pull_outside.h"

/* The options. Texts that were not given are NULL. */
struct pull_watch {
	double interval; /* seconds between two looks */
	bool json;
	const char *out; /* the last profile is written here at the end */
	const char *from; /* the argument of --from; NULL: the only name is that of a live source */
	char *const *names; /* ended by NULL */
	const char *send; /* live: the text that makes the target dump; NULL: each dump that arrives is a look */
	const char *log; /* live: gets the text of the console */
	const char *only_for_memory; /* an option that was given and is only for memory that is read from outside */
	bool capture; /* read captures instead of .profraw */
	struct outside_options memory;
	struct completion_options completion;
};

/*
 * pull_watch - returns when the user presses Ctrl-C, or when there is nothing more to watch. Prints errors. Returns the exit
 * code: OK if there was a look, and the source did not go away.
 */
enum status pull_watch(const struct pull_watch *watch);

#endif
