/* SPDX-License-Identifier: BSD-2-Clause */
/* place_choose.h - chooses among several places that have the same program. */
#ifndef BAREPROF_HOST_PLACE_CHOOSE_H
#define BAREPROF_HOST_PLACE_CHOOSE_H

#include "place_search.h"
#include "placed.h"

/* Places whose build id is that of the program. Starts as all zeros. */
struct places {
	struct placed list[PLACES_MAX];
	size_t count;
	unsigned int dropped; /* places that were removed from the list again */
};

/*
 * place_choose - sets *@placed to the place of @places where the program runs. A copy that a loader left has no page tables
 * that map it, no counts, or the pointers of the ELF file, while those of the running program were moved. @places must
 * not be empty. Errors: INVALID_INPUT (two places are equally likely).
 */
enum status place_choose(struct placed *placed, struct places *places, struct error *error);

#endif
