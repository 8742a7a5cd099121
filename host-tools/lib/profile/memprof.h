/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.h - the memory profile (memprof) that an indexed profile may have in addition to its
 * counts. It is copied unchanged from an input to the output.
 *
 * The section has versions of its own, and its tables have offsets from the
 * start of the file. As nothing here changes these, the section is valid only at
 * the offset that it had in the input: the writer fills the space before it with
 * zeros.
 */
#ifndef BAREPROF_HOST_MEMPROF_H
#define BAREPROF_HOST_MEMPROF_H

#include "arena.h"
#include "bytes.h"

/* The memory profile of a model. All zeros: there is none. */
struct memprof {
	uint64_t inputs; /* number of inputs that have a memory profile; it is written only if this is 1 */
	struct bytes section;
	uint64_t offset; /* offset of the section in its input */
	unsigned int version; /* index version of its input */
};

/*
 * memprof_add - adds the memory profile of @from. The first memory profile is copied to @arena;
 * further ones are only counted.
 */
void memprof_add(struct memprof *memprof, struct arena *arena, const struct memprof *from);

#endif
