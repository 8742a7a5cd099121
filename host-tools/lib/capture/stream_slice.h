/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_slice.h - finds the bytes of a stream that a DATA block covers.
 */
#ifndef BAREPROF_HOST_STREAM_SLICE_H
#define BAREPROF_HOST_STREAM_SLICE_H

#include "block.h"

struct stream_slice {
	uint8_t stream;
	uint64_t offset;
	uint64_t raw; /* size of the decoded bytes */
};

/*
 * stream_slice_find - finds the bytes that DATA block @index covers. Returns false if @index is
 * after the last block that @begin announces.
 */
bool stream_slice_find(const struct begin *begin, uint64_t index, struct stream_slice *slice);

/*
 * begin_last - returns the index of the END block, computed from @begin: the number of DATA blocks
 * of all streams, plus 1. Returns UINT64_MAX if that number is too large.
 */
uint64_t begin_last(const struct begin *begin);

#endif
