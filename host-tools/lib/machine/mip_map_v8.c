/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_map_v8.c - reads and writes maps of version 8.
 *
 * The first three fields of a record are distances from the start of the record: to the start of the raw section, to
 * the raw bytes of the function, and to the function. So the differences of these fields do not depend on where the
 * record is. The raw section starts with its header, so an offset in the section is an offset in the .mipraw file.
 */
#include "mip_map_v8.h"

#include <inttypes.h>
#include <stdlib.h>

/* These kinds have no place in files of version 8, and need none. */
#define KINDS_NOT_IN_V8 ((uint32_t)(BAREPROF_MIP_KIND_RETURNS | BAREPROF_MIP_KIND_FULL))

enum status mip_v8_begin(struct mip_profile *profile, struct mip_v8_header *header, struct cursor *cursor,
	struct bytes bytes, struct error *error)
{
	enum status status = mip_v8_read(header, bytes, error);

	if (status != STATUS_OK)
		return status;
	profile->relative = true;
	profile->guessed = true;
	profile->kinds = header->kinds;
	profile->module = header->module;
	*cursor = cursor_of(bytes);
	take_bytes(cursor, header->data);
	return STATUS_OK;
}

void mip_v8_widen(struct mip_profile *profile, const struct mip_function *function)
{
	struct mip_extent *section = &profile->section[mip_section_of(function->kinds)];
	uint64_t end = function->raw + mip_raw_size(profile, function);

	if (end > section->size)
		section->size = end;
}

/* Takes the offsets of the blocks, and returns them in an array that the caller frees. */
static struct mip_block *take_blocks(struct cursor *cursor, uint32_t count)
{
	struct mip_block *blocks;
	uint32_t i;

	/* Each block takes 4 bytes of the file, so the file limits the memory. */
	if (!count || (uint64_t)count * 4 > (uint64_t)(cursor->end - cursor->at)) {
		cursor->failed |= count > 0;
		return NULL;
	}
	blocks = allocate(count, sizeof(*blocks));
	for (i = 0; i < count; i++)
		blocks[i] = (struct mip_block){.offset = (uint32_t)take_fixed(cursor, 4), .index = i + 1};
	return blocks;
}

enum status mip_map_bad_record(size_t offset, const char *what, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has a damaged record at offset %zu: %s; take the map out of the ELF file again, or link again", offset,
		what);
}

static enum status read_record(struct mip_profile *profile, struct cursor *cursor, size_t offset,
	const struct mip_v8_header *header, struct error *error)
{
	struct mip_function function = {.kinds = header->kinds, .start = 0xff};
	uint32_t section = (uint32_t)take_fixed(cursor, 4);

	function.raw = (uint32_t)take_fixed(cursor, 4) - section;
	function.address = (uint64_t)(int64_t)(int32_t)((uint32_t)take_fixed(cursor, 4) - section);
	function.size = (uint32_t)take_fixed(cursor, 4);
	function.signature = (uint32_t)take_fixed(cursor, 4);
	function.block_count = (uint32_t)take_fixed(cursor, 4);
	function.blocks = take_blocks(cursor, function.block_count);
	function.name = take_bytes(cursor, take_fixed(cursor, 4));
	if (cursor->failed) {
		free(function.blocks);
		return mip_map_bad_record(offset, "the file ends within the record", error);
	}
	mip_v8_widen(profile, &function);
	if (function.name.size && !memchr(function.name.data, 0, function.name.size))
		mip_profile_add(profile, &function);
	else
		cursor->failed = true;
	free(function.blocks);
	if (cursor->failed)
		return mip_map_bad_record(offset, "the name is empty or contains a zero byte", error);
	if (function.raw < header->data)
		return mip_map_bad_record(offset, "its raw bytes are within the header of the raw section", error);
	return STATUS_OK;
}

enum status mip_map_v8_read(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct mip_v8_header header;
	struct cursor cursor;
	enum status status = mip_v8_begin(profile, &header, &cursor, bytes, error);

	if (status != STATUS_OK)
		return status;
	while (cursor.at < cursor.end && status == STATUS_OK) {
		size_t padding;

		status = read_record(profile, &cursor, (size_t)(cursor.at - bytes.data), &header, error);
		/* The last record may lack the padding, because an assembler aligns only the start of a record. */
		padding = (size_t)(bytes.data - cursor.at) & 7;
		if (padding > (size_t)(cursor.end - cursor.at))
			padding = (size_t)(cursor.end - cursor.at);
		take_bytes(&cursor, padding);
	}
	return status;
}

