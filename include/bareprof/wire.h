/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - the constants of the capture format, for target and host. docs/SPEC.md, part 1,
 * defines the format and explains these constants.
 */
#ifndef BAREPROF_WIRE_H
#define BAREPROF_WIRE_H

#define BAREPROF_WIRE_VERSION 1u

/*
 * A capture file starts with these bytes, which contain CR LF and ^Z. If the file is copied
 * in text mode, these bytes change, so a reader notices the damage.
 */
#define BAREPROF_FILE_MAGIC                                                                                            \
	"\x89"                                                                                                         \
	"bpc\r\n\x1a\n"
#define BAREPROF_FILE_MAGIC_SIZE 8u

/* Block types. A reader skips an unknown type that has the ignorable bit, and refuses any other unknown type. */
#define BAREPROF_BLOCK_IGNORABLE 0x80u
#define BAREPROF_BLOCK_BEGIN     0x01u
#define BAREPROF_BLOCK_DATA      0x02u
#define BAREPROF_BLOCK_END       0x03u
/* The types 0x10 to 0x2f are reserved. */

/*
 * Streams: the kinds of data in DATA blocks. A DATA block does not name its stream. The
 * reader finds the stream, and the block's position in the stream, from the index of the
 * block.
 */
#define BAREPROF_STREAM_PROFRAW   0u /* the .profraw as the target writes it */
#define BAREPROF_STREAM_COUNTERS  2u /* __llvm_prf_cnts */
#define BAREPROF_STREAM_BITMAP    3u /* __llvm_prf_bits */
#define BAREPROF_STREAM_SITES     4u /* the number of values of each site */
#define BAREPROF_STREAM_VALUES    5u /* the values and their counts */
#define BAREPROF_STREAM_DROPPED   6u /* the number of values that were not recorded */
#define BAREPROF_STREAM_MIP_COV   7u /* machine profiles: __llvm_mipraw_cov */
#define BAREPROF_STREAM_MIP_CALLS 8u /* machine profiles: __llvm_mipraw_calls */
#define BAREPROF_STREAM_MIP_BLK   9u /* machine profiles: __llvm_mipraw_blk */
#define BAREPROF_STREAM_MIP_SMP   10u /* machine profiles: __llvm_mipraw_smp */
#define BAREPROF_STREAM_SAMPLES   11u /* samples of the program counter */

/* The coding of a DATA block. */
#define BAREPROF_CODING_STORED   0u
#define BAREPROF_CODING_NUMBERS  1u /* numbers of 8 bytes */
#define BAREPROF_CODING_BYTES    2u
#define BAREPROF_CODING_INVERTED 3u /* bytes, all bits inverted */
#define BAREPROF_CODING_UNIFORM  4u /* one or more blocks in which all bytes are equal */
#define BAREPROF_CODING_DELTAS   5u /* differences of 32-bit words */
#define BAREPROF_CODING_LAST     BAREPROF_CODING_DELTAS
/* A block with the coding UNIFORM stands for at most this many blocks. */
#define BAREPROF_UNIFORM_MAX 127u

/*
 * The items of the codings. The first byte of an item shows the kind of the item. Some kinds
 * have several first bytes. The constant of such a kind is the lowest of its first bytes.
 */
#define BAREPROF_ITEM_ZEROS  0x00u /* 1 to 63 zeros */
#define BAREPROF_ITEM_MORE   0x3fu /* 64 + n zeros; the ULEB128 that follows has the number n */
#define BAREPROF_ITEM_REPEAT 0x40u /* repeats the previous number, 1 to 32 times */
#define BAREPROF_ITEM_SMALL  0x60u /* the byte 0x60 + n is the number n, from 1 to 31 */
#define BAREPROF_ITEM_MIDDLE 0x80u /* a number from 32 to 16415, in this byte and the next byte */
#define BAREPROF_ITEM_LARGE  0xc0u /* after the byte 0xc0 + n, the next n bytes are a number; n is 2 to 8 */
#define BAREPROF_MIDDLE_MIN  32u
#define BAREPROF_MIDDLE_MAX  16415u

/*
 * The header of the stream SAMPLES (docs/SPEC.md, 5.2): the indices of its 32-bit words. Each pair of words is a number
 * of 64 bits, the lower word first.
 */
#define BAREPROF_SAMPLES_KIND     0u /* BAREPROF_SAMPLES_LIST or BAREPROF_SAMPLES_HISTOGRAM */
#define BAREPROF_SAMPLES_WORDS    1u /* 32-bit words of a sample; in a histogram: the logarithm of a counter's bytes */
#define BAREPROF_SAMPLES_BASE     2u /* run-time address of the sampled code */
#define BAREPROF_SAMPLES_RANGE    4u /* bytes of code */
#define BAREPROF_SAMPLES_BUILD_ID 6u /* run-time address of the bytes of the build id; 0: the image has none */
#define BAREPROF_SAMPLES_RATE     8u /* in Hz; 0: not known */
#define BAREPROF_SAMPLES_RINGS    9u
#define BAREPROF_SAMPLES_COUNT    10u /* samples */
#define BAREPROF_SAMPLES_DROPPED  11u
#define BAREPROF_SAMPLES_OUTSIDE  12u
#define BAREPROF_SAMPLES_HEADER   16u /* words of the header; the last three are 0 */
/* The values of the first word: the version in the low 8 bits, and the kind in the next 8 bits. */
#define BAREPROF_SAMPLES_LIST      0x001u
#define BAREPROF_SAMPLES_HISTOGRAM 0x101u

/* The target's byte order, in BEGIN. */
#define BAREPROF_ORDER_LITTLE 1u
#define BAREPROF_ORDER_BIG    2u

/* A text line consists of this marker, one block in base64, and the end of the line. */
#define BAREPROF_TEXT_MARKER "@bp:"

#endif
