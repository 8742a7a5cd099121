/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_slice.h - the bytes of a stream that a DATA block covers.
 */
#ifndef BAREPROF_HOST_STREAM_SLICE_H
#define BAREPROF_HOST_STREAM_SLICE_H

#include "block.h"

struct stream_slice {
	uint8_t stream;
	uint64_t offset;
	uint64_t raw; /* bytes when decoded */
};

/* stream_slice_find - finds what DATA block @index covers. False if it is after the last one that @begin announces. */
bool stream_slice_find(const struct begin *begin, uint64_t index, struct stream_slice *slice);

/* begin_last - returns the index of END that follows from BEGIN: 1 + one block for each span of each stream. */
uint64_t begin_last(const struct begin *begin);

#endif
