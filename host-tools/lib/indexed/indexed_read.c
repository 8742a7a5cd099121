/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_read.c - reads an indexed profile into a model. The buckets are read one after the other,
 * and their offsets are compared with the index. This comparison finds buckets whose size is
 * damaged.
 */
#include "indexed.h"
#include "indexed_head.h"
#include "md5.h"
#include "value_block.h"

#include <inttypes.h>

/* The number of names that are hashed at the same time. */
#define BATCH 64u

struct indexed_reader {
	struct model *model;
	const struct add_options *options;
	struct error *error;
	struct bytes file;
	struct cursor cursor;
	struct indexed_head head;
	uint64_t buckets;
	uint64_t entries;
	struct cursor index; /* at the offset of the next bucket, in the list of the offsets of all buckets */
	bool first; /* the model had no function before */
	struct bytes name[BATCH]; /* names whose hashes have not been checked yet */
	uint64_t reference[BATCH];
	size_t names;
	struct buffer counters; /* the counters of the current record */
	struct buffer bitmap;
};

static enum status damaged(const struct indexed_reader *reader, const char *what)
{
	return error_set(reader->error, STATUS_INVALID_INPUT,
		"is malformed or cut short near offset %zu, in %s" HINT_FETCH_AGAIN,
		(size_t)(reader->cursor.at - reader->file.data), what);
}

static enum status seek_to(struct indexed_reader *reader, uint64_t offset, const char *what)
{
	struct bytes rest;

	if (offset > reader->file.size || !bytes_slice(reader->file, offset, reader->file.size - offset, &rest))
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"is malformed or cut short: %s should be at offset %" PRIu64
			", but the file has %zu bytes" HINT_FETCH_AGAIN,
			what, offset, reader->file.size);
	reader->cursor = cursor_of(rest);
	return STATUS_OK;
}

/*
 * Reads the start of the index: the number of buckets and the number of names. Then moves
 * reader->index to the offsets of the buckets, which come next in the file.
 */
static enum status read_index(struct indexed_reader *reader)
{
	struct cursor records = reader->cursor;
	enum status status = seek_to(reader, reader->head.word[INDEXED_WORD_HASH_OFFSET], "the hash table");

	if (status != STATUS_OK)
		return status;
	reader->buckets = take_fixed(&reader->cursor, 8);
	reader->entries = take_fixed(&reader->cursor, 8);
	if (reader->cursor.failed || !reader->buckets || (reader->buckets & (reader->buckets - 1)) ||
		reader->buckets > (uint64_t)(reader->cursor.end - reader->cursor.at) / 8)
		return damaged(reader, "the size of the hash table");
	reader->index = cursor_of(take_bytes(&reader->cursor, 8 * reader->buckets));
	/* The records end at the offset at which the index begins. */
	records.end = reader->file.data + reader->head.word[INDEXED_WORD_HASH_OFFSET];
	if (records.end < records.at)
		return damaged(reader, "the hash table, which starts inside the header");
	reader->cursor = records;
	return STATUS_OK;
}

static enum status bad_record(const struct indexed_reader *reader, struct bytes name, const char *what)
{
	return error_set(reader->error, STATUS_INVALID_INPUT,
		"is malformed or cut short in %s of function %.*s" HINT_FETCH_AGAIN, what, (int)(name.size & 0x3ff),
		(const char *)name.data);
}

/* Reads @count numbers of 8 bytes into @numbers. Returns false if the record is too short. */
static bool take_numbers(struct cursor *cursor, uint64_t count, struct buffer *numbers)
{
	uint64_t i;

	numbers->size = 0;
	if (cursor->failed || count > (uint64_t)(cursor->end - cursor->at) / 8 || count > UINT32_MAX)
		return false;
	buffer_reserve(numbers, (size_t)count * 8);
	numbers->size = (size_t)count * 8;
	for (i = 0; i < count; i++)
		((uint64_t *)(void *)numbers->data)[i] = take_fixed(cursor, 8);
	return true;
}

