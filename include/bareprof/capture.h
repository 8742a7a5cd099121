/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.h - a profile as blocks that survive a wire.
 *
 * bareprof_block() serves any block of a capture; who sends them where is the
 * caller's business: a hypercall window, a carousel, an answer to "again,
 * please". For a byte channel there are two forms:
 *
 *	bareprof_text()   a line of base64, for a console among log lines
 *	bareprof_frame()  a COBS frame, for a channel of its own
 *
 * and bareprof_send() puts everything once and in order in one of them. A build
 * that uses one form does not link the other.
 */
#ifndef BAREPROF_CAPTURE_H
#define BAREPROF_CAPTURE_H

#include <bareprof/bareprof.h>
#include <bareprof/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enough for every BEGIN block with a build id of up to 32 bytes. */
#define BAREPROF_BLOCK_MIN 192u
/* A larger buffer is not used. */
#define BAREPROF_BLOCK_MAX 65536u
/* What a block has around its raw bytes, at most. */
#define BAREPROF_BLOCK_OVERHEAD 48u

struct bareprof_capture;

/*
 * What a capture is of. bareprof_counters_payload: counters and bitmaps, coded; the
 * ELF file has all else, and the host program makes the .profraw of both.
 * bareprof_whole_payload: the .profraw itself, some 30 to 300 times as much. For use
 * by capture.c: it puts the payload of DATA block @index, from the stream number on,
 * at @p and returns its end; or NULL if the capture is stale.
 */
typedef uint8_t *(*bareprof_payload)(const struct bareprof_capture *capture, uint8_t *p, uint32_t index);

/*
 * A capture opened for sending in blocks. The caller owns it; the image, or dump, is
 * open and stays where it is.
 */
struct bareprof_capture {
	const struct bareprof_image *image;
	const struct bareprof_dump *dump; /* NULL: counters and bitmaps */
	bareprof_payload payload;
	uint64_t nonce; /* tells this session from others of the same image */
	size_t generation; /* of the image when opened */
	uint32_t tag; /* of the session: the CRC of BEGIN's payload */
	uint32_t blocks; /* in all: BEGIN, DATA..., END */
	uint32_t span; /* raw bytes that a DATA block covers */
};

/*
 * bareprof_capture_open - prepare the counters and bitmaps of @image for sending in
 * blocks.
 *
 * @nonce is anything that differs between captures: a cycle counter, a boot
 * count. @buf of @size bytes is the caller's block buffer; it is scratch here,
 * and its size sets how much a block covers: capture->span. 512 to 1024 bytes
 * suit a console, of which blocks as a rule use a fifth; a few KiB suit a clean
 * channel. The larger, the less is sent in all.
 *
 * Errors: ROOM if @size is less than BAREPROF_BLOCK_MIN, or than 160 and a build
 * id that is longer than 32 bytes; VALUE_SITES if the image is known to have some.
 */
BAREPROF_API int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, uint64_t nonce, void *buf, size_t size);

/*
 * bareprof_capture_whole - the same for the .profraw that @dump is of, for where
 * nobody keeps ELF files. Errors: ROOM.
 */
BAREPROF_API int bareprof_capture_whole(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, uint64_t nonce, void *buf, size_t size);

/*
 * bareprof_block - build block @index (0 to capture->blocks - 1) in @buf of
 * @size bytes, which is at least the size given at open.
 *
 * Returns the block's size in bytes. Any order, any number of times; a DATA
 * block always covers the same raw range. Errors: ARGUMENT for an index beyond
 * the last, ROOM, and those of bareprof_read().
 */
BAREPROF_API intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size);

/*
 * A sink takes @n bytes and returns 0, or anything else to stop the sending.
 */
typedef int (*bareprof_sink)(void *context, const void *data, size_t n);

/*
 * A form puts one block of @n bytes into @sink. Returns 0, or what the sink
 * returned when it stopped.
 *
 * bareprof_text: marker, base64, CR LF; the sink gets at most 4 characters at a
 * time. bareprof_frame: COBS between zero bytes; at most 254 bytes at a time.
 */
typedef int (*bareprof_form)(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_text(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_frame(const void *block, size_t n, bareprof_sink sink, void *context);

/*
 * bareprof_send - all blocks of @capture in order, in @form, through @sink.
 *
 * @buf of @size bytes is the block buffer. Errors: those of bareprof_block(),
 * and ABORTED if the sink stopped it.
 */
BAREPROF_API int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_form form,
	bareprof_sink sink, void *context);

/*
 * bareprof_crc32c - the CRC-32C (Castagnoli) of @n bytes at @data, going on
 * from @crc; 0 to start with.
 */
BAREPROF_API uint32_t bareprof_crc32c(uint32_t crc, const void *data, size_t n);

#ifdef __cplusplus
}
#endif

#endif
