/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.h - profiles that come without records and names are completed by
 * the ELF file of the program: how, and what there is to say about it.
 */
#ifndef BAREPROF_HOST_COMPLETION_H
#define BAREPROF_HOST_COMPLETION_H

#include "programs.h"

/* What is said of a profile that was completed, though nothing is wrong with it. Starts as all zeros. */
struct completion_report {
	struct buffer warning; /* sentences without a full stop; empty: none */
	struct buffer note; /* the same, where nothing is wrong */
	struct buffer left_out; /* functions that a partial profile lacks, a line each */
	struct buffer origin; /* of a capture, bytes that say whose counts these are and since when; empty: not known */
};

/* How profiles that come without records are completed. All zeros: not at all. */
struct completion_options {
	struct programs *programs; /* NULL: no ELF file was given */
	bool partial; /* an incomplete capture gives what of it came whole */
	struct completion_report *report; /* NULL: not wanted */
};

void completion_report_free(struct completion_report *report);

#endif
