/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_sources.h - the loops that read a target for `bareprof pull --watch`. */
#ifndef BAREPROF_HOST_WATCH_SOURCES_H
#define BAREPROF_HOST_WATCH_SOURCES_H

#include "pull_watch.h"
#include "watch_session.h"

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
