/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_block.h - the value data of one function, as raw profiles have it after
 * all counters and indexed ones in each record.
 */
#ifndef BAREPROF_HOST_VALUE_BLOCK_H
#define BAREPROF_HOST_VALUE_BLOCK_H

#include "bytes.h"
#include "sites.h"

/*
 * value_block_take - check the block at the start of *@rest, in which there are
 * at most @kinds kinds of values, and move *@rest behind it; false if it is
 * malformed or cut short. Into *@sites, all zeros before, go the sites, to be
 * emptied with sites_clear() even after a failure; NULL: only check. @counts
 * (PROFILE_KINDS) gets the number of sites of each kind.
 */
bool value_block_take(struct bytes *rest, bool big, unsigned int kinds, uint32_t *counts, struct sites *sites);

#endif
