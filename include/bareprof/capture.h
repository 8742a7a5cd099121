/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.h - makes captures: profiles in blocks with checksums, for wires that lose or
 * damage bytes.
 *
 * bareprof_capture_open() makes a capture that contains only counters and bitmaps, in
 * compressed form. The host program takes all other sections of the .profraw from the
 * image's ELF file. bareprof_capture_profraw() makes a capture of a whole .profraw. Each
 * block has a checksum. To decode a block, the host needs only that block and the block
 * BEGIN. The blocks of a capture of counters are:
 *
 *	index   0       1 ... n                             n + 1
 *	block   BEGIN   DATA: counters, then the bitmap     END
 *
 * bareprof_block() builds any of these blocks, in any order and as often as the caller
 * likes. The caller sends the blocks, for example through a hypercall, or repeatedly in a
 * loop. If the host asks for blocks again, bareprof_answer() sends only these blocks. For
 * channels of bytes there are three encoders:
 *
 *	bareprof_encode_text()   a line of base64, for a console that also shows log lines
 *	bareprof_encode_frame()  a COBS frame, for a channel that carries nothing else
 *	bareprof_encode_file()   the block itself, for a channel that loses no bytes and
 *	                         whose receiver stores a file
 *
 * bareprof_send() sends all blocks once, in order, through one of the encoders. An image
 * that uses only one encoder does not contain the code of the other encoders.
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
/* This runtime uses at most this many bytes of a block buffer. */
#define BAREPROF_BUFFER_MAX 16384u
/*
 * In a block buffer, this many bytes are reserved for the block's fields and for coding. The
 * other bytes of the buffer are for raw bytes.
 */
#define BAREPROF_BLOCK_OVERHEAD 48u

/* The largest number of streams in a capture. */
#define BAREPROF_STREAMS_MAX 5u

struct bareprof_capture;

/*
 * Writes the payload of DATA block @index at @p. Returns the payload's end. Only
 * capture.c uses this type. The function is called through a pointer so that an image
 * which captures only counters does not contain the code that writes a .profraw.
 */
typedef uint8_t *(*bareprof_payload)(const struct bareprof_capture *capture, uint8_t *p, uint32_t index);

/*
 * An open capture, whose blocks can be sent. The caller owns this struct. *image, and *dump
 * if it is not NULL, must stay in place while the capture is used. The caller may read the
 * fields blocks, span and buffer_min.
 */
struct bareprof_capture {
	const struct bareprof_image *image;
	const struct bareprof_dump *dump; /* NULL, except in a capture of a whole .profraw */
	bareprof_payload payload;
	uint32_t tag; /* identifies the dump: the CRC of BEGIN's payload */
	uint32_t blocks; /* number of blocks, including BEGIN and END */
	uint32_t first[BAREPROF_STREAMS_MAX]; /* index of the first block of each stream */
	size_t buffer_min; /* size in bytes of a buffer that holds any block of the capture */
	size_t epoch; /* epoch of the image when the capture was opened: its generation plus its releases */
	/* The fields from here on contain the numbers of the BEGIN block, in the same order as in that block. */
	size_t version; /* low half of the version word */
	size_t variants; /* high half of the version word */
	size_t nonce; /* distinguishes this dump from others of the same image */
	size_t generation; /* generation of the image when the capture was opened */
	size_t span; /* number of raw bytes that a DATA block covers */
	/*
	 * In this order: the number of streams; for each stream its kind and its number
	 * of raw bytes; the address of the counters; the number of bytes of the build id.
	 */
	size_t streams[3 + 2 * BAREPROF_STREAMS_MAX];
};

