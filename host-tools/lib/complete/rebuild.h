/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.h - a capture of counters, and the ELF file, become the .profraw that a
 * writer on the target would have made (docs/SPEC.md, 1.8).
 */
#ifndef BAREPROF_HOST_REBUILD_H
#define BAREPROF_HOST_REBUILD_H

#include "programs.h"
#include "session.h"

/* What is said of a profile that was completed, though nothing is wrong with it. Starts as all zeros. */
struct remarks {
	struct buffer text; /* sentences without a full stop; empty: none */
	struct buffer left_out; /* functions that a partial profile lacks, a line each */
	struct buffer origin; /* of a capture, bytes that say whose counts these are and since when; empty: not known */
};

/* How profiles that come without records are completed. All zeros: not at all. */
struct completing {
	struct programs *programs; /* NULL: no ELF file was given */
	bool partial; /* an incomplete capture gives what of it came whole */
	struct remarks *remarks; /* NULL: not wanted */
};

void remarks_free(struct remarks *remarks);

/*
 * rebuild - append the .profraw of @session, which is of counters, to @out. Of one
 * that is not complete only functions whose counters and bitmaps came whole are in
 * it. Errors: BAD.
 */
enum status rebuild(struct buffer *out, const struct capture *capture, const struct session *session,
	const struct completing *completing, struct error *error);

#endif
