/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.h - options and report of completion, which adds records and names from the ELF file
 * to profiles that do not contain them.
 */
#ifndef BAREPROF_HOST_COMPLETION_H
#define BAREPROF_HOST_COMPLETION_H

#include "programs.h"

/*
 * A report for the user about a completed profile. Before its first use it is all zeros;
 * completion_report_free() frees its memory.
 */
struct completion_report {
	struct buffer warning; /* sentences without a full stop, with "; " between them. Empty: no warning */
	struct buffer note; /* information for the user: sentences as in @warning. Empty: no note */
	struct buffer left_out; /* names of functions that a partial profile lacks, one on each line */
	/*
	 * Bytes that identify the image, boot and reset from which the counts come. If these bytes are equal in two
	 * captures, the later capture has all counts of the earlier one. Empty: not known.
	 */
	struct buffer origin;
};

/* Options of completion. If all members are zero, profiles without records are refused. */
struct completion_options {
	struct programs *programs; /* NULL: no ELF file was given */
	bool partial; /* true: make a partial profile from an incomplete capture; false: refuse it */
	bool nameless; /* true: complete also a profile that lacks names of functions, and warn; false: refuse it */
	struct completion_report *report; /* the report to fill in; NULL: no report is wanted */
	/*
	 * Appends a warning to @warning if the raw profiles @raw, which come from a dump, cannot be right in the program at
	 * @elf_path. NULL: they are not checked.
	 */
	void (*check)(const char *elf_path, struct bytes raw, struct buffer *warning);
};

void completion_report_free(struct completion_report *report);

/*
 * completion_same_origin - returns whether the counts of two captures come from the same image and the same boot, with
 * no reset between the captures.
 */
bool completion_same_origin(const struct completion_report *a, const struct completion_report *b);

/*
 * completion_add_repeated - appends a warning about two captures of one origin. The later capture
 * has all counts of the earlier capture, so these counts were added twice. The warning is for the
 * second of two inputs, and @earlier is the name of the first input.
 */
void completion_add_repeated(struct buffer *text, const char *earlier);

#endif
