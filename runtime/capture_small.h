/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_small.h - internal: sends all blocks of a dump once, in order. There are two small forms
 * of the runtime, and this header has the code that both share: capture_small.c sends counters and
 * bitmaps, mip_small.c sends machine profiles. The functions are inline, because most images have
 * only one of the two forms.
 */
#ifndef BAREPROF_CAPTURE_SMALL_H
#define BAREPROF_CAPTURE_SMALL_H

#include "capture_blocks.h"
#include "image_bounds.h"

/* The sections that a small form needs: the build id, and the sections that a run changes. */
enum {
	BAREPROF_SMALL_ID,
	BAREPROF_SMALL_FIRST,
	BAREPROF_SMALL_SECOND,
	BAREPROF_SMALL_SECTIONS, /* of counters, and of machine profiles without blocks */
	BAREPROF_SMALL_MORE = BAREPROF_SMALL_SECTIONS, /* block bytes and samples */
	BAREPROF_SMALL_ALL_SECTIONS = BAREPROF_SMALL_MORE + 2,
	BAREPROF_SMALL_MIP_SECTIONS = BAREPROF_SERVES_BLOCKS ? BAREPROF_SMALL_ALL_SECTIONS : BAREPROF_SMALL_SECTIONS,
	/* After them comes the part of the block bytes that starts as 0. */
	BAREPROF_SMALL_MIP_BOUNDS = BAREPROF_SMALL_MIP_SECTIONS + BAREPROF_SERVES_BLOCKS
};

/* The properties of a dump that do not come from its sections. */
struct bareprof_small {
	size_t variants; /* the upper half of the version word */
	size_t stream; /* number of the stream of the first section; the other sections have the next numbers */
	unsigned int sections; /* BAREPROF_SMALL_SECTIONS or BAREPROF_SMALL_ALL_SECTIONS */
	/* Of the first two sections. The third section has the coding of the second, the last section has BYTES. */
	unsigned int coding[2];
};

/*
 * Sets all bytes of the first section to @first, and of the second to @second. If there are more @sections, sets the
 * block bytes to @second, and then those of clang and the samples to 0. Errors: NO_COUNTERS.
 */
static inline BAREPROF_UNUSED int bareprof_fill_small(
	const struct bareprof_slice *section, unsigned int sections, int first, int second)
{
	size_t more = 0;
	const struct bareprof_slice *s = &section[BAREPROF_SMALL_FIRST];

	bareprof_fill((void *)(uintptr_t)s[0].start, first, s[0].size);
	bareprof_fill((void *)(uintptr_t)s[1].start, second, s[1].size);
	if (BAREPROF_SERVES_BLOCKS && sections > BAREPROF_SMALL_SECTIONS) {
		bareprof_fill((void *)(uintptr_t)s[2].start, second, s[2].size);
		bareprof_fill((void *)(uintptr_t)s[4].start, 0, s[4].size);
		bareprof_fill((void *)(uintptr_t)s[3].start, 0, s[3].size);
		more = s[2].size;
	}
	return s[0].size | s[1].size | more ? BAREPROF_OK : BAREPROF_E_NO_COUNTERS;
}

/* The numbers of BEGIN, in the order of its payload. */
enum {
	BEGIN_VERSION,
	BEGIN_VARIANTS,
	BEGIN_NONCE,
	BEGIN_GENERATION,
	BEGIN_SPAN,
	BEGIN_STREAMS, /* number of streams; the kind and the size of each stream follow */
	BEGIN_FIRST,
	BEGIN_FIRST_SIZE,
	BEGIN_SECOND,
	BEGIN_SECOND_SIZE,
	BEGIN_MORE, /* the other streams; then come the address of the first section, and the size of the build id */
	BEGIN_MAX = BEGIN_MORE + (BAREPROF_SERVES_BLOCKS ? 6 : 2)
};

