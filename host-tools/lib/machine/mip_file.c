/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_file.c - reads and writes machine profiles (.mip) of version 9. The file has a header, the build id, a record for
 * each function, the blocks, the names and a checksum.
 */
#include "mip_file.h"
#include "mip_file_v8.h"
#include "mip_header.h"

#include <bareprof/capture.h>
#include <inttypes.h>

#define HEADER_SIZE 88u
#define RECORD_SIZE 72u
#define BLOCK_SIZE  8u
#define CRC_SIZE    4u

/* Bits of the field "flags". */
#define FLAG_RELATIVE 1u
#define FLAG_GUESSED  2u
#define FLAG_NUMBERED 4u
#define FLAGS_ALL     7u

/* The only bit of the field "flags" of a record. */
#define RECORD_AT_LEAST 1u

/* The fields of the header that are not fields of struct mip_profile. */
struct file_header {
	uint64_t functions;
	uint64_t id_size;
	uint64_t names_size;
	uint8_t flags;
};

static void read_header(struct file_header *header, struct mip_profile *profile, struct cursor *cursor)
{
	unsigned int i;

	take_fixed(cursor, 8);
	cursor->failed |= take_fixed(cursor, 4) != HEADER_SIZE;
	profile->kinds = (uint32_t)take_fixed(cursor, 2);
	profile->width = (unsigned int)take_fixed(cursor, 1);
	header->flags = (uint8_t)take_fixed(cursor, 1);
	header->functions = take_fixed(cursor, 8);
	profile->merged = take_fixed(cursor, 8);
	for (i = 0; i < MIP_SECTIONS; i++) {
		profile->section[i].address = take_fixed(cursor, 8);
		profile->section[i].size = take_fixed(cursor, 8);
	}
	profile->machine = (unsigned int)take_fixed(cursor, 4);
	header->id_size = take_fixed(cursor, 4);
	header->names_size = take_fixed(cursor, 8);
	profile->module = (uint32_t)take_fixed(cursor, 4);
	cursor->failed |= take_fixed(cursor, 4) != 0 || header->flags > FLAGS_ALL ||
	                  (profile->width != 0 && profile->width != 4 && profile->width != 8);
	profile->relative = header->flags & FLAG_RELATIVE;
	profile->guessed = header->flags & FLAG_GUESSED;
	profile->numbered = header->flags & FLAG_NUMBERED;
}

static uint32_t read_record(struct mip_function *function, struct cursor *cursor)
{
	uint32_t name_size;
	uint32_t flags;

	*function = (struct mip_function){0};
	function->address = take_fixed(cursor, 8);
	function->raw = take_fixed(cursor, 8);
	function->runs = take_fixed(cursor, 8);
	function->calls = take_fixed(cursor, 8);
	function->order_sum = take_fixed(cursor, 8);
	function->orders = take_fixed(cursor, 8);
	function->size = (uint32_t)take_fixed(cursor, 4);
	function->signature = (uint32_t)take_fixed(cursor, 4);
	function->block_count = (uint32_t)take_fixed(cursor, 4);
	name_size = (uint32_t)take_fixed(cursor, 4);
	function->kinds = (uint32_t)take_fixed(cursor, 2);
	function->reason = (uint8_t)take_fixed(cursor, 1);
	function->start = (uint8_t)take_fixed(cursor, 1);
	flags = (uint32_t)take_fixed(cursor, 4);
	function->at_least = flags & RECORD_AT_LEAST;
	cursor->failed |= flags > RECORD_AT_LEAST;
	return name_size;
}

/* Returns whether the fields of a record are consistent with each other. */
static bool is_possible(const struct mip_profile *profile, const struct mip_function *function)
{
	bool counts = function->kinds & BAREPROF_MIP_KIND_CALLS;

	return mip_kinds_valid(function->kinds) && !(function->kinds & ~profile->kinds) &&
	       !function->kinds == (function->reason != 0) && (function->start == 0 || function->start == 0xff) &&
	       (!counts || function->start == BAREPROF_MIP_CALLS_START) &&
	       (profile->relative || !(function->kinds & BAREPROF_MIP_KIND_BLOCKS)) &&
	       (!function->block_count || (function->kinds & BAREPROF_MIP_KIND_BLOCKS)) &&
	       function->runs <= profile->merged && function->orders <= function->runs &&
	       (function->kinds || (!function->runs && !function->raw)) &&
	       (function->runs || (!function->calls && !function->at_least)) &&
	       (counts || (!function->calls && !function->orders)) && (function->orders || !function->order_sum);
}

