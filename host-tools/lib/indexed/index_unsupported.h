/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index_unsupported.h - what of a profile an index version has no place for.
 */
#ifndef BAREPROF_HOST_INDEX_UNSUPPORTED_H
#define BAREPROF_HOST_INDEX_UNSUPPORTED_H

#include "model.h"

/*
 * index_unsupported - append to @list, as words with commas between them, what index
 * version @version cannot hold of @model, which must be sorted; nothing if all is well.
 */
void index_unsupported(const struct model *model, unsigned int version, struct buffer *list);

/*
 * memprof_unsupported - why an indexed profile of @version, whose hash table ends at
 * @table_end, will be without @memprof; NULL: it has it, or there was none.
 */
const char *memprof_unsupported(const struct memprof *memprof, unsigned int version, uint64_t table_end);

#endif
