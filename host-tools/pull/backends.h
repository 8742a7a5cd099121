/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backends.h - find a backend by the argument of --from, and the images that it has.
 */
#ifndef BAREPROF_HOST_BACKENDS_H
#define BAREPROF_HOST_BACKENDS_H

#include "backend.h"

/*
 * backends_find - sets @origin to the backend and location in @text, the argument of
 * --from, and @names to the images @wanted, ended by NULL. If @wanted is empty, @names is
 * set to all images. If @text is NULL, the error is that @command needs --from. Prints the
 * error. Errors: USAGE, SYSTEM (also if an image does not exist). The caller ends with
 * image_names_free(), also after an error.
 */
enum status backends_find(
	struct origin *origin, struct image_names *names, const char *command, const char *text, char *const *wanted);

#endif
