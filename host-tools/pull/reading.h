/* SPDX-License-Identifier: BSD-2-Clause */
/* reading.h - reads the profiles of programs from the memory of a target. All functions print errors. */
#ifndef BAREPROF_HOST_READING_H
#define BAREPROF_HOST_READING_H

#include "linux_modules.h"
#include "outside_capture.h"
#include "place_find.h"
#include "programs.h"

/* A program, and its profiles. They are empty if the program has none. */
struct reading {
	struct program *program;
	struct samplers samplers;
	struct placed placed;
	bool found; /* @placed was found while the target was running */
	struct outside_dump counters;
	struct outside_dump machine;
	struct buffer samples; /* captures */
};

struct readings {
	const char *from; /* the argument of --from */
	const struct place_hints *hints;
	struct memory memory;
	struct linux_modules modules; /* if some of the programs are modules of Linux */
	struct reading *list;
	size_t count;
};

/*
 * readings_start - prepares to read all @programs that the user named. @from is an argument of --from that memory_named()
 * accepts. The caller frees @readings with readings_free(), also after an error. Returns the exit code.
 */
enum status readings_start(
	struct readings *readings, const struct programs *programs, const char *from, const struct place_hints *hints);

/*
 * readings_read - connects to the target, stops it and reads all profiles. If @writable is true, fails before if the memory
 * cannot be written. The caller must call readings_leave() afterwards, also after an error.
 * readings_reset - sets all counts in memory to their start values.
 * readings_leave - leaves the target as @leave says. @status is the exit code so far.
 * They return the exit code.
 */
enum status readings_read(struct readings *readings, bool writable);
enum status readings_reset(struct readings *readings);
enum status readings_leave(struct readings *readings, enum memory_leave leave, enum status status);

/* readings_clear - forgets the profiles and places, so that readings_read() can read again. */
void readings_clear(struct readings *readings);

/* reading_warn - prints warnings about the place of a program. */
void reading_warn(const struct reading *reading);

void readings_free(struct readings *readings);

#endif
