/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_block.h - reads the value data of one function. In a raw profile, value data comes after
 * all sections. In an indexed profile, each record contains its value data.
 */
#ifndef BAREPROF_HOST_VALUE_BLOCK_H
#define BAREPROF_HOST_VALUE_BLOCK_H

#include "bytes.h"
#include "sites.h"

/*
 * value_block_take - reads the value block at the start of *@rest, and moves *@rest to the bytes after it. @kinds is
 * the number of value kinds that the block may contain. Stores the number of sites of each kind in
 * counts[PROFILE_KINDS], and the sites in *@sites. *@sites must be all zeros before. The caller frees *@sites with
 * sites_clear(), also after a failure. If @sites is NULL, the block is only checked and skipped. Returns false if the
 * block is malformed or cut short.
 */
bool value_block_take(struct bytes *rest, bool big, unsigned int kinds, uint32_t *counts, struct sites *sites);

#endif
