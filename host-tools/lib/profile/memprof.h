/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.h - the memory profile (memprof) that an indexed profile may have
 * beside its counts: carried over as it is, from an input to the output.
 *
 * The section has versions of its own, and tables whose offsets count from the
 * start of the file. Unread, it is right only where it was: the writer puts it
 * at the same offset, with zeros in front if there is less before it now.
 */
#ifndef BAREPROF_HOST_MEMPROF_H
#define BAREPROF_HOST_MEMPROF_H

#include "model.h"
#include "profiles.h"

/*
 * memprof_add - an input of index version @version has @section at @offset. The
 * model keeps a copy of the first, and only counts more. Of shards the first one
 * gets it.
 */
void memprof_add(struct model *model, const struct reading *reading, struct bytes section, uint64_t offset,
	unsigned int version);

void memprof_join(struct model *model, const struct model *from);

/*
 * memprof_loss - why an indexed profile of version @version, or text (0), will be
 * without the memory profile of @model; NULL: it has it, or there was none.
 */
const char *memprof_loss(const struct model *model, unsigned int version);

#endif
