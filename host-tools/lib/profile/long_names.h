/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * long_names.h - keeps one copy of each long name, however many functions have it.
 * An unpacked name can be much larger than all records that refer to it, so with a
 * copy for each function a small file could use all memory.
 */
#ifndef BAREPROF_HOST_LONG_NAMES_H
#define BAREPROF_HOST_LONG_NAMES_H

#include "arena.h"
#include "bytes.h"

/*
 * A name of at least this many bytes is long. Shorter names are copied, because looking them up
 * would cost more than the copy.
 */
#define LONG_NAME 512u

/* Starts as all zeros. */
struct long_names {
	struct long_name *table;
	size_t size; /* a power of two, or 0 */
	size_t count;
};

/*
 * long_names_keep - returns a copy of @name in @arena. All calls with the same @reference, which
 * is md5_low() of the name, return the same copy.
 */
struct bytes long_names_keep(struct long_names *names, struct arena *arena, uint64_t reference, struct bytes name);
void long_names_free(struct long_names *names);

#endif