static bool take_bitmap(struct indexed_reader *reader, struct cursor *cursor, struct function *function)
{
	uint64_t count = take_fixed(cursor, 8);
	const uint64_t *byte;
	uint64_t i;

	if (!take_numbers(cursor, count, &reader->bitmap))
		return false;
	/*
	 * In the file, each byte of the bitmap is a word of 8 bytes. The loop packs the bytes in the same buffer. It
	 * overwrites only words that it has already read.
	 */
	byte = (const uint64_t *)(void *)reader->bitmap.data;
	for (i = 0; i < count; i++) {
		if (byte[i] > UINT8_MAX)
			return false;
		reader->bitmap.data[i] = (uint8_t)byte[i];
	}
	function->bitmap = reader->bitmap.data;
	function->bitmap_size = (uint32_t)count;
	return true;
}

/*
 * Returns the number of counters of a record. Version 1 does not store this number, because there a
 * record has no data after its counters.
 */
static uint64_t counter_count(const struct indexed_reader *reader, struct cursor *cursor)
{
	return reader->head.version == 1 ? (uint64_t)(cursor->end - cursor->at) / 8 : take_fixed(cursor, 8);
}

static enum status read_record(
	struct indexed_reader *reader, struct cursor *cursor, struct bytes name, uint64_t reference)
{
	struct function function = {.reference = reference, .name = name};
	struct sites sites = {0};
	uint32_t counts[PROFILE_KINDS];
	struct bytes rest;
	bool whole = true;

	function.hash = take_fixed(cursor, 8);
	if (!take_numbers(cursor, counter_count(reader, cursor), &reader->counters))
		return bad_record(reader, name, "the counters");
	function.counters = (uint64_t *)(void *)reader->counters.data;
	function.counter_count = (uint32_t)(reader->counters.size / 8);
	/*
	 * A function without counters is an error. llvm-profdata writes such functions when it
	 * merges temporal profiles of function entry coverage. When llvm-profdata reads the
	 * merged file, it crashes.
	 */
	if (!function.counter_count)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has the function %.*s without counters: merge the raw profiles again, with bareprof",
			(int)(name.size & 0x3ff), (const char *)name.data);
	if (reader->head.version >= INDEXED_BITMAPS && !take_bitmap(reader, cursor, &function))
		return bad_record(reader, name, "the bitmap");
	if (reader->head.version >= INDEXED_VALUES) {
		rest = (struct bytes){cursor->at, (size_t)(cursor->end - cursor->at)};
		whole = value_block_take(&rest, false, PROFILE_KINDS, counts, &sites);
		cursor->at = rest.data;
	}
	if (whole && in_shard(reader->options, reference)) {
		function.sites = sites_any(&sites) ? &sites : NULL;
		model_add(reader->model, &function, reader->options->weight);
	}
	sites_clear(&sites);
	return whole ? STATUS_OK : bad_record(reader, name, "the value data");
}

static enum status check_names(struct indexed_reader *reader)
{
	uint64_t right[BATCH];
	size_t i;

	md5_low_each(reader->name, reader->names, right);
	for (i = 0; i < reader->names; i++)
		if (reader->reference[i] != right[i])
			return bad_record(reader, reader->name[i], "the hash of the name");
	reader->names = 0;
	return STATUS_OK;
}

/*
 * Checks that @reference is the name hash of @name. If the model already has a function with this name and this name
 * hash, the check is skipped, because the hash was checked when the function was added to the model. Therefore usually
 * only the names of the first input are hashed. For the first input, there is nothing to find.
 */
static enum status check_name(
	struct indexed_reader *reader, struct cursor records, struct bytes name, uint64_t reference)
{
	const struct function *known =
		reader->first ? NULL : model_find(reader->model, reference, take_fixed(&records, 8));

