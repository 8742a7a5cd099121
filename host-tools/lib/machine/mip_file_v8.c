/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_file_v8.c - reads and writes machine profiles (.mip) of version 8. Its records refer to names by hash. The names
 * follow the records, each only once.
 */
#include "mip_file_v8.h"
#include "mip_map_v8.h"
#include "md5.h"

#include <inttypes.h>
#include <stdlib.h>

/* A name of the file. */
struct entry {
	uint64_t hash;
	struct bytes name;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;

	return compare_uint(a->hash, b->hash);
}

static const struct entry *find_name(const struct entry *entries, size_t count, uint64_t hash)
{
	const struct entry wanted = {.hash = hash};

	return count ? bsearch(&wanted, entries, count, sizeof(*entries), compare_entries) : NULL;
}

/*
 * Reads the names at the end of the file into an array, sorted by hash, which the caller frees. The documentation of
 * version 8 calls the field before the names their length. But the only known writer stores the number of names in it,
 * so both are accepted.
 */
static struct entry *read_names(struct cursor *cursor, size_t *count)
{
	uint64_t announced = take_fixed(cursor, 8);
	uint64_t size = (uint64_t)(cursor->end - cursor->at);
	struct bytes rest = take_bytes(cursor, size);
	struct entry *entries = NULL;
	size_t room = 0;
	const uint8_t *end;

	*count = 0;
	while (rest.size && (end = memchr(rest.data, 0, rest.size))) {
		entries = array_grow(entries, *count, &room, sizeof(*entries));
		entries[*count].name = (struct bytes){rest.data, (size_t)(end - rest.data)};
		entries[*count].hash = md5_low(entries[*count].name);
		++*count;
		rest.size -= (size_t)(end + 1 - rest.data);
		rest.data = end + 1;
	}
	cursor->failed |= rest.size || (announced != *count && announced != size);
	if (*count)
		qsort(entries, *count, sizeof(*entries), compare_entries);
	return entries;
}

static enum status ends_early(size_t offset, const char *where, struct error *error)
{
	return error_set(
		error, STATUS_INVALID_INPUT, "ends %s, or is damaged at offset %zu" HINT_FETCH_AGAIN, where, offset);
}

/* Takes the blocks of a function. Each takes 5 bytes of the file, so the file limits the memory. */
static void take_blocks(struct mip_profile *profile, struct mip_function *function, struct cursor *cursor)
{
	uint32_t i;

	if ((uint64_t)function->block_count * 5 > (uint64_t)(cursor->end - cursor->at)) {
		cursor->failed = true;
		return;
	}
	function->blocks = arena_take(&profile->arena, function->block_count * sizeof(*function->blocks) + 1);
	for (i = 0; i < function->block_count; i++) {
		function->blocks[i].offset = (uint32_t)take_fixed(cursor, 4);
		function->blocks[i].index = i + 1;
		function->blocks[i].ran = take_fixed(cursor, 1);
	}
}

/* Reads a record. Its name is set to the hash, until all names are known. */
static void read_record(struct mip_profile *profile, struct cursor *cursor, uint64_t *hash)
{
	struct mip_function function = {.kinds = profile->kinds, .start = 0xff};
	bool counts = profile->kinds & BAREPROF_MIP_KIND_CALLS;

	*hash = take_fixed(cursor, 8);
	function.raw = take_fixed(cursor, 4);
	function.address = (uint64_t)(int64_t)(int32_t)take_fixed(cursor, 4);
	function.size = (uint32_t)take_fixed(cursor, 4);
	function.signature = (uint32_t)take_fixed(cursor, 4);
	function.block_count = (uint32_t)take_fixed(cursor, 4);
	function.runs = take_fixed(cursor, 4);
	function.calls = take_fixed(cursor, 8);
	function.order_sum = take_fixed(cursor, 8);
	/* Writers store 1 call for a function in mode "coverage" that ran. */
	function.calls = counts && function.runs ? function.calls : 0;
	function.order_sum = counts && function.runs ? function.order_sum : 0;
	function.orders = function.order_sum ? function.runs : 0;
	take_blocks(profile, &function, cursor);
	/* The number of calls between functions, which no writer stores. */
	cursor->failed |= take_fixed(cursor, 4) != 0;
	if (!cursor->failed) {
		mip_v8_widen(profile, &function);
		mip_profile_add(profile, &function);
	}
	if (function.runs > profile->merged)
		profile->merged = function.runs;
}

/* Reads the names, which begin at offset @offset of the file, and gives each function its name. */
static enum status set_names(
	struct mip_profile *profile, const uint64_t *hashes, struct cursor *cursor, size_t offset, struct error *error)
{
	size_t count;
	struct entry *entries = read_names(cursor, &count);
	enum status status = STATUS_OK;
	size_t i;

