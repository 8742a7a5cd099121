/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.h - a profile as blocks that survive a wire.
 *
 * bareprof_capture_open() makes a capture of the counters and bitmaps alone, coded; the
 * host program takes the rest of the .profraw from the image's ELF file.
 * bareprof_capture_profraw() makes a capture of a whole .profraw. Each block has a
 * checksum, and can be decoded with the help of BEGIN alone. A capture of counters:
 *
 *	index   0       1 ... n                             n + 1
 *	block   BEGIN   DATA: counters, then the bitmap     END
 *
 * bareprof_block() builds any of these blocks, in any order and as often as the caller
 * likes. The caller sends them, for example through a hypercall, over and over in a loop,
 * or again when the host asks for one. For a byte channel there are two encoders:
 *
 *	bareprof_encode_text()   a line of base64, for a console among log lines
 *	bareprof_encode_frame()  a COBS frame, for a channel of its own
 *
 * bareprof_send() sends all blocks once, in order, through one of the encoders. An image
 * that uses one encoder does not contain the other.
 */
#ifndef BAREPROF_CAPTURE_H
#define BAREPROF_CAPTURE_H

#include <bareprof/bareprof.h>
#include <bareprof/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A buffer of this many bytes is enough for any capture without values, if the build id has at most 32 bytes. */
#define BAREPROF_BLOCK_MIN 192u
/* The largest block that the format allows, in bytes. */
#define BAREPROF_BLOCK_MAX 65536u
/* The most that this runtime uses of a block buffer, in bytes. */
#define BAREPROF_BUFFER_MAX 16384u
/* Bytes of a block buffer that are kept for the block's fields and for coding; the rest is for raw bytes. */
#define BAREPROF_BLOCK_OVERHEAD 48u

/* The largest number of streams in a capture. */
#define BAREPROF_STREAMS_MAX 5u

struct bareprof_capture;

/*
 * Writes the payload of DATA block @index at @p and returns its end. For use by capture.c
 * only. It is called through a pointer so that an image which captures only counters does
 * not contain the code that writes a .profraw.
 */
typedef uint8_t *(*bareprof_payload)(const struct bareprof_capture *capture, uint8_t *p, uint32_t index);

/*
 * A capture that is open, so that its blocks can be sent. The caller owns it. The image,
 * and the dump if there is one, must stay in place while the capture is used. The caller
 * may read blocks, span and buffer_min.
 */
struct bareprof_capture {
	const struct bareprof_image *image;
	const struct bareprof_dump *dump; /* set only for a capture of a whole .profraw */
	bareprof_payload payload;
	uint32_t tag; /* identifies the dump: the CRC of BEGIN's payload */
	uint32_t blocks; /* number of blocks, with BEGIN and END */
	uint32_t first[BAREPROF_STREAMS_MAX]; /* index of the first block of each stream */
	size_t buffer_min; /* bytes that a buffer for any block must have */
	size_t epoch; /* generation and releases of the image when opened */
	/* From here on: the numbers of the BEGIN block, in its order. */
	size_t version; /* low half of the version word */
	size_t variants; /* high half of the version word */
	size_t nonce; /* tells this dump from others of the same image */
	size_t generation; /* of the image when opened */
	size_t span; /* raw bytes that a DATA block covers */
	/* Number of streams; kind and raw bytes of each stream; address of the counters; bytes of the build id. */
	size_t streams[3 + 2 * BAREPROF_STREAMS_MAX];
};

/*
 * bareprof_capture_open - prepares the counters and bitmaps of @image for sending in
 * blocks.
 *
 * @nonce is any number that differs between boots: a boot count, or a cycle counter read
 * once. The host treats captures with the same nonce as one dump that was sent again,
 * unless the counters were reset between the captures: then it adds them (docs/SPEC.md,
 * 1.9). With a new nonce for each capture, the host cannot tell whether two captures
 * contain the same counts.
 *
 * @buf of @size bytes is the caller's block buffer. This call uses it as scratch memory.
 * Its size decides how many raw bytes a DATA block covers, capture->span. For a console,
 * 1 to 2 KiB are a good size (a coded block usually fills a fifth of that); for a clean
 * channel, several KiB. The larger the buffer, the fewer bytes are sent in all.
 *
 * The image need not have records in memory. The counters are not touched. Time is linear
 * in the number of blocks.
 *
 * Errors: NO_SPACE if @size is less than 160 plus the bytes of the build id; VALUE_SITES
 * if image->value_sites is not 0: use bareprof_capture_values().
 */
