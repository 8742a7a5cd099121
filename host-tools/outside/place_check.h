/* SPDX-License-Identifier: BSD-2-Clause */
/* place_check.h - compares a place with the program that should be there. */
#ifndef BAREPROF_HOST_PLACE_CHECK_H
#define BAREPROF_HOST_PLACE_CHECK_H

#include "placed.h"

/*
 * place_has_build_id - sets *@same to whether the build id of the program is in memory at @placed. The program must have
 * a loaded build id. Errors: as memory_read().
 */
enum status place_has_build_id(const struct placed *placed, bool *same, struct error *error);

/*
 * place_fits - returns whether the constant sections of the profile are in memory at @placed. If the memory has pointers
 * that a loader changed, sets placed->slide from them. A copy of the ELF file in memory does not fit, because nobody
 * has moved its sections and pointers. Sections that the memory lacks, for example because they were left out
 * of a dump, say nothing against it. Returns true if the program has no such sections in memory.
 */
bool place_fits(struct placed *placed);

/* place_counts - returns whether a counter in memory at @placed is not 0. */
bool place_counts(const struct placed *placed);

#endif