enum status mip_v8_possible(const struct mip_profile *profile, struct error *error)
{
	size_t i;

	if (profile->numbered)
		return error_set(error, STATUS_INVALID_INPUT,
			"was made from counters of clang, so it has no raw bytes, which version 8 needs; use version "
			"9");
	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];

		if (function->kinds && ((function->kinds ^ profile->kinds) & ~KINDS_NOT_IN_V8))
			return error_set(error, STATUS_INVALID_INPUT,
				"has functions in mode 'coverage' and in mode 'calls', or blocks in only a part of the "
				"functions, but a file of version 8 can have only one kind of functions; use version "
				"9");
	}
	if (profile->kinds & BAREPROF_MIP_KIND_WRAPS)
		return error_set(error, STATUS_INVALID_INPUT,
			"has counters of blocks that are 0 again after 256 runs, so a 0 does not show whether a block "
			"ran, and version 8 cannot express this; use version 9");
	if (!profile->kinds)
		return error_set(error, STATUS_INVALID_INPUT,
			"has only functions that are left out, which a file of version 8 cannot contain; use version "
			"9");
	return STATUS_OK;
}

/* If a function has only blocks, the byte of its entry block becomes its coverage byte in version 8. */
uint32_t mip_v8_kinds(const struct mip_profile *profile)
{
	bool only_blocks = profile->kinds && !mip_kinds_without_blocks(profile->kinds);

	return (profile->kinds & ~KINDS_NOT_IN_V8) | (only_blocks ? BAREPROF_MIP_KIND_COVERAGE : 0);
}

enum status mip_v8_distance(
	const struct mip_profile *profile, const struct mip_function *function, int32_t *distance, struct error *error)
{
	uint64_t section = profile->section[mip_section_of(function->kinds)].address - BAREPROF_MIP_V8_HEADER;
	uint64_t address = profile->relative ? function->address : function->address - section;

	/* On a 32-bit target, distances are modulo 2^32. */
	if (profile->width == 4)
		address = (uint64_t)(int64_t)(int32_t)address;
	*distance = (int32_t)address;
	if ((uint64_t)(int64_t)*distance == address)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"has the function '%.*s' more than 2 GiB away from its raw bytes, but version 8 has 32-bit distances; "
		"use version 9",
		mip_shown_size(function), (const char *)function->name.data);
}

static enum status write_record(
	struct buffer *out, const struct mip_profile *profile, const struct mip_function *function, struct error *error)
{
	/* The map is written as if it were at the start of the raw section. */
	uint32_t section = (uint32_t) - (int64_t)out->size;
	uint64_t raw = function->raw_v8;
	int32_t distance;
	enum status status = mip_v8_distance(profile, function, &distance, error);
	uint32_t i;

	if (status != STATUS_OK)
		return status;
	if (raw > UINT32_MAX)
		return error_set(error, STATUS_INVALID_INPUT,
			"has more than 4 GiB of raw bytes, but version 8 has 32-bit offsets; use version 9");
	mip_put(out, section, 4);
	mip_put(out, section + (uint32_t)raw, 4);
	mip_put(out, section + (uint32_t)distance, 4);
	mip_put(out, function->size, 4);
	mip_put(out, function->signature, 4);
	mip_put(out, function->block_count, 4);
	for (i = 0; i < function->block_count; i++)
		mip_put(out, function->blocks[i].offset, 4);
	mip_put(out, function->name.size, 4);
	buffer_add(out, function->name.data, function->name.size);
	mip_pad(out);
	return STATUS_OK;
}

enum status mip_map_v8_write(struct buffer *out, const struct mip_profile *profile, struct error *error)
{
	enum status status = mip_v8_possible(profile, error);
	size_t i;

	if (status != STATUS_OK)
		return status;
	mip_v8_write(out, BAREPROF_MIP_TYPE_MAP, mip_v8_kinds(profile), profile->module);
	for (i = 0; i < profile->count && status == STATUS_OK; i++)
		if (profile->functions[i].kinds)
			status = write_record(out, profile, &profile->functions[i], error);
	return status;
}
