/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_block.h - reads the value data of one function. In raw profiles it follows all sections,
 * in indexed profiles it is in each record.
 */
#ifndef BAREPROF_HOST_VALUE_BLOCK_H
#define BAREPROF_HOST_VALUE_BLOCK_H

#include "bytes.h"
#include "sites.h"

/*
 * value_block_take - takes the block at the start of *@rest, which has at most @kinds kinds of
 * values. Returns false if the block is malformed or cut short. counts[PROFILE_KINDS] becomes the
 * number of sites of each kind. *@sites, all zeros before, gets the sites; free it with
 * sites_clear(), also after a failure. If @sites is NULL, the block is only checked and skipped.
 */
bool value_block_take(struct bytes *rest, bool big, unsigned int kinds, uint32_t *counts, struct sites *sites);

#endif
