/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backends.h - all backends, by what --from calls them.
 */
#ifndef BAREPROF_HOST_BACKENDS_H
#define BAREPROF_HOST_BACKENDS_H

#include "backend.h"

/*
 * backends_find - read @text, the argument of --from that @command was given, into @origin,
 * and find the images @wanted (NULL at their end) there; with none wanted, all. Says what
 * is wrong. Errors: USAGE, SYSTEM (one is not there). End with image_names_free().
 */
enum status backends_find(
	struct origin *origin, struct image_names *names, const char *command, const char *text, char *const *wanted);

#endif
