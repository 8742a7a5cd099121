/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_blocks.h - internal: functions that all writers of blocks share. There are two
 * such writers: capture.c builds any block of a capture at any time, and capture_small.c
 * builds each block once.
 */
#ifndef BAREPROF_CAPTURE_BLOCKS_H
#define BAREPROF_CAPTURE_BLOCKS_H

#include <bareprof/capture.h>

/* Puts @n numbers as ULEB128s at @p. @n is at least 1. Returns the end of the last ULEB128. */
BAREPROF_API uint8_t *bareprof_put_uleb128(uint8_t *p, const size_t *number, unsigned int n);

/*
 * Puts the payload of BEGIN at @p: three bytes that describe the format and the target, then
 * the @n numbers at @version, then the build id @id. The last of the numbers is the size of @id
 * in bytes. Returns the payload's end.
 */
BAREPROF_API uint8_t *bareprof_put_begin(uint8_t *p, const size_t *version, unsigned int n, const void *id);

/* The fields at the start of a block, each a ULEB128. */
enum {
	BAREPROF_FIELD_TYPE,
	BAREPROF_FIELD_IMAGE, /* number of the image in the capture */
	BAREPROF_FIELD_INDEX, /* number of the block in the capture; BEGIN is 0 */
	BAREPROF_FIELDS
};

/*
 * bareprof_start_block() puts @field and @tag into @buf, and returns the address for the
 * payload. For image 0 and index 0 this address is always @buf + BAREPROF_BEGIN_PAYLOAD.
 *
 * bareprof_finish_block() puts the size of the payload in front of the payload and the
 * checksum after it. @payload is the address that bareprof_start_block() returned, @end is
 * the end of the payload. Returns the size of the block in bytes.
 */
#define BAREPROF_BEGIN_PAYLOAD 9
BAREPROF_API uint8_t *bareprof_start_block(void *buf, const size_t field[BAREPROF_FIELDS], uint32_t tag);
BAREPROF_API size_t bareprof_finish_block(void *buf, uint8_t *payload, uint8_t *end);

/* Some builds store all blocks, which saves code memory, and costs time on the wire. */
#if defined(CONFIG_BAREPROF_STORED) || defined(BAREPROF_STORED)
#define BAREPROF_STORES 1
#else
#define BAREPROF_STORES 0
#endif

/*
 * Puts the payload of a DATA block at @p: the first @span bytes of @left, or all bytes if @left
 * has fewer. The bytes are packed in @coding, or stored if @coding would not make them shorter.
 * Removes these bytes from @left. Returns the end of the payload. May overwrite up to @span + 9
 * bytes at @p. Counters in @left may change during the call.
 */
#if BAREPROF_STORES
/* The same function for such builds. */
static inline BAREPROF_UNUSED uint8_t *bareprof_put_data(
	uint8_t *p, struct bareprof_slice *left, size_t span, unsigned int coding)
{
	const uint8_t *from = left->start;

	(void)coding;
	if (span > left->size)
		span = left->size;
	left->start = from + span;
	left->size -= span;
	*p++ = BAREPROF_CODING_STORED;
	bareprof_copy(p, from, span);
	return p + span;
}
#else
/* For the coding DELTAS, @coding >> 8 is the distance. */
BAREPROF_API uint8_t *bareprof_put_data(uint8_t *p, struct bareprof_slice *left, size_t span, unsigned int coding);
#endif

/*
 * Opens @capture, whose payload and streams[] the caller has set. @buf of @size bytes is
 * scratch memory. Errors: NO_SPACE.
 */
BAREPROF_API int bareprof_capture_begin(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * bareprof_capture_counters() opens a capture of counters, bitmaps and further streams. The
 * caller has already set payload, the number of streams, and the kind and size of each further
 * stream. The first further stream has its kind in streams[5] and its size in streams[6].
 * Errors: NO_SPACE.
 *
 * bareprof_put_counters() puts the payload of a DATA block of counters or bitmaps at @p.
 * Returns the payload's end.
 */
BAREPROF_API int bareprof_capture_counters(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);
BAREPROF_API uint8_t *BAREPROF_CALLBACK bareprof_put_counters(
	const struct bareprof_capture *capture, uint8_t *p, uint32_t index);

/* The smallest buffer, in bytes, that holds any BEGIN with a build id of @id bytes. */
#define BAREPROF_BUFFER_MIN(id) (BAREPROF_BLOCK_MIN - 32 + (id))

/*
 * The span of a block in a buffer of @size bytes. It is a multiple of 16, so that a block
 * has only whole pairs of value and count.
 */
#define BAREPROF_SPAN(size)                                                                                            \
	((((size) < BAREPROF_BUFFER_MAX ? (size) : BAREPROF_BUFFER_MAX) - BAREPROF_BLOCK_OVERHEAD) & ~(size_t)15)

#endif
