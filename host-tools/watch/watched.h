/* SPDX-License-Identifier: BSD-2-Clause */
/* watched.h - a program that is read again and again: remembers what ran, and finds what is new in each profile. */
#ifndef BAREPROF_HOST_WATCHED_H
#define BAREPROF_HOST_WATCHED_H

#include "look.h"

/* The lines of a file that ran since the last reset. */
struct watched_file {
	struct line_ranges ran;
};

/* A program. watched_open() starts it, and watched_free() ends it. */
struct watched {
	char *path;
	struct mapping mapping;
	struct file_names files;
	size_t common; /* length of the folder that all source files have in common, with the slash at its end */
	unsigned int clang; /* newest clang release that compiled a part of the program; 0: not known */
	struct model model; /* the profile of the last look, if @looked is true */
	bool looked;
	uint64_t generation; /* of the last look */
	bool generation_known;
	bool *ran; /* for each record in the mapping: whether the function ran since the last reset */
	struct watched_file *covered; /* for each file name */
};

/* A profile of the program. */
struct watched_profile {
	struct bytes raw; /* raw profiles, one after the other; their counts are added up */
	uint64_t generation; /* number of resets, if @generation_known is true */
	bool generation_known;
};

/*
 * watched_open - reads the coverage mapping of the ELF file at @path. The caller calls watched_free() also after an error.
 * Errors: SYSTEM, INVALID_INPUT (also if the program has no mapping).
 */
enum status watched_open(struct watched *watched, const char *path, struct error *error);
void watched_free(struct watched *watched);

/*
 * watched_look - compares @profile with what ran before, fills in @look, and remembers what ran. After an error, nothing is
 * remembered. A function or line that ran stays seen until a reset, even if torn counts hide it in one profile. Errors:
 * INVALID_INPUT (the profile is damaged, or does not belong to the program), SYSTEM.
 */
enum status watched_look(
	struct watched *watched, const struct watched_profile *profile, struct look *look, struct error *error);

#endif
