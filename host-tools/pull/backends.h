/* SPDX-License-Identifier: BSD-2-Clause */
/* backends.h - finds a backend by the argument of --from, and lists the images of the backend. */
#ifndef BAREPROF_HOST_BACKENDS_H
#define BAREPROF_HOST_BACKENDS_H

#include "backend.h"

/*
 * backends_find - sets @origin to the backend and the location in @text, which is the argument of --from. Sets @names
 * to the names in @wanted, an array that ends with NULL. If @wanted is empty, sets @names to the names of all images.
 * If @text is NULL, the error says that @command needs --from. Prints the error. Errors: USAGE, SYSTEM (also if an
 * image does not exist). The caller ends with image_names_free(), also after an error.
 */
enum status backends_find(
	struct origin *origin, struct image_names *names, const char *command, const char *text, char *const *wanted);

/*
 * backends_one_profile - returns whether the backend in @text, which is the argument of --from, never has more than one
 * image with a profile. Returns false if @text is NULL or names no backend.
 */
bool backends_one_profile(const char *text);

#endif