/*
 * bareprof_capture_open - prepares the counters and bitmaps of @image for sending in
 * blocks.
 *
 * @nonce is any number that differs between boots: a boot count, or a cycle counter read
 * once. If several captures have the same nonce, the host treats them as one dump that was
 * sent again. But if the counters were reset between two of these captures, the host adds
 * up the counts of both captures (docs/SPEC.md, 1.9). Do not use a new nonce for each
 * capture, because the host could then not tell whether two captures contain the same
 * counts.
 *
 * @buf of @size bytes is the caller's block buffer. This call uses it as scratch memory.
 * Its size determines capture->span, the number of raw bytes that a DATA block covers. For
 * a console, 1 to 2 KiB are a good size (a coded block usually fills a fifth of the
 * buffer). For a channel without losses, several KiB are good. With a larger buffer, the
 * whole capture has fewer bytes.
 *
 * The image need not have records in memory. The call does not read the counters. Time is
 * linear in the number of blocks. If *image is a machine profile (mip.h), the capture has its
 * coverage bytes and call entries.
 *
 * Errors: NO_SPACE if @size is less than 160 plus the bytes of the build id; VALUE_SITES if
 * image->value_sites is not 0 (use bareprof_capture_values() then).
 */
BAREPROF_API int bareprof_capture_open(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * bareprof_capture_profraw - prepares the whole .profraw of @dump for sending in blocks.
 * Use this function if the ELF file is not kept. Such a capture has 30 to 300 times as many
 * bytes as a capture of counters. *@dump must be open, and must stay in place while the
 * capture is used. @nonce, @buf and @size are as in bareprof_capture_open(). Errors:
 * NO_SPACE; STALE if the counters were reset after @dump was opened.
 */
BAREPROF_API int bareprof_capture_profraw(
	struct bareprof_capture *capture, const struct bareprof_dump *dump, size_t nonce, void *buf, size_t size);

/*
 * bareprof_block - builds block @index (0 to capture->blocks - 1) in @buf of @size
 * bytes. @size must be at least capture->buffer_min. (The size that was passed when the
 * capture was opened is always enough.)
 *
 * Returns the block's size in bytes. Blocks may be built in any order and any number of
 * times; each DATA block covers the same raw bytes every time it is built. Errors: ARGUMENT
 * if there is no block @index; NO_SPACE; STALE if the counters were reset after the capture
 * was opened, also if they were reset while this block was being built. After an error @buf
 * contains no block.
 *
 * The counters are read live, as in bareprof_read(). An increment of a counter during the
 * call may be in the block or not. The block is well-formed in both cases.
 */
BAREPROF_API intptr_t bareprof_block(const struct bareprof_capture *capture, uint32_t index, void *buf, size_t size);

/*
 * bareprof_next_block - builds block *@index like bareprof_block(), and adds 1 to *@index. But if
 * all counters of block *@index show that the code never ran, and no bit of a bitmap is set, the
 * function builds one small block in place of this block and all blocks of this kind that follow
 * it. It then adds the number of the replaced blocks to *@index. So a dump of a large image has
 * fewer lines and bytes. Only a host program that knows the coding
 * UNIFORM (docs/SPEC.md, 1.7) reads a dump with such a block. To send a whole dump, call this
 * function with *@index from 0 until it is capture->blocks:
 *
 *	for (index = 0; index < capture->blocks;) {
 *		intptr_t n = bareprof_next_block(capture, &index, buf, size);
 *
 *		if (n < 0)
 *			return n;
 *		send(buf, n);
 *	}
 *
 * @buf and @size, the result and the errors are those of bareprof_block(). After an error, *@index
 * is not defined. One call builds up to 128 blocks.
 */
BAREPROF_API intptr_t bareprof_next_block(
	const struct bareprof_capture *capture, uint32_t *index, void *buf, size_t size);

/*
 * A sink sends @n bytes at @data, which are valid only during the call. The sink returns 0
 * to continue, or any other number to stop bareprof_send(). @context is the pointer that
 * was passed to bareprof_send(). The sink runs in the context (task, interrupt) in which
 * bareprof_send() was called.
 */
typedef int (*bareprof_sink)(void *context, const void *data, size_t n);

/*
 * An encoder sends one block of @n bytes to @sink. It returns 0, or the sink's result if
 * that is not 0.
 *
 * bareprof_encode_text - sends a line: the marker "@bp:", the block in base64, CR LF. The
 * sink gets at most 4 characters per call.
 * bareprof_encode_frame - sends a frame: a zero byte, the block in COBS, a zero byte. The
 * sink gets at most 254 bytes per call.
 * bareprof_encode_file - sends the block itself, and before BEGIN the 8 magic bytes of a
 * capture file. The sink gets a whole block per call. A file that gets all blocks of a
 * capture in order is a capture file.
 */
typedef int (*bareprof_encoder)(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_text(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_frame(const void *block, size_t n, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_encode_file(const void *block, size_t n, bareprof_sink sink, void *context);

/*
 * bareprof_send - sends all blocks of @capture in order. The encoder @form encodes each
 * block and passes the bytes to @sink. The first argument of @sink is @context.
 *
 * @buf of @size bytes is the block buffer. Errors: those of bareprof_block(); SINK if the
 * sink returned a number other than 0.
 */
BAREPROF_API int bareprof_send(const struct bareprof_capture *capture, void *buf, size_t size, bareprof_encoder form,
	bareprof_sink sink, void *context);

/*
 * bareprof_answer - sends again the blocks for which the host asks. @request is a string: the text that `bareprof pull
 * --ask` types in place of %s, such as "3,7-9.2868136341" (docs/SPEC.md, 1.10). Any text may follow it. *@capture is the
 * capture whose blocks were sent before. The other parameters are those of bareprof_send().
 *
 * The request has a checksum, which also covers the tag of the capture. So if the request was damaged, or if it belongs
 * to another dump, the function sends nothing and returns ARGUMENT. @request may have any bytes. Blocks that only have
 * zeros are sent as bareprof_next_block() makes them. Other errors: those of bareprof_send().
 *
 * The blocks have the counts of the moment at which they are sent. If code counted after the first transmission, the
 * profile is torn: its blocks come from different moments. To prevent this, let no instrumented code run from
 * bareprof_capture_open() to the last answer: read the requests in code that is not instrumented, with interrupts masked
 * and the other CPUs idle, or make the capture from a snapshot (snapshot.h).
 */
BAREPROF_API int bareprof_answer(const struct bareprof_capture *capture, const char *request, void *buf, size_t size,
	bareprof_encoder form, bareprof_sink sink, void *context);

/*
 * bareprof_capture_write - writes all blocks of @capture in order to @buf of @size bytes,
 * as a capture file. This file can stay in memory while the machine is reset, or a debugger
 * can read it.
 *
 * Returns the number of bytes written. Each block is built at its final address, so at
 * least capture->buffer_min bytes of @buf must be left for each block, also for the last
 * block. Errors: those of bareprof_block(). After an error @buf does not contain a whole
 * file.
 */
BAREPROF_API intptr_t bareprof_capture_write(const struct bareprof_capture *capture, void *buf, size_t size);

/*
 * The small form of the runtime: two functions that replace all functions above, for
 * microcontrollers with a few KiB of memory. The small form needs no struct and cannot
 * write a .profraw. It does not check the image, but the host program checks the image's
 * ELF file.
 *
 * bareprof_small_start - sets all counters to their start value, in the image into which
 * the runtime is linked. The counters may be in NOLOAD memory. Call this function when RAM
 * is usable, but before the first instrumented function runs on any CPU. .data and .bss need
 * not be ready yet, because the function reads only constants, and writes only to counters
 * and to the stack. Do not instrument this function. Errors: NO_COUNTERS.
 *
 * bareprof_small_dump - sends a capture of the counters that bareprof_small_start() has
 * set. @nonce, @buf and @size have the same meaning as in bareprof_capture_open(). The
 * other parameters have the same meaning as in bareprof_send(). The capture has image
 * number 0 and generation 0. The function does not notice a call of bareprof_small_start()
 * while it runs. If you call bareprof_small_start() again, use another nonce after the
 * call. Otherwise the host treats the captures from before and after the call as one dump
 * that was sent twice, and does not add up their counts. Errors: NO_SPACE, SINK.
 */
BAREPROF_API int bareprof_small_start(void);
BAREPROF_API int bareprof_small_dump(
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context);

/*
 * bareprof_crc32c - returns the CRC-32C (Castagnoli) of @n bytes at @data. @crc is the CRC
 * of the bytes before @data, or 0 if there are none.
 */
BAREPROF_API uint32_t bareprof_crc32c(uint32_t crc, const void *data, size_t n);

#ifdef __cplusplus
}
#endif

#endif
