/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_slice.c - computes the part of a stream that each DATA block covers (docs/SPEC.md, 1.4).
 */
#include "stream_slice.h"

/* Returns the number of DATA blocks of a stream of @size bytes. */
static uint64_t blocks_of(uint64_t size, uint64_t span)
{
	return size / span + (size % span != 0);
}

uint64_t begin_last(const struct begin *begin)
{
	uint64_t last = 1;
	size_t i;

	for (i = 0; i < begin->streams.count && i < STREAMS_MAX; i++)
		if (__builtin_add_overflow(last, blocks_of(begin->streams.stream[i].size, begin->span), &last))
			return UINT64_MAX;
	return last;
}

bool stream_slice_find(const struct begin *begin, uint64_t index, struct stream_slice *slice)
{
	uint64_t left = index - 1;
	size_t i;

	for (i = 0; i < begin->streams.count && i < STREAMS_MAX; i++) {
		const struct stream *stream = &begin->streams.stream[i];
		uint64_t blocks = blocks_of(stream->size, begin->span);

		if (left < blocks) {
			slice->stream = stream->number;
			slice->offset = left * begin->span;
			slice->raw = stream->size - slice->offset;
			if (slice->raw > begin->span)
				slice->raw = begin->span;
			return true;
		}
		left -= blocks;
	}
	return false;
}
