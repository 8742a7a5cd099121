/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.h - options and report of completion, which adds the records and
 * names of the ELF file to profiles that have none.
 */
#ifndef BAREPROF_HOST_COMPLETION_H
#define BAREPROF_HOST_COMPLETION_H

#include "programs.h"

/* A report for the user about a completed profile. Starts as all zeros. */
struct completion_report {
	struct buffer warning; /* sentences without a full stop, separated by "; "; empty: none */
	struct buffer note; /* sentences in the same format, if nothing is wrong */
	struct buffer left_out; /* names of functions that a partial profile lacks, one on each line */
	/* Identifies a series of captures: two captures with equal bytes continue each other. Empty: not known. */
	struct buffer origin;
};

/* How to complete profiles without records. All zeros: refuse them. */
struct completion_options {
	struct programs *programs; /* NULL: no ELF file was given */
	bool partial; /* make a partial profile of an incomplete capture */
	struct completion_report *report; /* NULL: no report */
};

void completion_report_free(struct completion_report *report);

/* completion_same_origin - returns whether the counts of two captures come from one boot with no reset in between. */
bool completion_same_origin(const struct completion_report *a, const struct completion_report *b);

/*
 * completion_add_repeated - appends the warning about a capture with the same origin as the input
 * with the name @earlier: the later capture has all counts of the earlier one.
 */
void completion_add_repeated(struct buffer *text, const char *earlier);

#endif
