/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * long_names.h - names so long that they are kept once, however many functions
 * have them. A packed name can be much larger than all records that refer to it,
 * so a copy for each would let a small file take all memory.
 */
#ifndef BAREPROF_HOST_LONG_NAMES_H
#define BAREPROF_HOST_LONG_NAMES_H

#include "arena.h"
#include "bytes.h"

/* Shorter ones are copied: looking for them would cost more than they take. */
#define LONG_NAME 512u

/* Starts as all zeros. */
struct long_names {
	struct long_name *table;
	size_t size; /* a power of two, or 0 */
	size_t count;
};

/* long_names_keep - a copy of @name in @arena; the same for the same @reference, which is md5_low() of it. */
struct bytes long_names_keep(struct long_names *names, struct arena *arena, uint64_t reference, struct bytes name);
void long_names_free(struct long_names *names);

#endif
