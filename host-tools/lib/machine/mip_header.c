/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_header.c - the first bytes of .mipraw, .mipmap and .mip files, and the header of version 8. */
#include "mip_header.h"
#include "mip_profile.h"

#include <inttypes.h>

#define START_SIZE 8u
/* A later draft of version 8 sets one of these two bits in the type of a file. The bit tells the width of pointers. */
#define DRAFT_WIDTH_BITS 0x30u

static const char *const type_names[] = {
	[BAREPROF_MIP_TYPE_RAW] = "a raw machine profile (.mipraw)",
	[BAREPROF_MIP_TYPE_MAP] = "a map (.mipmap)",
	[BAREPROF_MIP_TYPE_PROFILE] = "a machine profile (.mip)",
};

static const char *type_name(unsigned int type)
{
	return type && type <= BAREPROF_MIP_TYPE_PROFILE ? type_names[type] : "a file of an unknown type";
}

/*
 * Version 9 of the .mipraw has 64-bit words in the target's byte order, so in a big-endian file the magic number is at
 * the end of the first word.
 */
bool mip_start_read(struct mip_start *start, struct bytes bytes)
{
	uint64_t word;

	if (bytes.size < START_SIZE)
		return false;
	word = load_uint(bytes.data, 8, false);
	start->big = (uint32_t)word != BAREPROF_MIP_MAGIC;
	if (start->big)
		word = load_uint(bytes.data, 8, true);
	start->version = (uint16_t)(word >> 32);
	start->type = (uint16_t)(word >> 48);
	return (uint32_t)word == BAREPROF_MIP_MAGIC;
}

enum status mip_start_expect(struct mip_start *start, struct bytes bytes, unsigned int type, struct error *error)
{
	if (!mip_start_read(start, bytes))
		return error_set(error, STATUS_INVALID_INPUT,
			"is not %s, because it does not start with the bytes FB 4D 49 50", type_name(type));
	if (start->version == BAREPROF_MIP_V8 && (start->type & DRAFT_WIDTH_BITS))
		return error_set(error, STATUS_INVALID_INPUT,
			"has the file type 0x%x at offset 6, which belongs to a later draft of version 8 with a header "
			"of 32 bytes; bareprof reads the draft with 24 bytes, and version 9",
			start->type);
	if (start->version != BAREPROF_MIP_V8 && start->version != BAREPROF_MIP_V9)
		return error_set(error, STATUS_INVALID_INPUT,
			"has version %u at offset 4, but this bareprof reads versions 8 and 9; use a newer bareprof",
			start->version);
	if (start->type != type)
		return error_set(error, STATUS_INVALID_INPUT, "is %s, but %s is needed here", type_name(start->type),
			type_name(type));
	if (start->big && (start->version == BAREPROF_MIP_V8 || type != BAREPROF_MIP_TYPE_RAW))
		return error_set(error, STATUS_INVALID_INPUT,
			"is big-endian, but files of this type are little-endian on all targets; write it again "
			"with bareprof");
	return STATUS_OK;
}

enum status mip_v8_read(struct mip_v8_header *header, struct bytes bytes, struct error *error)
{
	if (bytes.size < BAREPROF_MIP_V8_HEADER)
		return error_set(error, STATUS_INVALID_INPUT,
			"ends at offset %zu, within the header of %u bytes" HINT_FETCH_AGAIN, bytes.size,
			BAREPROF_MIP_V8_HEADER);
	header->kinds = (uint32_t)load_uint(bytes.data + BAREPROF_MIP_V8_KINDS, 4, false);
	header->module = (uint32_t)load_uint(bytes.data + BAREPROF_MIP_V8_MODULE, 4, false);
	header->data = (uint32_t)load_uint(bytes.data + BAREPROF_MIP_V8_DATA_OFFSET, 4, false);
	if (header->data < BAREPROF_MIP_V8_HEADER || header->data > bytes.size)
		return error_set(error, STATUS_INVALID_INPUT,
			"says at offset %u that its data begin at offset %" PRIu32
			", but they must begin between %u and %zu" HINT_FETCH_AGAIN,
			BAREPROF_MIP_V8_DATA_OFFSET, header->data, BAREPROF_MIP_V8_HEADER, bytes.size);
	if (!mip_kinds_without_blocks(header->kinds) || !mip_kinds_valid(header->kinds) ||
		header->kinds & (BAREPROF_MIP_KIND_RETURNS | BAREPROF_MIP_KIND_WRAPS | BAREPROF_MIP_KIND_FULL))
		return error_set(error, STATUS_INVALID_INPUT,
			"has the kinds 0x%" PRIx32
			" at offset %u, but bareprof reads coverage (1) or calls with their order (12), each with or "
			"without blocks (2)" HINT_FETCH_AGAIN,
			header->kinds, BAREPROF_MIP_V8_KINDS);
	return STATUS_OK;
}

struct bytes mip_take_padded(struct cursor *cursor, uint64_t size)
{
	struct bytes bytes = take_bytes(cursor, size);

	cursor->failed |= take_fixed(cursor, -size & 7) != 0;
	return bytes;
}

void mip_put(struct buffer *out, uint64_t value, unsigned int width)
{
	uint8_t bytes[8];

	store_uint(bytes, value, width, false);
	buffer_add(out, bytes, width);
}

void mip_pad(struct buffer *out)
{
	static const uint8_t zeros[8];

	buffer_add(out, zeros, -out->size & 7);
}

void mip_v8_write(struct buffer *out, unsigned int type, uint32_t kinds, uint32_t module)
{
	mip_put(out, BAREPROF_MIP_MAGIC, 4);
	mip_put(out, BAREPROF_MIP_V8, 2);
	mip_put(out, type, 2);
	mip_put(out, kinds, 4);
	mip_put(out, module, 4);
	mip_put(out, 0, 4);
	mip_put(out, BAREPROF_MIP_V8_HEADER, 4);
}