/* Returns the number of numbers. */
static inline unsigned int bareprof_fill_begin(size_t number[BEGIN_MAX], const struct bareprof_slice *section,
	const struct bareprof_small *what, size_t nonce, size_t size)
{
	unsigned int n = BEGIN_MORE;

	number[BEGIN_VERSION] = 0; /* 0 means unknown, because the small form does not read the records */
	number[BEGIN_VARIANTS] = what->variants;
	number[BEGIN_NONCE] = nonce;
	number[BEGIN_GENERATION] = 0;
	number[BEGIN_SPAN] = BAREPROF_SPAN(size);
	number[BEGIN_STREAMS] = what->sections - BAREPROF_SMALL_FIRST;
	number[BEGIN_FIRST] = what->stream;
	number[BEGIN_FIRST_SIZE] = section[BAREPROF_SMALL_FIRST].size;
	number[BEGIN_SECOND] = what->stream + 1;
	number[BEGIN_SECOND_SIZE] = section[BAREPROF_SMALL_SECOND].size;
	if (BAREPROF_SERVES_BLOCKS && what->sections > BAREPROF_SMALL_SECTIONS) {
		number[n++] = what->stream + 2;
		number[n++] = section[BAREPROF_SMALL_MORE].size;
		number[n++] = what->stream + 3;
		number[n++] = section[BAREPROF_SMALL_MORE + 1].size;
	}
	number[n++] = (uintptr_t)section[BAREPROF_SMALL_FIRST].start;
	number[n++] = section[BAREPROF_SMALL_ID].size;
	return n;
}

/* Moves a slice, which becomes empty. For an assignment of structs, gcc may call memcpy(), which a target need not have. */
static inline void bareprof_move_slice(struct bareprof_slice *to, struct bareprof_slice *from)
{
	to->start = from->start;
	to->size = from->size;
	from->size = 0;
}

/* Sends @section, whose slices this function changes. The other parameters are those of bareprof_small_dump(). */
static inline BAREPROF_UNUSED int bareprof_send_small(struct bareprof_slice *section, const struct bareprof_small *what,
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context)
{
	/* The parts of the streams that are not sent yet. */
	struct bareprof_slice *left = &section[BAREPROF_SMALL_FIRST];
	size_t number[BEGIN_MAX];
	unsigned int numbers;
	size_t field[BAREPROF_FIELDS];
	uint8_t *payload = (uint8_t *)buf + BAREPROF_BEGIN_PAYLOAD;
	unsigned int coding = what->coding[0];
	uint8_t *end;
	uint32_t tag;

	if (size < BAREPROF_BUFFER_MIN(section[BAREPROF_SMALL_ID].size))
		return BAREPROF_E_NO_SPACE;
	numbers = bareprof_fill_begin(number, section, what, nonce, size);
	/* Every block contains the tag, which is the checksum of BEGIN's payload. So BEGIN's payload is built first. */
	end = bareprof_put_begin(payload, number, numbers, section[BAREPROF_SMALL_ID].start);
	tag = bareprof_crc32c(0, payload, (size_t)(end - payload));
	field[BAREPROF_FIELD_TYPE] = BAREPROF_BLOCK_BEGIN;
	field[BAREPROF_FIELD_IMAGE] = 0;
	field[BAREPROF_FIELD_INDEX] = 0;
	for (;;) {
		payload = bareprof_start_block(buf, field, tag);
		if (field[BAREPROF_FIELD_TYPE] != BAREPROF_BLOCK_BEGIN)
			end = payload;
		if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_DATA)
			end = bareprof_put_data(payload, left, number[BEGIN_SPAN], coding);
		if (form(buf, bareprof_finish_block(buf, payload, end), sink, context))
			return BAREPROF_E_SINK;
		BAREPROF_YIELD();
		if (field[BAREPROF_FIELD_TYPE] == BAREPROF_BLOCK_END)
			return BAREPROF_OK;

		/*
		 * The next block is a DATA block if bytes of this stream or of a later
		 * stream are left. Otherwise it is END.
		 */
		if (!left[0].size) {
			bareprof_move_slice(&left[0], &left[1]);
			coding = what->coding[1];
		}
		/* Block bytes and samples follow in the same way. */
		if (BAREPROF_SERVES_BLOCKS && what->sections > BAREPROF_SMALL_SECTIONS) {
			struct bareprof_slice *more = &section[BAREPROF_SMALL_MORE];

			if (!left[0].size)
				bareprof_move_slice(&left[0], &more[0]);
			if (!left[0].size) {
				coding = BAREPROF_CODING_BYTES;
				bareprof_move_slice(&left[0], &more[1]);
			}
		}
		field[BAREPROF_FIELD_TYPE] = left[0].size ? BAREPROF_BLOCK_DATA : BAREPROF_BLOCK_END;
		field[BAREPROF_FIELD_INDEX]++;
	}
}

#endif
