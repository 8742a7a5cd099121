/* SPDX-License-Identifier: BSD-2-Clause */
/* pull_running.h - `bareprof pull --from`: writes the profiles of images that are running on this machine. */
#ifndef BAREPROF_HOST_PULL_RUNNING_H
#define BAREPROF_HOST_PULL_RUNNING_H

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

#endif