	if (known && known->name.size == name.size && !memcmp(known->name.data, name.data, name.size))
		return STATUS_OK;
	reader->name[reader->names] = name;
	reader->reference[reader->names++] = reference;
	return reader->names < BATCH ? STATUS_OK : check_names(reader);
}

/* Reads one name and its records. The hash of the name must belong to bucket @bucket. */
static enum status read_name(struct indexed_reader *reader, uint64_t bucket)
{
	uint64_t reference = take_fixed(&reader->cursor, 8);
	uint64_t name_size = take_fixed(&reader->cursor, 8);
	uint64_t data_size = take_fixed(&reader->cursor, 8);
	struct bytes name = take_bytes(&reader->cursor, name_size);
	struct cursor records = cursor_of(take_bytes(&reader->cursor, data_size));
	enum status status = STATUS_OK;

	if (reader->cursor.failed)
		return damaged(reader, "a function");
	if ((reference & (reader->buckets - 1)) != bucket)
		return bad_record(reader, name, "the hash of the name");
	if (!data_size)
		return bad_record(reader, name, "the empty list of records");
	status = check_name(reader, records, name, reference);
	while (records.at < records.end && status == STATUS_OK)
		status = read_record(reader, &records, name, reference);
	return status;
}

static enum status read_buckets(struct indexed_reader *reader)
{
	enum status status = STATUS_OK;
	uint64_t names = 0;
	uint64_t bucket;

	for (bucket = 0; bucket < reader->buckets && status == STATUS_OK; bucket++) {
		uint64_t offset = take_fixed(&reader->index, 8);
		uint64_t count;

		if (!offset)
			continue;
		if (offset != (uint64_t)(reader->cursor.at - reader->file.data))
			return damaged(reader, "the index of the hash table, which does not match a bucket");
		count = take_fixed(&reader->cursor, 2);
		names += count;
		while (count-- && status == STATUS_OK)
			status = read_name(reader, bucket);
	}
	if (status == STATUS_OK)
		status = check_names(reader);
	if (status == STATUS_OK && names != reader->entries)
		return damaged(reader, "the number of functions");
	return status;
}

static enum status read_build_ids(struct indexed_reader *reader)
{
	enum status status = seek_to(reader, reader->head.word[INDEXED_WORD_BUILD_ID_OFFSET], "the build ids");
	struct cursor ids;

	if (status != STATUS_OK)
		return status;
	ids = cursor_of(take_bytes(&reader->cursor, take_fixed(&reader->cursor, 8)));
	while (ids.at < ids.end) {
		uint64_t size = take_fixed(&ids, 8);
		struct bytes id = take_bytes(&ids, size);

		take_bytes(&ids, BAREPROF_PAD8(size));
		if (ids.failed || !size)
			return damaged(reader, "the build ids");
		model_add_build_id(reader->model, id);
	}
	return reader->cursor.failed ? damaged(reader, "the build ids") : STATUS_OK;
}

/*
 * Skips the names of vtables. These names are not needed, because functions refer to vtables only by
 * the hashes of the names.
 */
static enum status skip_vtable_names(struct indexed_reader *reader)
{
	enum status status =
		seek_to(reader, reader->head.word[INDEXED_WORD_VTABLE_NAMES_OFFSET], "the names of vtables");

	if (status != STATUS_OK)
		return status;
	take_bytes(&reader->cursor, take_fixed(&reader->cursor, 8));
	return reader->cursor.failed ? damaged(reader, "the names of vtables") : STATUS_OK;
}

static enum status read_trace(struct indexed_reader *reader)
{
	uint64_t weight = take_fixed(&reader->cursor, 8);
	uint64_t count = take_fixed(&reader->cursor, 8);
	struct buffer references = {0};

	if (!take_numbers(&reader->cursor, count, &references)) {
		buffer_free(&references);
		return damaged(reader, "a trace");
	}
	traces_add(&reader->model->traces, reader->options, weight, (uint64_t *)(void *)references.data, (size_t)count);
	return STATUS_OK;
}

