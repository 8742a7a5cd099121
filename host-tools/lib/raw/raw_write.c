/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_write.c - writes the header of a raw profile, then the sections in the order of the file.
 * The addresses in the profile are not the addresses of the program. The records are at address 0,
 * and the other sections follow them in the order of the file. Readers use only the differences of
 * addresses.
 */
#include "raw_write.h"

/* For each index of a header word, the table has the first raw version with that word. */
static const uint8_t since[BAREPROF_HEADER_MAX] = {
#define SINCE(name, first, ...) [BAREPROF_HEADER_##name] = first,
	BAREPROF_HEADER_WORDS(SINCE)
#undef SINCE
};

struct raw_writer {
	const struct raw_image *image;
	struct buffer *out;
	unsigned int version;
	uint64_t header[BAREPROF_HEADER_MAX];
};

static void add_number(struct buffer *out, uint64_t value, unsigned int width, bool big)
{
	uint8_t bytes[8];

	store_uint(bytes, value, width, big);
	buffer_add(out, bytes, width);
}

static void add_padded(struct buffer *out, struct bytes bytes)
{
	static const uint8_t zeros[8];

	buffer_add(out, bytes.data, bytes.size);
	buffer_add(out, zeros, BAREPROF_PAD8(bytes.size));
}

void raw_build_ids(const struct raw_profile *profile, unsigned int version, struct buffer *out)
{
	struct bytes rest = profile->section[BAREPROF_BUILD_ID];
	struct bytes id;

	while (raw_next_build_id(profile, &rest, &id)) {
		add_number(out, id.size, 8, profile->big);
		/* LLVM 13 does not pad build ids, and all later releases do. */
		if (BAREPROF_RECORD_RELATIVE(version))
			add_padded(out, id);
		else
			buffer_add(out, id.data, id.size);
	}
}

static void make_header(struct raw_writer *writer)
{
	const struct raw_image *image = writer->image;
	const struct bytes *section = image->section;
	uint64_t *header = writer->header;
	uint64_t counters = section[BAREPROF_CNTS].size;
	uint64_t bitmaps = section[BAREPROF_BITS].size;
	uint64_t records = image->record_count * BAREPROF_RECORD_SIZE(writer->version, image->width);
	bool bytes = image->version_word & BAREPROF_VARIANT_BYTE_COVERAGE;

	header[BAREPROF_HEADER_MAGIC] = image->width == 4 ? BAREPROF_RAW_MAGIC_32 : BAREPROF_RAW_MAGIC_64;
	header[BAREPROF_HEADER_VERSION] = image->version_word;
	header[BAREPROF_HEADER_BINARY_IDS_SIZE] = section[BAREPROF_BUILD_ID].size;
	header[BAREPROF_HEADER_NUM_DATA] = image->record_count;
	header[BAREPROF_HEADER_NUM_COUNTERS] = bytes ? counters : counters / 8;
	header[BAREPROF_HEADER_PAD_AFTER_COUNTERS] = BAREPROF_PAD8(counters);
	header[BAREPROF_HEADER_NUM_BITMAP_BYTES] = bitmaps;
	header[BAREPROF_HEADER_PAD_AFTER_BITMAP] = BAREPROF_PAD8(bitmaps);
	header[BAREPROF_HEADER_NAMES_SIZE] = section[BAREPROF_NAMES].size;
	header[BAREPROF_HEADER_COUNTERS_DELTA] = records;
	header[BAREPROF_HEADER_BITMAP_DELTA] = records + counters + BAREPROF_PAD8(counters);
	header[BAREPROF_HEADER_NUM_VTABLES] = section[BAREPROF_VTAB].size / BAREPROF_VTABLE_SIZE(image->width);
	header[BAREPROF_HEADER_VNAMES_SIZE] = section[BAREPROF_VNAMES].size;
	header[BAREPROF_HEADER_VALUE_KIND_LAST] = BAREPROF_VALUE_KINDS_OF(writer->version) - 1;
}

static void add_record(struct raw_writer *writer, uint64_t index)
{
	const struct raw_record *record = &writer->image->records[index];
	unsigned int v = writer->version;
	unsigned int w = writer->image->width;
	bool big = writer->image->big;
	uint8_t bytes[BAREPROF_RECORD_SIZE(BAREPROF_RAW_NEWEST, 8u)] = {0};
	uint64_t here = BAREPROF_RECORD_RELATIVE(v) ? index * BAREPROF_RECORD_SIZE(v, w) : 0;
	unsigned int kind;

	store_uint(bytes + BAREPROF_RECORD_NAME_REF, record->name, 8, big);
	store_uint(bytes + BAREPROF_RECORD_FUNC_HASH, record->hash, 8, big);
	store_uint(bytes + BAREPROF_RECORD_COUNTER_PTR,
		record->counters + writer->header[BAREPROF_HEADER_COUNTERS_DELTA] - here, w, big);
	store_uint(bytes + BAREPROF_RECORD_FUNCTION_PTR(v, w), record->address, w, big);
	store_uint(bytes + BAREPROF_RECORD_NUM_COUNTERS(v, w), record->counter_count, 4, big);
	for (kind = 0; kind < BAREPROF_VALUE_KINDS_OF(v); kind++)
		store_uint(bytes + BAREPROF_RECORD_VALUE_SITES(v, w) + 2 * kind, record->value_sites[kind], 2, big);
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w)) {
		if (record->bitmap_size)
			store_uint(bytes + BAREPROF_RECORD_BITMAP_PTR(v, w),
				record->bitmap + writer->header[BAREPROF_HEADER_BITMAP_DELTA] - here, w, big);
		store_uint(bytes + BAREPROF_RECORD_BITMAP_BYTES(v, w), record->bitmap_size, 4, big);
	}
	buffer_add(writer->out, bytes, BAREPROF_RECORD_SIZE(v, w));
}

void raw_write_header(struct buffer *out, const uint64_t *header, bool big)
{
	uint64_t version = header[BAREPROF_HEADER_VERSION] & BAREPROF_VERSION_NUMBER;
	size_t i;

	for (i = 0; i < BAREPROF_HEADER_MAX; i++)
		if (since[i] <= version)
			add_number(out, header[i], 8, big);
}

void raw_write(struct buffer *out, const struct raw_image *image)
{
	struct raw_writer writer = {
		.image = image, .out = out, .version = (unsigned int)(image->version_word & BAREPROF_VERSION_NUMBER)};
	const struct bytes *section = image->section;
	uint64_t i;

	make_header(&writer);
	raw_write_header(out, writer.header, image->big);
	buffer_add(out, section[BAREPROF_BUILD_ID].data, section[BAREPROF_BUILD_ID].size);
	for (i = 0; i < image->record_count; i++)
		add_record(&writer, i);
	add_padded(out, section[BAREPROF_CNTS]);
	add_padded(out, section[BAREPROF_BITS]);
	add_padded(out, section[BAREPROF_NAMES]);
	add_padded(out, section[BAREPROF_VTAB]);
	add_padded(out, section[BAREPROF_VNAMES]);
	buffer_add(out, image->values.data, image->values.size);
}
