/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_outside.h - `bareprof pull --from gdb:...` and the like: reads the memory of a target from outside. The target
 * needs no code of bareprof, only the linker fragments.
 */
#ifndef BAREPROF_HOST_PULL_OUTSIDE_H
#define BAREPROF_HOST_PULL_OUTSIDE_H

#include "place_find.h"
#include "pull_running.h"

/* The options that only this way to read has. */
struct outside_options {
	struct place_hints hints; /* where the programs are */
	enum memory_leave leave;
	bool reset; /* reset the counters when the profiles are saved */
};

/* outside_check - checks which options were given together. Prints errors. Returns the exit code. */
enum status outside_check(const struct pull_running *pull);

/*
 * pull_outside - writes the profile of each ELF file in pull->completion. pull->from is an argument of --from that
 * memory_named() accepts, and there must be no names. Prints errors. Returns the exit code.
 */
enum status pull_outside(const struct pull_running *pull, const struct outside_options *options);

#endif
