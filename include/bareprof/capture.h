/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.h - a profile as blocks that survive a wire.
 *
 * A capture is of the counters and bitmaps alone, coded, or of a whole .profraw:
 * bareprof_capture_open() and bareprof_capture_profraw(). Of the former the host makes
 * the .profraw with the image's ELF file.
 *
 * bareprof_block() serves any block of a capture; who sends them where is the
 * caller's business: a hypercall window, a carousel, an answer to "again,
 * please". For a byte channel there are two forms:
 *
 *	bareprof_encode_text()   a line of base64, for a console among log lines
 *	bareprof_encode_frame()  a COBS frame, for a channel of its own
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

/* Enough for every capture of an image whose build id has up to 32 bytes. */
#define BAREPROF_BLOCK_MIN 192u
/* No block of any writer is larger. */
#define BAREPROF_BLOCK_MAX 65536u
/* The blocks made here are not: of a larger buffer the rest is not used. */
#define BAREPROF_BUFFER_MAX 16384u
/* What is kept of a buffer for all that is around a block's raw bytes, and for coding. */
#define BAREPROF_BLOCK_OVERHEAD 48u

/* A capture has at most so many streams. */
#define BAREPROF_STREAMS_MAX 5u

struct bareprof_capture;

/*
 * What a capture is of, for use by capture.c: puts the payload of DATA block @index
 * at @p and returns its end. A pointer, so that a build which captures counters
 * alone does not link what writes a .profraw.
 */
typedef uint8_t *(*bareprof_payload)(const struct bareprof_capture *capture, uint8_t *p, uint32_t index);

/*
 * A capture opened for sending in blocks. The caller owns it; the image, and the
 * dump if it is of one, stay where they are. blocks and span may be read.
 */
struct bareprof_capture {
	const struct bareprof_image *image;
	const struct bareprof_dump *dump; /* only of a whole .profraw */
	bareprof_payload payload;
	uint32_t tag; /* of the dump: the CRC of BEGIN's payload */
	uint32_t blocks; /* in all: BEGIN, DATA..., END */
	uint32_t first[BAREPROF_STREAMS_MAX]; /* block of each stream */
	size_t buffer_min; /* what a buffer for a block must have */
	size_t epoch; /* generation and releases of the image when opened */
	/* From here on the numbers of BEGIN, in its order. */
	size_t version; /* low half of the version word */
	size_t variants; /* high half of it */
	size_t nonce; /* tells this dump from others of the same image */
	size_t generation; /* of the image when opened */
	size_t span; /* raw bytes that a DATA block covers */
	/* How many streams, number and raw bytes of each, address of the counters, bytes of the build id. */
	size_t streams[3 + 2 * BAREPROF_STREAMS_MAX];
};

/*
 * bareprof_capture_open - prepare the counters and bitmaps of @image for sending in
 * blocks.
 *
 * @nonce is anything that differs between boots: a boot count, or a cycle counter
 * read once. Captures with the same one and no reset in between are to the host
 * one dump that was sent again, and after a reset something to be added
 * (docs/SPEC.md, 1.9); a nonce for each capture makes each stand for itself.
 *
 * @buf of @size bytes is the caller's block buffer; it is scratch here, and its size
 * sets how much a block covers: capture->span. 1 to 2 KiB suit a console, of which
 * blocks as a rule use a fifth; several KiB suit a clean channel. The larger, the
 * less is sent in all.
 *
 * Whether there are records in memory does not matter. The counters are not touched.
 * Time is linear in the number of blocks.
 *
 * Errors: NO_SPACE if @size is less than 160 and the bytes of the build id; VALUE_SITES
 * if the image is known to have some: see bareprof_capture_values().
 */
BAREPROF_API int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * bareprof_capture_profraw - the same for the .profraw that @dump is of, for where
 * nobody keeps ELF files: some 30 to 300 times as much. *@dump must be open and
 * stay where it is. Errors: NO_SPACE; STALE if the counters were reset since.
 */
BAREPROF_API int bareprof_capture_profraw(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, size_t nonce, void *buf, size_t size);

/*
 * bareprof_block - build block @index (0 to capture->blocks - 1) in @buf of
 * @size bytes, which is at least capture->buffer_min. (The size given at open is enough.)
 *
 * Returns the block's size in bytes. Any order, any number of times; a DATA
 * block always covers the same raw range. Errors: ARGUMENT for an index beyond
 * the last; NO_SPACE; STALE if the counters were reset since open, also while the block
 * was built, which is then garbage.
 *
 * Counters are read live, as bareprof_read() does: what instrumented code counts
 * meanwhile is in a block or not, but no block is malformed by it.
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
 * bareprof_encode_text: marker, base64, CR LF; the sink gets at most 4 characters at a
 * time. bareprof_encode_frame: COBS between zero bytes; at most 254 bytes at a time.
 */
typedef int (*bareprof_encoder)(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_text(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_frame(const void *block, size_t n, bareprof_sink sink, void *context);

/*
 * bareprof_send - all blocks of @capture in order, in @form, through @sink.
 *
 * @buf of @size bytes is the block buffer. Errors: those of bareprof_block(),
 * and SINK if the sink stopped it.
 */
BAREPROF_API int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_encoder form,
	bareprof_sink sink, void *context);

/*
 * bareprof_capture_write - all blocks of @capture in order into @buf of @size bytes,
 * as a capture file: to be kept over a reset, or fetched by a debugger.
 *
 * Returns the size written. Blocks are built in place, so a block's room (see
 * bareprof_block()) must be left before the last one. Errors: those of bareprof_block();
 * with NO_SPACE, what was written is not a whole file.
 */
BAREPROF_API intptr_t bareprof_capture_write(const struct bareprof_capture *capture, void *buf, size_t size);

/*
 * The small form: for parts with a few KiB, two calls for all of the above. It learns
 * and checks nothing of the image, which the host does with the ELF file, keeps nothing,
 * and cannot write a .profraw.
 *
 * bareprof_small_start - set the counters of the image that this very call is linked
 * into to their start value, whether something loaded them or not. Call it after RAM is
 * usable and before the first instrumented function on any CPU; it must not be
 * instrumented. Errors: NO_COUNTERS.
 *
 * bareprof_small_dump - send a capture of its counters: for @nonce, @buf and @size see
 * bareprof_capture_open(), for the rest bareprof_send(). The image's number and its
 * generation are 0, and nothing notices a bareprof_small_start() meanwhile; after one,
 * @nonce must be another, or the host takes two counts for one. Errors: NO_SPACE, SINK.
 */
BAREPROF_API int bareprof_small_start(void);
BAREPROF_API int bareprof_small_dump(
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context);

/*
 * bareprof_crc32c - the CRC-32C (Castagnoli) of @n bytes at @data, going on
 * from @crc; 0 to start with.
 */
BAREPROF_API uint32_t bareprof_crc32c(uint32_t crc, const void *data, size_t n);

#ifdef __cplusplus
}
#endif

#endif
