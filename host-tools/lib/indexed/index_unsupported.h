/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index_unsupported.h - lists the data of a model that an index version cannot hold.
 */
#ifndef BAREPROF_HOST_INDEX_UNSUPPORTED_H
#define BAREPROF_HOST_INDEX_UNSUPPORTED_H

#include "model.h"

/*
 * index_unsupported - appends to @list, separated by commas, the kinds of data in @model that index
 * version @version cannot hold. Appends nothing if that version can hold everything. @model must be
 * sorted.
 */
void index_unsupported(const struct model *model, unsigned int version, struct buffer *list);

/*
 * memprof_unsupported - returns the reason why an indexed profile of version @version cannot
 * hold @memprof. @table_end is the offset at which the hash table of that profile ends. Returns NULL if
 * the profile can hold @memprof, or if @memprof is empty.
 */
const char *memprof_unsupported(const struct memprof *memprof, unsigned int version, uint64_t table_end);

#endif
