/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index_unsupported.h - lists the data of a model that an index version cannot hold.
 */
#ifndef BAREPROF_HOST_INDEX_UNSUPPORTED_H
#define BAREPROF_HOST_INDEX_UNSUPPORTED_H

#include "model.h"

/*
 * index_unsupported - appends to @list, separated by commas, the data of @model that index
 * version @version cannot hold; appends nothing if that version can hold everything. @model must
 * be sorted.
 */
void index_unsupported(const struct model *model, unsigned int version, struct buffer *list);

/*
 * memprof_unsupported - returns why an indexed profile of @version, whose hash table ends at
 * offset @table_end, cannot hold @memprof; NULL if it can, or if there is no memory profile.
 */
const char *memprof_unsupported(const struct memprof *memprof, unsigned int version, uint64_t table_end);

#endif
