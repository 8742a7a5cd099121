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

/* What a DATA block's offset counts in. */
#define BAREPROF_STREAM_PROFRAW 0u /* the .profraw as the target writes it */

/* How a DATA block's bytes are coded. */
#define BAREPROF_CODING_STORED 0u

/* Byte order, in BEGIN. */
#define BAREPROF_ORDER_LITTLE 1u
#define BAREPROF_ORDER_BIG    2u

/* Text form: the marker, base64 of one block, end of line. */
#define BAREPROF_TEXT_MARKER "@bp:"

#endif
