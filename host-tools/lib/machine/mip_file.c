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

#define HEADER_SIZE 112u
#define RECORD_SIZE 80u
#define BLOCK_SIZE  8u
#define EDGE_SIZE   24u
#define CRC_SIZE    4u
/* Older files have neither blocks in a section of their own nor edges. */
#define FIRST_HEADER_SIZE 88u
#define FIRST_RECORD_SIZE 72u

/* Bits of the field "flags". */
#define FLAG_RELATIVE 1u
#define FLAG_GUESSED  2u
#define FLAG_NUMBERED 4u
#define FLAGS_ALL     7u

/* The only bit of the field "flags" of a record. */
#define RECORD_AT_LEAST 1u

/* The second word of a block. */
#define BLOCK_RAN         1u
#define BLOCK_INDEX_SHIFT 1

/* The fields of the header that are not fields of struct mip_profile. */
struct file_header {
	uint64_t functions;
	uint64_t id_size;
	uint64_t names_size;
	uint64_t edges;
	uint32_t size; /* of the header */
	uint8_t flags;
};

static void read_header(struct file_header *header, struct mip_profile *profile, struct cursor *cursor)
{
	unsigned int i;

	take_fixed(cursor, 8);
	header->size = (uint32_t)take_fixed(cursor, 4);
	cursor->failed |= header->size != HEADER_SIZE && header->size != FIRST_HEADER_SIZE;
	profile->kinds = (uint32_t)take_fixed(cursor, 2);
	profile->width = (unsigned int)take_fixed(cursor, 1);
	header->flags = (uint8_t)take_fixed(cursor, 1);
	header->functions = take_fixed(cursor, 8);
	profile->merged = take_fixed(cursor, 8);
	for (i = 0; i < MIP_BLOCKS; i++) {
		profile->section[i].address = take_fixed(cursor, 8);
		profile->section[i].size = take_fixed(cursor, 8);
	}
	profile->machine = (unsigned int)take_fixed(cursor, 4);
	header->id_size = take_fixed(cursor, 4);
	header->names_size = take_fixed(cursor, 8);
	profile->module = (uint32_t)take_fixed(cursor, 4);
	cursor->failed |= take_fixed(cursor, 4) != 0 || header->flags > FLAGS_ALL ||
	                  (header->flags & FLAG_RELATIVE && header->flags & FLAG_NUMBERED) ||
	                  (profile->width != 0 && profile->width != 4 && profile->width != 8);
	header->edges = 0;
	if (header->size == HEADER_SIZE) {
		profile->section[MIP_BLOCKS].address = take_fixed(cursor, 8);
		profile->section[MIP_BLOCKS].size = take_fixed(cursor, 8);
		header->edges = take_fixed(cursor, 8);
	}
	profile->relative = header->flags & FLAG_RELATIVE;
	profile->guessed = header->flags & FLAG_GUESSED;
	profile->numbered = header->flags & FLAG_NUMBERED;
}

static uint32_t read_record(struct mip_function *function, struct cursor *cursor, bool has_block_raw)
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
	if (has_block_raw)
		function->block_raw = take_fixed(cursor, 8);
	return name_size;
}

/* Returns whether the fields of a record are consistent with each other. */
static bool is_possible(const struct mip_profile *profile, const struct mip_function *function)
{
	bool counts = function->kinds & BAREPROF_MIP_KIND_CALLS;
	bool has_raw = mip_kinds_without_blocks(function->kinds);
	bool has_blocks = function->kinds & BAREPROF_MIP_KIND_BLOCKS;

	return mip_kinds_valid(function->kinds) && !(function->kinds & ~profile->kinds) &&
	       (function->kinds || function->reason) && !(has_raw && function->reason) &&
	       (function->start == 0 || function->start == 0xff) &&
	       (!counts || function->start == BAREPROF_MIP_CALLS_START) &&
	       !(profile->relative && function->kinds & (BAREPROF_MIP_KIND_WRAPS | BAREPROF_MIP_KIND_FULL)) &&
	       (!function->block_count || has_blocks) && (!function->block_raw || (has_blocks && !profile->relative)) &&
	       function->runs <= profile->merged && function->orders <= function->runs &&
	       (function->kinds || !function->runs) && (has_raw || !function->raw) &&
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
	struct cursor edges;
	struct cursor names;
	uint32_t record_size;
};

/* The positions of the bytes ascend. In a profile of version 8 they have no gaps, and are not stored. */
static void read_blocks(const struct mip_profile *profile, struct mip_function *function, struct cursor *cursor)
{
	uint32_t before = 0;
	uint32_t i;

	for (i = 0; i < function->block_count; i++) {
		struct mip_block *block = &function->blocks[i];
		uint32_t word;

		block->offset = (uint32_t)take_fixed(cursor, 4);
		word = (uint32_t)take_fixed(cursor, 4);
		block->ran = word & BLOCK_RAN;
		block->index = profile->relative ? i + 1 : word >> BLOCK_INDEX_SHIFT;
		cursor->failed |= block->index <= before || (profile->relative && word > BLOCK_RAN);
		before = block->index;
	}
}

static void read_edges(struct mip_profile *profile, struct cursor *cursor, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		struct mip_edge edge = {.callee = (uint32_t)take_fixed(cursor, 4)};

		cursor->failed |= take_fixed(cursor, 4) != 0 || edge.callee >= profile->count ||
		                  !(profile->functions[edge.callee].kinds & BAREPROF_MIP_KIND_RETURNS);
		if (cursor->failed)
			return;
		edge.site = take_fixed(cursor, 8);
		edge.samples = take_fixed(cursor, 8);
		mip_profile_add_edge(profile, &edge);
	}
}

