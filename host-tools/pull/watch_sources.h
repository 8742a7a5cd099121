/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_sources.h - the loops that read a target for `bareprof pull --watch`, and its options. */
#ifndef BAREPROF_HOST_WATCH_SOURCES_H
#define BAREPROF_HOST_WATCH_SOURCES_H

#include "pull_outside.h"
#include "watch_session.h"

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
 * watch_live - watches the live source @name, for source_open(). The connection stays open.
 * watch_running - watches images on this machine.
 * watch_outside - watches the memory of a target, and connects for each look.
 * The caller has started @session. They return when the session ends. They print errors, and return the exit code.
 */
enum status watch_live(struct watch_session *session, const struct pull_watch *watch, const char *name);
enum status watch_running(struct watch_session *session, const struct pull_watch *watch);
enum status watch_outside(struct watch_session *session, const struct pull_watch *watch);

#endif
