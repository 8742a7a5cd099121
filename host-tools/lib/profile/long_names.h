/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * long_names.h - keeps only one copy of each long name, even if many functions have that name. An unpacked name can be
 * much larger than all records that refer to it. If each function had its own copy of its name, a small file could
 * therefore use up all memory.
 */
#ifndef BAREPROF_HOST_LONG_NAMES_H
#define BAREPROF_HOST_LONG_NAMES_H

#include "arena.h"
#include "bytes.h"

/*
 * The minimum size in bytes of a long name. Shorter names are copied for each function, because a
 * search in the table would take longer than the copy.
 */
#define LONG_NAME 512u

/* A table of long names. Before its first use it is all zeros; long_names_free() frees its memory. */
struct long_names {
	struct long_name *table;
	size_t size; /* number of slots: a power of two, or 0 */
	size_t count;
};

/*
 * long_names_keep - returns a copy of @name. The memory of the copy belongs to @arena. @reference
 * must be md5_low() of the name. All calls with the same @reference return the same copy.
 */
struct bytes long_names_keep(struct long_names *names, struct arena *arena, uint64_t reference, struct bytes name);
void long_names_free(struct long_names *names);

#endif