static enum status bad_record(size_t offset, const char *what, struct error *error)
{
	return error_set(
		error, STATUS_INVALID_INPUT, "has a damaged record at offset %zu: %s" HINT_FETCH_AGAIN, offset, what);
}

/* The parts of the file from which the functions are read. */
struct parts {
	struct cursor records;
	struct cursor blocks;
	struct cursor names;
};

static void read_blocks(struct mip_function *function, struct cursor *cursor)
{
	uint32_t i;

	for (i = 0; i < function->block_count; i++) {
		uint64_t ran;

		function->blocks[i].offset = (uint32_t)take_fixed(cursor, 4);
		ran = take_fixed(cursor, 4);
		function->blocks[i].ran = ran;
		cursor->failed |= ran > 1;
	}
}

static enum status read_function(struct mip_profile *profile, struct parts *parts, size_t offset, struct error *error)
{
	struct mip_function function;
	uint32_t name_size = read_record(&function, &parts->records);
	uint32_t blocks = function.block_count;

	if (parts->records.failed || !is_possible(profile, &function))
		return bad_record(offset, "its fields contradict each other or the header", error);
	function.name = take_bytes(&parts->names, name_size);
	if (!function.name.size || memchr(function.name.data, 0, function.name.size))
		return bad_record(offset, "its name is empty, contains a zero byte or exceeds the file", error);
	if (blocks > (uint64_t)(parts->blocks.end - parts->blocks.at) / BLOCK_SIZE)
		return bad_record(offset, "its blocks exceed the file", error);
	function.block_count = 0;
	if (blocks) {
		struct mip_function *copy = mip_profile_add(profile, &function);

		copy->block_count = blocks;
		copy->blocks = arena_take(&profile->arena, blocks * sizeof(*copy->blocks));
		read_blocks(copy, &parts->blocks);
	} else {
		mip_profile_add(profile, &function);
	}
	return parts->blocks.failed ? bad_record(offset, "a block of the function is damaged", error) : STATUS_OK;
}

static enum status read_functions(struct mip_profile *profile, struct bytes rest, uint64_t count, uint64_t names_size,
	size_t offset, struct error *error)
{
	struct parts parts = {.records = cursor_of(rest)};
	uint64_t records = count * RECORD_SIZE;
	uint64_t names = names_size + (-names_size & 7);
	enum status status = STATUS_OK;
	struct bytes part;
	uint64_t i;

	if (count > rest.size / RECORD_SIZE || names < names_size || names > rest.size - records ||
		(rest.size - records - names) % BLOCK_SIZE)
		return error_set(error, STATUS_INVALID_INPUT,
			"announces %" PRIu64 " functions with %" PRIu64
			" bytes of names, which do not fit the %zu bytes after its header" HINT_FETCH_AGAIN,
			count, names_size, rest.size);
	bytes_slice(rest, records, rest.size - records - names, &part);
	parts.blocks = cursor_of(part);
	bytes_slice(rest, rest.size - names, names_size, &part);
	parts.names = cursor_of(part);
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_function(profile, &parts, offset + (size_t)i * RECORD_SIZE, error);
	if (status == STATUS_OK && (parts.blocks.at != parts.blocks.end || parts.names.at != parts.names.end))
		status = error_set(error, STATUS_INVALID_INPUT,
			"has blocks or names that belong to none of its %" PRIu64 " functions" HINT_FETCH_AGAIN, count);
	return status;
}

static enum status read_v9(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct cursor cursor = cursor_of(bytes);
	struct file_header header;
	struct bytes rest;
	struct bytes id;
	uint32_t kinds;
	enum status status;

	if (bytes.size < HEADER_SIZE + CRC_SIZE)
		return error_set(error, STATUS_INVALID_INPUT,
			"ends at offset %zu, within the header of %u bytes" HINT_FETCH_AGAIN, bytes.size, HEADER_SIZE);
	bytes.size -= CRC_SIZE;
	if (bareprof_crc32c(0, bytes.data, bytes.size) != load_uint(bytes.data + bytes.size, CRC_SIZE, false))
		return error_set(error, STATUS_INVALID_INPUT,
			"is damaged: the checksum at offset %zu does not fit the %zu bytes before it" HINT_FETCH_AGAIN,
			bytes.size, bytes.size);
	cursor.end -= CRC_SIZE;
	read_header(&header, profile, &cursor);
	id = mip_take_padded(&cursor, header.id_size);
	if (cursor.failed)
		return error_set(error, STATUS_INVALID_INPUT,
			"has impossible values in its header, the first %u bytes; use a newer bareprof, or copy the "
			"file again",
			HEADER_SIZE);
	buffer_add(&profile->id, id.data, id.size);
	kinds = profile->kinds;
	rest = take_bytes(&cursor, (uint64_t)(cursor.end - cursor.at));
	status = read_functions(
		profile, rest, header.functions, header.names_size, (size_t)(rest.data - bytes.data), error);
	if (status == STATUS_OK)
		status = mip_profile_check(profile, error);
	if (status == STATUS_OK && profile->kinds != kinds)
		return error_set(error, STATUS_INVALID_INPUT,
			"has the kinds %" PRIu32 " at offset 12, but its functions have %" PRIu32 HINT_FETCH_AGAIN,
			kinds, profile->kinds);
	return status;
}

