/* SPDX-License-Identifier: BSD-2-Clause */
/* pull_running.h - `bareprof pull --from`: writes the profiles of images that are running on this machine. */
#ifndef BAREPROF_HOST_PULL_RUNNING_H
#define BAREPROF_HOST_PULL_RUNNING_H

#include "backend.h"
#include "dump_receiver.h"

/* The options for --from: images that are running on this machine, and memory that is read from outside. */
struct pull_running {
	const char *from; /* the argument of --from */
	char *const *names; /* names of images, ended by NULL; empty: all images */
	const char *out; /* the only file to write; NULL: a file for each image, with the image's name */
	const char *all; /* the folder for the files; NULL: the current folder */
	bool capture; /* read captures instead of .profraw */
	struct completion_options completion; /* options for making profiles from captures */
};

/* pull_running - writes the profiles of the images. Prints errors. Returns the exit code. */
enum status pull_running(const struct pull_running *pull);

/*
 * running_item - decides whether to read the .profraw or the .mipraw of the image @name. If the image consists of samples,
 * there are only captures. Sets *@total to the size of the file in bytes, for a progress line, or to 0 if it is unknown.
 * running_read - reads the whole item @what of the image @name into @bytes. Tries again if the counters were reset meanwhile.
 * Errors: INVALID_INPUT, SYSTEM.
 */
enum image_item running_item(const struct origin *origin, const char *name, uint64_t *total);
enum status running_read(
	const struct origin *origin, const char *name, enum image_item what, struct buffer *bytes, struct error *error);

#endif
