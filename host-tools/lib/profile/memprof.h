/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.h - the memory profile (memprof) that an indexed profile may have
 * beside its counts: carried over as it is, from an input to the output.
 *
 * The section has versions of its own, and tables whose offsets count from the
 * start of the file. Unread, it is right only where it was: the writer puts it
 * at the same offset, with zeros in front if there is less before it now.
 */
#ifndef BAREPROF_HOST_MEMPROF_H
#define BAREPROF_HOST_MEMPROF_H

#include "arena.h"
#include "bytes.h"

/* All zeros: there is none. */
struct memprof {
	uint64_t inputs; /* that have one; it is kept if there is one */
	struct bytes section;
	uint64_t offset; /* in that input */
	unsigned int version; /* of its index */
};

/* memprof_add - add that of @from to @memprof, which keeps a copy in @arena of the first, and only counts more. */
void memprof_add(struct memprof *memprof, struct arena *arena, const struct memprof *from);

#endif
