/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - the numbers of the capture format, for target and host. What they
 * mean is in docs/SPEC.md, part 1, which owns the format.
 */
#ifndef BAREPROF_WIRE_H
#define BAREPROF_WIRE_H

#define BAREPROF_WIRE_VERSION 1u

/* A capture file starts with these; CR LF and ^Z show up text-mode damage. */
#define BAREPROF_FILE_MAGIC                                                                                            \
	"\x89"                                                                                                         \
	"bpc\r\n\x1a\n"
#define BAREPROF_FILE_MAGIC_SIZE 8u

/* Block types. A reader skips unknown ignorable ones and refuses others. */
#define BAREPROF_BLOCK_IGNORABLE 0x80u
#define BAREPROF_BLOCK_BEGIN     0x01u
#define BAREPROF_BLOCK_DATA      0x02u
#define BAREPROF_BLOCK_END       0x03u
/* 0x10 to 0x1f: Machine IR Profile; 0x20 to 0x2f: samples of the PC. */

/* Streams: what DATA blocks are of; the index says which, and where in it. */
#define BAREPROF_STREAM_PROFRAW  0u /* the .profraw as the target writes it */
#define BAREPROF_STREAM_COUNTERS 2u /* __llvm_prf_cnts */
#define BAREPROF_STREAM_BITMAP   3u /* __llvm_prf_bits */
#define BAREPROF_STREAM_SITES    4u /* how many values each site has */
#define BAREPROF_STREAM_VALUES   5u /* the values and their counts */
#define BAREPROF_STREAM_DROPPED  6u /* how many values were not noted */

/* How a DATA block's bytes are coded. */
#define BAREPROF_CODING_STORED   0u
#define BAREPROF_CODING_NUMBERS  1u /* of 8 bytes */
#define BAREPROF_CODING_BYTES    2u
#define BAREPROF_CODING_INVERTED 3u /* bytes, all bits inverted */
#define BAREPROF_CODING_LAST     BAREPROF_CODING_INVERTED

/* Items of the codings: the first byte of each kind. */
#define BAREPROF_ITEM_ZEROS  0x00u /* 1 to 63 of them */
#define BAREPROF_ITEM_MORE   0x3fu /* 64 and a ULEB128 zeros */
#define BAREPROF_ITEM_REPEAT 0x40u /* the number before, 1 to 32 times */
#define BAREPROF_ITEM_SMALL  0x60u /* and 1 to 31: itself */
#define BAREPROF_ITEM_MIDDLE 0x80u /* 32 to 16415, with a byte */
#define BAREPROF_ITEM_LARGE  0xc0u /* and 2 to 8: so many bytes */
#define BAREPROF_MIDDLE_MIN  32u
#define BAREPROF_MIDDLE_MAX  16415u

/* Byte order, in BEGIN. */
#define BAREPROF_ORDER_LITTLE 1u
#define BAREPROF_ORDER_BIG    2u

/* Text form: the marker, base64 of one block, end of line. */
#define BAREPROF_TEXT_MARKER "@bp:"

#endif
