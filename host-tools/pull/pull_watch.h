/* SPDX-License-Identifier: BSD-2-Clause */
/* pull_watch.h - `bareprof pull --watch`: reads a target again and again, and shows what ran since the last look. */
#ifndef BAREPROF_HOST_PULL_WATCH_H
#define BAREPROF_HOST_PULL_WATCH_H

#include "watch_sources.h"

/*
 * pull_watch - returns when the user presses Ctrl-C, or when there is nothing more to watch. Prints errors. Returns the exit
 * code: OK if there was a look, and the source did not go away.
 */
enum status pull_watch(const struct pull_watch *watch);

#endif