enum status mip_file_read(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct mip_start start;
	enum status status = mip_start_expect(&start, bytes, BAREPROF_MIP_TYPE_PROFILE, error);

	if (status != STATUS_OK)
		return status;
	profile->version = start.version;
	return start.version == BAREPROF_MIP_V8 ? mip_file_v8_read(profile, bytes, error)
	                                        : read_v9(profile, bytes, error);
}

static void write_header(struct buffer *out, const struct mip_profile *profile)
{
	uint64_t names_size = 0;
	size_t i;

	for (i = 0; i < profile->count; i++)
		names_size += profile->functions[i].name.size;
	mip_put(out, BAREPROF_MIP_MAGIC, 4);
	mip_put(out, BAREPROF_MIP_V9, 2);
	mip_put(out, BAREPROF_MIP_TYPE_PROFILE, 2);
	mip_put(out, HEADER_SIZE, 4);
	mip_put(out, profile->kinds, 2);
	mip_put(out, profile->width, 1);
	mip_put(out,
		(profile->relative ? FLAG_RELATIVE : 0) | (profile->guessed ? FLAG_GUESSED : 0) |
			(profile->numbered ? FLAG_NUMBERED : 0),
		1);
	mip_put(out, profile->count, 8);
	mip_put(out, profile->merged, 8);
	for (i = 0; i < MIP_SECTIONS; i++) {
		mip_put(out, profile->section[i].address, 8);
		mip_put(out, profile->section[i].size, 8);
	}
	mip_put(out, profile->machine, 4);
	mip_put(out, profile->id.size, 4);
	mip_put(out, names_size, 8);
	mip_put(out, profile->module, 4);
	mip_put(out, 0, 4);
	buffer_add(out, profile->id.data, profile->id.size);
	mip_pad(out);
}

static void write_record(struct buffer *out, const struct mip_function *function)
{
	mip_put(out, function->address, 8);
	mip_put(out, function->raw, 8);
	mip_put(out, function->runs, 8);
	mip_put(out, function->calls, 8);
	mip_put(out, function->order_sum, 8);
	mip_put(out, function->orders, 8);
	mip_put(out, function->size, 4);
	mip_put(out, function->signature, 4);
	mip_put(out, function->block_count, 4);
	mip_put(out, function->name.size, 4);
	mip_put(out, function->kinds, 2);
	mip_put(out, function->reason, 1);
	mip_put(out, function->start, 1);
	mip_put(out, function->at_least ? RECORD_AT_LEAST : 0, 4);
}

static void write_blocks(struct buffer *out, const struct mip_function *function)
{
	uint32_t i;

	for (i = 0; i < function->block_count; i++) {
		mip_put(out, function->blocks[i].offset, 4);
		mip_put(out, function->blocks[i].ran, 4);
	}
}

enum status mip_file_write(
	struct buffer *out, const struct mip_profile *profile, unsigned int version, struct error *error)
{
	size_t i;

	if (version == BAREPROF_MIP_V8)
		return mip_file_v8_write(out, profile, error);
	write_header(out, profile);
	for (i = 0; i < profile->count; i++)
		write_record(out, &profile->functions[i]);
	for (i = 0; i < profile->count; i++)
		write_blocks(out, &profile->functions[i]);
	for (i = 0; i < profile->count; i++)
		buffer_add(out, profile->functions[i].name.data, profile->functions[i].name.size);
	mip_pad(out);
	mip_put(out, bareprof_crc32c(0, out->data, out->size), CRC_SIZE);
	return STATUS_OK;
}
