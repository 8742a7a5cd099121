/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_programs.h - the programs that are watched: finds the program of each profile, and collects the profiles of a look. */
#ifndef BAREPROF_HOST_WATCH_PROGRAMS_H
#define BAREPROF_HOST_WATCH_PROGRAMS_H

#include "dump_receiver.h"
#include "watched.h"

struct watch_program {
	struct watched watched;
	char *unusable; /* the reason why the program cannot be watched; NULL: it can */
	struct buffer raw; /* the profiles of the current look */
	uint64_t generation; /* of the profile in @raw, if @generation_known is true */
	bool generation_known;
	struct buffer last; /* the profiles of the last look that succeeded */
};

/* The caller sets @completion and zeroes the rest. End with watch_programs_free(). */
struct watch_programs {
	struct completion_options completion; /* for captures; has the programs, and a report */
	struct watch_program **list;
	size_t count;
	size_t room;
};

/*
 * watch_programs_open - opens the programs that the user named. A program without a coverage mapping is no error if another
 * one has a mapping: modules of Linux need their kernel, which need not count. Prints errors, and returns the exit code.
 * watch_programs_clear - forgets the profiles of the current look.
 * watch_program_keep - keeps the profiles of @program, because its look succeeded.
 */
enum status watch_programs_open(struct watch_programs *programs);
void watch_programs_clear(struct watch_programs *programs);
void watch_programs_free(struct watch_programs *programs);
void watch_program_keep(struct watch_program *program);

/*
 * watch_add_raw - adds raw profiles, one after the other, of one program. Their counts are added up with those that were
 * already added for the same look.
 * watch_add_dump - does so for the dump @sent of @dump.
 * watch_add_capture - does so for each dump in a capture.
 * @name is the origin of the profile in messages. They print errors, and return the exit code.
 */
enum status watch_add_raw(struct watch_programs *programs, const char *name, struct bytes raw);
enum status watch_add_dump(
	struct watch_programs *programs, const char *name, struct dump_receiver *dump, const struct sent_dump *sent);
enum status watch_add_capture(struct watch_programs *programs, const char *name, struct bytes capture);

#endif