static enum status read_function(struct mip_profile *profile, struct parts *parts, size_t offset, struct error *error)
{
	struct mip_function function;
	uint32_t name_size = read_record(&function, &parts->records, parts->record_size == RECORD_SIZE);
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
		read_blocks(profile, copy, &parts->blocks);
	} else {
		mip_profile_add(profile, &function);
	}
	return parts->blocks.failed ? bad_record(offset, "a block of the function is damaged", error) : STATUS_OK;
}

/*
 * Splits @rest, the bytes after the build id, into records, blocks, edges and names. Returns false if they do not fit
 * the header.
 */
static bool split(struct parts *parts, const struct file_header *header, struct bytes rest)
{
	uint64_t records = header->functions * parts->record_size;
	uint64_t names = header->names_size + (-header->names_size & 7);
	uint64_t edges = header->edges * EDGE_SIZE;
	struct bytes part;

	if (header->functions > rest.size / parts->record_size || names < header->names_size ||
		names > rest.size - records || header->edges > (rest.size - records - names) / EDGE_SIZE ||
		(rest.size - records - names - edges) % BLOCK_SIZE)
		return false;
	parts->records = cursor_of(rest);
	bytes_slice(rest, records, rest.size - records - names - edges, &part);
	parts->blocks = cursor_of(part);
	bytes_slice(rest, rest.size - names - edges, edges, &part);
	parts->edges = cursor_of(part);
	bytes_slice(rest, rest.size - names, header->names_size, &part);
	parts->names = cursor_of(part);
	return true;
}

static enum status read_functions(struct mip_profile *profile, struct bytes rest, const struct file_header *header,
	size_t offset, struct error *error)
{
	struct parts parts = {.record_size = header->size == HEADER_SIZE ? RECORD_SIZE : FIRST_RECORD_SIZE};
	uint64_t count = header->functions;
	enum status status = STATUS_OK;
	uint64_t i;

	if (!split(&parts, header, rest))
		return error_set(error, STATUS_INVALID_INPUT,
			"announces %" PRIu64 " functions with %" PRIu64 " bytes of names and %" PRIu64
			" edges, which do not fit the %zu bytes after its header" HINT_FETCH_AGAIN,
			count, header->names_size, header->edges, rest.size);
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_function(profile, &parts, offset + (size_t)i * parts.record_size, error);
	if (status == STATUS_OK) {
		read_edges(profile, &parts.edges, header->edges);
		if (parts.edges.failed)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a damaged edge: its reserved word is not 0, or it has no "
				"function" HINT_FETCH_AGAIN);
	}
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

	if (bytes.size < FIRST_HEADER_SIZE + CRC_SIZE)
		return error_set(error, STATUS_INVALID_INPUT,
			"ends at offset %zu, within the header of at least %u bytes" HINT_FETCH_AGAIN, bytes.size,
			FIRST_HEADER_SIZE);
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
			"has impossible values in its header, the first %" PRIu32
			" bytes; use a newer bareprof, or copy the file again",
			header.size);
	buffer_add(&profile->id, id.data, id.size);
	kinds = profile->kinds;
	rest = take_bytes(&cursor, (uint64_t)(cursor.end - cursor.at));
	status = read_functions(profile, rest, &header, (size_t)(rest.data - bytes.data), error);
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
	for (i = 0; i < MIP_BLOCKS; i++) {
		mip_put(out, profile->section[i].address, 8);
		mip_put(out, profile->section[i].size, 8);
	}
	mip_put(out, profile->machine, 4);
	mip_put(out, profile->id.size, 4);
	mip_put(out, names_size, 8);
	mip_put(out, profile->module, 4);
	mip_put(out, 0, 4);
	mip_put(out, profile->section[MIP_BLOCKS].address, 8);
	mip_put(out, profile->section[MIP_BLOCKS].size, 8);
	mip_put(out, profile->edge_count, 8);
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
	mip_put(out, function->block_raw, 8);
}

static void write_blocks(struct buffer *out, const struct mip_profile *profile, const struct mip_function *function)
{
	uint32_t i;

	for (i = 0; i < function->block_count; i++) {
		const struct mip_block *block = &function->blocks[i];
		uint32_t index = profile->relative ? 0 : block->index;

		mip_put(out, block->offset, 4);
		mip_put(out, (block->ran ? BLOCK_RAN : 0) | index << BLOCK_INDEX_SHIFT, 4);
	}
}

static void write_edges(struct buffer *out, const struct mip_profile *profile)
{
	size_t i;

	for (i = 0; i < profile->edge_count; i++) {
		mip_put(out, profile->edges[i].callee, 4);
		mip_put(out, 0, 4);
		mip_put(out, profile->edges[i].site, 8);
		mip_put(out, profile->edges[i].samples, 8);
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
		write_blocks(out, profile, &profile->functions[i]);
	write_edges(out, profile);
	for (i = 0; i < profile->count; i++)
		buffer_add(out, profile->functions[i].name.data, profile->functions[i].name.size);
	mip_pad(out);
	mip_put(out, bareprof_crc32c(0, out->data, out->size), CRC_SIZE);
	return STATUS_OK;
}
