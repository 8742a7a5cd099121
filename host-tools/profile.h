/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - a profile from a file of any kind: a .profraw as it is, or a
 * capture or log with a dump in it.
 */
#ifndef BAREPROF_HOST_PROFILE_H
#define BAREPROF_HOST_PROFILE_H

#include "dump.h"
#include "input.h"

struct profile_file {
	struct input input;
	struct dump dump;
	bool dumped; /* it came out of a dump */
	bool indexed; /* the input is a .profdata */
	struct bytes raw; /* all raw profiles of the file */
};

/*
 * profile_read - read @path ("-": standard input) and find the raw profiles in
 * it. Free @file with profile_free(), also after an error. An indexed profile is
 * an error too, but then file->indexed says so and file->input has it.
 * Errors: SYSTEM, BAD.
 */
enum status profile_read(struct profile_file *file, const char *path, struct error *error);
void profile_free(struct profile_file *file);

#endif
