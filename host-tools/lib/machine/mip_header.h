/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_header.h - the first bytes of .mipraw, .mipmap and .mip files, and the header of version 8.
 */
#ifndef BAREPROF_HOST_MIP_HEADER_H
#define BAREPROF_HOST_MIP_HEADER_H

#include "bytes.h"
#include "error.h"

#include <bareprof/mip_layout.h>

/* The first 8 bytes, which are the same in both versions. */
struct mip_start {
	unsigned int version;
	unsigned int type; /* BAREPROF_MIP_TYPE_* */
	bool big; /* the file is big-endian; only a .mipraw of version 9 can be */
};

/*
 * mip_start_read - reads the first 8 bytes of @bytes. Returns false if they are not the start of a file or record of a
 * machine profile.
 */
bool mip_start_read(struct mip_start *start, struct bytes bytes);

/*
 * mip_start_expect - reads the first 8 bytes of @bytes, which must be the start of a file of the type @type. Version 8
 * has a later draft with a longer header, which is refused. Errors: INVALID_INPUT.
 */
enum status mip_start_expect(struct mip_start *start, struct bytes bytes, unsigned int type, struct error *error);

/* The header of version 8. */
struct mip_v8_header {
	uint32_t kinds;
	uint32_t module;
	uint32_t data; /* offset of the data that follow the header */
};

/*
 * mip_v8_read - reads the header of a file of version 8. Errors: INVALID_INPUT, also if bareprof does not support the
 * kinds in the header.
 */
enum status mip_v8_read(struct mip_v8_header *header, struct bytes bytes, struct error *error);
/* mip_v8_write - appends a header of version 8. */
void mip_v8_write(struct buffer *out, unsigned int type, uint32_t kinds, uint32_t module);

/*
 * mip_take_padded - takes @size bytes and the zeros that fill them up to a multiple of 8. Returns the bytes without the
 * zeros. Sets cursor->failed if the bytes are not there, or if the filling is not zero.
 */
struct bytes mip_take_padded(struct cursor *cursor, uint64_t size);
/* mip_put - appends an integer of @width bytes in little-endian order. */
void mip_put(struct buffer *out, uint64_t value, unsigned int width);
/* mip_pad - appends zeros until the size of @out is a multiple of 8. */
void mip_pad(struct buffer *out);

#endif