	if (cursor->failed)
		status = ends_early(offset, "within its names", error);
	for (i = 0; i < profile->count && status == STATUS_OK; i++) {
		const struct entry *entry = find_name(entries, count, hashes[i]);
		uint8_t *copy;

		if (!entry || !entry->name.size) {
			status = error_set(error, STATUS_INVALID_INPUT,
				"has no name with the hash %016" PRIx64 " of function %zu" HINT_FETCH_AGAIN, hashes[i],
				i + 1);
			break;
		}
		copy = arena_take(&profile->arena, entry->name.size + 1);
		memcpy(copy, entry->name.data, entry->name.size + 1);
		profile->functions[i].name = (struct bytes){copy, entry->name.size};
	}
	free(entries);
	return status;
}

enum status mip_file_v8_read(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct mip_v8_header header;
	struct cursor cursor;
	uint64_t count;
	uint64_t i;
	uint64_t *hashes;
	size_t offset;
	enum status status = mip_v8_begin(profile, &header, &cursor, bytes, error);

	if (status != STATUS_OK)
		return status;
	count = take_fixed(&cursor, 8);
	/* A record has at least 52 bytes. */
	if (cursor.failed || count > (uint64_t)(cursor.end - cursor.at) / 52)
		return error_set(error, STATUS_INVALID_INPUT,
			"announces %" PRIu64 " functions at offset %" PRIu32
			", more than its %zu bytes can hold" HINT_FETCH_AGAIN,
			count, header.data, bytes.size);
	hashes = allocate((size_t)count + 1, sizeof(*hashes));
	for (i = 0; i < count && !cursor.failed; i++)
		read_record(profile, &cursor, &hashes[i]);
	offset = (size_t)(cursor.at - bytes.data);
	status = cursor.failed ? ends_early(offset, "within its records", error)
	                       : set_names(profile, hashes, &cursor, offset, error);
	free(hashes);
	if (status != STATUS_OK)
		return status;
	return mip_profile_check(profile, error);
}

static enum status write_record(
	struct buffer *out, const struct mip_profile *profile, const struct mip_function *function, struct error *error)
{
	bool counts = function->kinds & BAREPROF_MIP_KIND_CALLS;
	int32_t distance;
	enum status status = mip_v8_distance(profile, function, &distance, error);
	uint32_t i;

	if (status != STATUS_OK)
		return status;
	mip_put(out, md5_low(function->name), 8);
	mip_put(out, function->raw_v8, 4);
	mip_put(out, (uint32_t)distance, 4);
	mip_put(out, function->size, 4);
	mip_put(out, function->signature, 4);
	mip_put(out, function->block_count, 4);
	mip_put(out, function->runs < UINT32_MAX ? function->runs : UINT32_MAX, 4);
	mip_put(out, counts ? function->calls : function->runs > 0, 8);
	mip_put(out, function->order_sum, 8);
	for (i = 0; i < function->block_count; i++) {
		mip_put(out, function->blocks[i].offset, 4);
		mip_put(out, function->blocks[i].ran, 1);
	}
	mip_put(out, 0, 4);
	return STATUS_OK;
}

static int compare_names(const void *left, const void *right)
{
	const struct bytes *a = left;
	const struct bytes *b = right;
	int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);

	return order ? order : compare_uint(a->size, b->size);
}

/* Writes each name once, in alphabetical order. Names of local functions may occur several times. */
static void write_names(struct buffer *out, const struct mip_profile *profile, size_t count)
{
	struct bytes *names = allocate(count, sizeof(*names));
	size_t different = 0;
	size_t i;
	size_t n = 0;

	for (i = 0; i < profile->count; i++)
		if (profile->functions[i].kinds)
			names[n++] = profile->functions[i].name;
	qsort(names, count, sizeof(*names), compare_names);
	for (i = 0; i < count; i++)
		if (!i || compare_names(&names[different - 1], &names[i]))
			names[different++] = names[i];
	mip_put(out, different, 8);
	for (i = 0; i < different; i++) {
		buffer_add(out, names[i].data, names[i].size);
		mip_put(out, 0, 1);
	}
	free(names);
}

enum status mip_file_v8_write(struct buffer *out, const struct mip_profile *profile, struct error *error)
{
	enum status status = mip_v8_possible(profile, error);
	size_t count = 0;
	size_t i;

	if (status == STATUS_OK && profile->size_v8 > UINT32_MAX)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has more than 4 GiB of raw bytes, but version 8 has 32-bit offsets; use version 9");
	if (status != STATUS_OK)
		return status;
	for (i = 0; i < profile->count; i++)
		count += profile->functions[i].kinds != 0;
	mip_v8_write(out, BAREPROF_MIP_TYPE_PROFILE, mip_v8_kinds(profile), profile->module);
	mip_put(out, count, 8);
	for (i = 0; i < profile->count && status == STATUS_OK; i++)
		if (profile->functions[i].kinds)
			status = write_record(out, profile, &profile->functions[i], error);
	if (status == STATUS_OK)
		write_names(out, profile, count);
	return status;
}