static enum status read_traces(struct indexed_reader *reader)
{
	enum status status = seek_to(reader, reader->head.word[INDEXED_WORD_TRACES_OFFSET], "the traces");
	uint64_t count;
	uint64_t stream;
	uint64_t i;

	if (status != STATUS_OK)
		return status;
	count = take_fixed(&reader->cursor, 8);
	stream = take_fixed(&reader->cursor, 8);
	if (reader->cursor.failed || stream < count)
		return damaged(reader, "the traces");
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_trace(reader);
	/* @stream is the number of traces that were seen. The file may contain only some of them. */
	if (status == STATUS_OK && count)
		traces_skipped(&reader->model->traces, reader->options, count, stream);
	return status;
}

/*
 * Reads the memory profile, which ends where the build ids begin. In index version 8, which has no
 * build ids, the memory profile ends at the end of the file.
 */
static enum status read_memprof(struct indexed_reader *reader)
{
	uint64_t offset = reader->head.word[INDEXED_WORD_MEMPROF_OFFSET];
	uint64_t end = reader->head.version >= INDEXED_BUILD_IDS ? reader->head.word[INDEXED_WORD_BUILD_ID_OFFSET]
	                                                         : reader->file.size;
	struct memprof memprof = {.inputs = 1, .offset = offset, .version = reader->head.version};

	if (reader->head.version < INDEXED_MEMPROF || offset <= reader->head.word[INDEXED_WORD_HASH_OFFSET] ||
		offset > end || !bytes_slice(reader->file, offset, end - offset, &memprof.section))
		return damaged(reader, "the memory profile, which should follow the functions");
	if (is_first_shard(reader->options))
		memprof_add(&reader->model->memprof, &reader->model->arena, &memprof);
	return STATUS_OK;
}

static enum status read_all(struct indexed_reader *reader)
{
	uint64_t variants;
	enum status status = indexed_head_read(&reader->head, reader->file, reader->error);

	if (status != STATUS_OK)
		return status;
	variants = reader->head.variants;
	take_bytes(&reader->cursor, reader->head.size);
	if (status == STATUS_OK)
		status = read_index(reader);
	/* A file with a memory profile may have no functions. Then it has no counts, so their kind is not checked. */
	if (status == STATUS_OK && (reader->entries || !(variants & INDEXED_VARIANT_MEMPROF)))
		status = model_kind(reader->model, variants & ~INDEXED_VARIANT_MEMPROF, reader->error);
	/* A function takes at least 32 bytes, so a wrong number of functions takes little memory. */
	if (status == STATUS_OK && reader->first && reader->entries <= reader->file.size / 32)
		model_reserve(reader->model,
			(size_t)reader->entries / (reader->options->shards ? reader->options->shards : 1));
	if (status == STATUS_OK)
		status = read_buckets(reader);
	if (status == STATUS_OK && (variants & INDEXED_VARIANT_MEMPROF))
		status = read_memprof(reader);
	if (status == STATUS_OK && reader->head.version >= INDEXED_BUILD_IDS)
		status = read_build_ids(reader);
	if (status == STATUS_OK && reader->head.version >= INDEXED_VTABLES)
		status = skip_vtable_names(reader);
	if (status == STATUS_OK && reader->head.version >= INDEXED_TRACES && (variants & BAREPROF_VARIANT_TEMPORAL))
		status = read_traces(reader);
	return status;
}

enum status indexed_read(
	struct model *model, struct bytes bytes, const struct add_options *options, struct error *error)
{
	struct indexed_reader reader = {.model = model,
		.options = options,
		.error = error,
		.file = bytes,
		.cursor = cursor_of(bytes),
		.first = !model->count};
	enum status status = read_all(&reader);

	buffer_free(&reader.counters);
	buffer_free(&reader.bitmap);
	return status;
}