BAREPROF_API int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * bareprof_capture_profraw - prepares the whole .profraw of @dump for sending in blocks.
 * Use it if nobody keeps the ELF file; it sends 30 to 300 times as many bytes as a capture
 * of counters. *@dump must be open, and must stay in place while the capture is used.
 * @nonce, @buf and @size are as in bareprof_capture_open(). Errors: NO_SPACE; STALE if the
 * counters were reset after @dump was opened.
 */
BAREPROF_API int bareprof_capture_profraw(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, size_t nonce, void *buf, size_t size);

/*
 * bareprof_block - builds block @index (0 to capture->blocks - 1) in @buf of @size bytes,
 * at least capture->buffer_min. (The size given when the capture was opened is enough.)
 *
 * Returns the block's size in bytes. Blocks may be built in any order and any number of
 * times; a DATA block of one index always covers the same raw bytes. Errors: ARGUMENT if
 * there is no such index; NO_SPACE; STALE if the counters were reset after the capture was
 * opened, even while this block was being built. After an error @buf contains no block.
 *
 * The counters are read live, as in bareprof_read(). A count made during the call may be
 * in the block or not; the block is well-formed either way.
 */
BAREPROF_API intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size);

/*
 * A sink takes @n bytes at @data, which are valid only during the call. It returns 0 to go
 * on, or any other number to stop bareprof_send(). @context comes from the caller of
 * bareprof_send(), and the sink runs in that caller's context.
 */
typedef int (*bareprof_sink)(void *context, const void *data, size_t n);

/*
 * An encoder sends one block of @n bytes to @sink. Returns 0, or the number other than 0
 * that the sink returned.
 *
 * bareprof_encode_text - sends the marker, the block in base64, CR LF. The sink gets at
 * most 4 characters per call.
 * bareprof_encode_frame - sends a zero byte, the block in COBS, a zero byte. The sink gets
 * at most 254 bytes per call.
 */
typedef int (*bareprof_encoder)(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_text(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_frame(const void *block, size_t n, bareprof_sink sink, void *context);

/*
 * bareprof_send - sends all blocks of @capture in order, through the encoder @form to
 * @sink, whose first argument is @context.
 *
 * @buf of @size bytes is the block buffer. Errors: those of bareprof_block(); SINK if the
 * sink returned a number other than 0.
 */
BAREPROF_API int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_encoder form,
	bareprof_sink sink, void *context);

/*
 * bareprof_capture_write - writes all blocks of @capture in order to @buf of @size bytes,
 * as a capture file. The file can stay in memory across a reset of the machine, or a
 * debugger can fetch it.
 *
 * Returns the number of bytes written. Each block is built in place, so capture->buffer_min
 * bytes of @buf must be free before each block, also the last one. Errors: those of
 * bareprof_block(). After an error @buf does not contain a whole file.
 */
BAREPROF_API intptr_t bareprof_capture_write(const struct bareprof_capture *capture, void *buf, size_t size);

/*
 * The small form: two calls in place of all of the above, for microcontrollers with a few
 * KiB of memory. It needs no struct, cannot write a .profraw, and does not check the image;
 * the host program checks it in the ELF file.
 *
 * bareprof_small_start - sets the counters of the image into which the runtime is linked
 * to their start value; they may be in NOLOAD memory. Call it once RAM is usable, and
 * before the first instrumented function runs on any CPU. It must not be instrumented.
 * Errors: NO_COUNTERS.
 *
 * bareprof_small_dump - sends a capture of these counters. @nonce, @buf and @size are as
 * in bareprof_capture_open(), the other parameters as in bareprof_send(). The capture has
 * image number 0 and generation 0. It does not notice a bareprof_small_start() during the
 * call. After another bareprof_small_start() use another nonce, or the host takes the
 * captures before and after it for one dump that was sent twice. Errors: NO_SPACE, SINK.
 */
BAREPROF_API int bareprof_small_start(void);
BAREPROF_API int bareprof_small_dump(
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context);

/*
 * bareprof_crc32c - returns the CRC-32C (Castagnoli) of @n bytes at @data. @crc is the CRC
 * of the bytes before these, 0 if there are none.
 */
BAREPROF_API uint32_t bareprof_crc32c(uint32_t crc, const void *data, size_t n);

#ifdef __cplusplus
}
#endif

#endif
