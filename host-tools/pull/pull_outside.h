/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_outside.h - `bareprof pull --from gdb:...` and the like: reads the memory of a target from outside. The target
 * needs no code of bareprof, only the linker fragments.
 */
#ifndef BAREPROF_HOST_PULL_OUTSIDE_H
#define BAREPROF_HOST_PULL_OUTSIDE_H

#include "completion.h"
#include "memories.h"

/* The options for memory that is read from outside. */
struct pull_outside {
	const char *from; /* the argument of --from, which memory_named() accepts */
	char *const *names; /* operands of the command, ended by NULL; there must be none */
	const char *out; /* the only file to write; NULL: a file for each ELF file, with its name */
	const char *all; /* the folder for the files; NULL: the current folder */
	bool capture; /* write captures in place of profiles */
	uint64_t slide; /* run-time addresses minus the addresses in the ELF file */
	enum memory_leave leave;
	struct completion_options completion; /* has the ELF files */
};

/* pull_outside - writes the profile of each ELF file. Prints errors. Returns the exit code. */
enum status pull_outside(const struct pull_outside *pull);

#endif
