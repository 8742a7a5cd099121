/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.h - the memory profile (memprof) that an indexed profile may have in addition to its
 * counts. It is copied unchanged from an input to the output.
 * A memory profile has versions of its own, and its tables contain offsets from the start of the
 * file. These offsets are not changed here. Therefore the memory profile is valid only at the
 * offset that it had in its input. The writer puts it at this offset, and fills the space before
 * this offset with zeros.
 */
#ifndef BAREPROF_HOST_MEMPROF_H
#define BAREPROF_HOST_MEMPROF_H

#include "arena.h"
#include "bytes.h"

/* The memory profile of a model. If all members are zero, the model has none. */
struct memprof {
	uint64_t inputs; /* number of inputs with a memory profile; if it is not 1, no memory profile is written */
	struct bytes section;
	uint64_t offset; /* offset of @section in its input */
	unsigned int version; /* index version of the input from which @section comes */
};

/*
 * memprof_add - adds the memory profile @from to @memprof. The first memory profile that is added
 * is copied to @arena. All others are only counted.
 */
void memprof_add(struct memprof *memprof, struct arena *arena, const struct memprof *from);

#endif
