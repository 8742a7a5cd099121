/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_read.c - fuzzes raw profiles. The mutator knows the header, the records and the sections. It replaces one
 * number by another that is likely to cause trouble. Or it changes one part and writes the profile again, perhaps in
 * another raw version, pointer width or byte order.
 */
#include "fuzz.h"
#include "md5.h"
#include "names.h"
#include "raw_open.h"
#include "raw_write.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_profile(raw_read, (struct bytes){data, size});
	return 0;
}

static void change_field(uint8_t *data, size_t size, size_t at, unsigned int width, bool big, struct dice *dice)
{
	if (at + width <= size)
		store_uint(data + at, dice_number(dice, load_uint(data + at, width, big), size), width, big);
}

/* Changes a word of the header or a field of a record. */
static size_t change_number(uint8_t *data, size_t size, const struct raw_profile *profile, struct dice *dice)
{
	unsigned int v = profile->version;
	unsigned int w = profile->width;
	const struct {
		unsigned int offset;
		unsigned int width;
	} fields[] = {
		{BAREPROF_RECORD_NAME_REF, 8},
		{BAREPROF_RECORD_FUNC_HASH, 8},
		{BAREPROF_RECORD_COUNTER_PTR, w},
		{BAREPROF_RECORD_FUNCTION_PTR(v, w), w},
		{BAREPROF_RECORD_NUM_COUNTERS(v, w), 4},
		{BAREPROF_RECORD_VALUE_SITES(v, w), 2},
		{BAREPROF_RECORD_VALUE_SITES(v, w) + 2, 2},
		{BAREPROF_RECORD_VALUE_SITES(v, w) + 4, 2},
		{BAREPROF_RECORD_BITMAP_PTR(v, w), w},
		{BAREPROF_RECORD_BITMAP_BYTES(v, w), 4},
	};
	size_t field = dice_throw(dice, sizeof(fields) / sizeof(fields[0]));
	uint64_t record = dice_throw(dice, profile->records);

	if (!profile->records || dice_throw(dice, 2))
		change_field(data, size, 8 * dice_throw(dice, BAREPROF_HEADER_MAX), 8, profile->big, dice);
	else
		change_field(data, size,
			(size_t)(profile->section[BAREPROF_DATA].data - data) + record * profile->record_size +
				fields[field].offset,
			fields[field].width, profile->big, dice);
	return size;
}

/* Returns a names section with one chunk. The chunk is not packed, so that libFuzzer can change the names. */
static struct buffer plain_names(const struct names *names, struct dice *dice)
{
	struct buffer joined = {0};
	struct buffer chunk = {0};
	struct buffer changed;
	size_t i;

	for (i = 0; i < names->count && joined.size < 4096; i++) {
		buffer_add(&joined, "\1", i != 0);
		buffer_add(&joined, names->list[i].text.data, names->list[i].text.size);
	}
	if (dice_throw(dice, 4) == 0) {
		changed = dice_bytes((struct bytes){joined.data, joined.size}, joined.size + 64);
		buffer_free(&joined);
		joined = changed;
	}
	buffer_add_uleb(&chunk, joined.size);
	buffer_add_uleb(&chunk, 0);
	buffer_add(&chunk, joined.data, joined.size);
	buffer_free(&joined);
	return chunk;
}

static struct raw_record record_of(
	const struct raw_profile *profile, const struct raw_function *function, const struct names *names, uint64_t i)
{
	struct raw_record record = {
		.name = names->count ? names->list[i % names->count].reference : function->name,
		.hash = function->hash,
		.address = function->address,
		.counters = (uint64_t)(function->counters.data - profile->section[BAREPROF_CNTS].data),
		.bitmap_size = (uint32_t)function->bitmap.size,
	};
	unsigned int v = profile->version;
	unsigned int kind;

	/* The number of counters comes from the record. raw_function() does not count the counters of a timestamp. */
	record.counter_count = (uint32_t)load_uint(profile->section[BAREPROF_DATA].data + i * profile->record_size +
							   BAREPROF_RECORD_NUM_COUNTERS(v, profile->width),
		4, profile->big);
	record.counters -= (record.counter_count - function->counter_count) * profile->counter_size;
	if (function->bitmap.size)
		record.bitmap = (uint64_t)(function->bitmap.data - profile->section[BAREPROF_BITS].data);
	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		record.value_sites[kind] = (uint16_t)function->value_sites[kind];
	return record;
}

/* Replaces the bytes of one section, or of the value data. Returns the new bytes. */
static struct buffer change_section(struct raw_image *parts, struct dice *dice)
{
	struct bytes *victim = &parts->section[dice_throw(dice, BAREPROF_SECTIONS)];
	struct buffer changed;

	if (victim == &parts->section[BAREPROF_DATA] || victim == &parts->section[BAREPROF_NAMES])
		victim = &parts->values;
	changed = dice_bytes(*victim, victim->size + 32);
	if (victim == &parts->section[BAREPROF_CNTS] && !(parts->version_word & BAREPROF_VARIANT_BYTE_COVERAGE))
		changed.size &= ~(size_t)7;
	*victim = (struct bytes){changed.data, changed.size};
	return changed;
}

/*
 * Changes the version, the variant bits, the pointer width or the byte order. The bytes of the counters stay the
 * same.
 */
static void change_kind(struct raw_image *parts, struct dice *dice)
{
	static const uint64_t variants[] = {BAREPROF_VARIANT_IR, BAREPROF_VARIANT_IR | BAREPROF_VARIANT_CSIR,
		BAREPROF_VARIANT_ENTRY_FIRST, BAREPROF_VARIANT_LOOP_ENTRIES, BAREPROF_VARIANT_TEMPORAL,
		BAREPROF_VARIANT_BYTE_COVERAGE, BAREPROF_VARIANT_ENTRY_ONLY};

	if (dice_throw(dice, 4) == 0)
		parts->version_word =
			(parts->version_word & ~BAREPROF_VERSION_NUMBER) | (BAREPROF_RAW_OLDEST + dice_throw(dice, 7));
	if (dice_throw(dice, 4) == 0)
		parts->version_word ^= variants[dice_throw(dice, sizeof(variants) / sizeof(variants[0]))];
	if (dice_throw(dice, 8) == 0)
		parts->width = 12 - parts->width;
	if (dice_throw(dice, 8) == 0)
		parts->big = !parts->big;
}

static void assemble(
	struct buffer *out, const struct raw_profile *profile, const struct names *names, struct dice *dice)
{
	struct raw_image parts = {.version_word = profile->version_word,
		.width = profile->width,
		.big = profile->big,
		.record_count = profile->records,
		.values = profile->values};
	struct raw_record *records = allocate((size_t)profile->records + 1, sizeof(*records));
	struct buffer new_names = plain_names(names, dice);
	struct names listed = {0};
	struct buffer changed = {0};
	struct error error;
	uint64_t i;

	names_read(&listed, (struct bytes){new_names.data, new_names.size}, &error);
	for (i = 0; i < profile->records; i++) {
		struct raw_function function;

		if (raw_function(profile, i, &function, &error) != STATUS_OK)
			break;
		records[i] = record_of(profile, &function, &listed, i);
	}
	for (i = 0; i < BAREPROF_SECTIONS; i++)
		parts.section[i] = profile->section[i];
	parts.section[BAREPROF_NAMES] = (struct bytes){new_names.data, new_names.size};
	parts.records = records;
	/* Replaces a record by a copy of another, or drops the last record. */
	if (profile->records && dice_throw(dice, 4) == 0)
		records[dice_throw(dice, profile->records)] = records[dice_throw(dice, profile->records)];
	if (profile->records && dice_throw(dice, 4) == 0)
		parts.record_count--;
	if (dice_throw(dice, 2))
		changed = change_section(&parts, dice);
	change_kind(&parts, dice);
	raw_write(out, &parts);
	free(records);
	names_free(&listed);
	buffer_free(&new_names);
	buffer_free(&changed);
}

/* Writes the changed profile. Sometimes the original profile follows it. */
static size_t change_structure(
	uint8_t *data, size_t size, size_t most, const struct raw_profile *profile, struct dice *dice)
{
	struct buffer out = {0};
	struct names names = {0};
	struct error error;

	if (names_read(&names, profile->section[BAREPROF_NAMES], &error) == STATUS_OK)
		assemble(&out, profile, &names, dice);
	if (dice_throw(dice, 8) == 0) {
		while (out.size % 8)
			buffer_add(&out, "", 1);
		buffer_add(&out, data, size);
	}
	if (out.size && out.size <= most) {
		memcpy(data, out.data, out.size);
		size = out.size;
	}
	names_free(&names);
	buffer_free(&out);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct raw_profile profile;
	struct error error;
	uint64_t way = dice_throw(&dice, 10);

	if (way < 3 || raw_sections(&profile, (struct bytes){data, size}, 0, &error) != STATUS_OK)
		return LLVMFuzzerMutate(data, size, most);
	if (way < 6)
		return change_number(data, size, &profile, &dice);
	if (raw_open(&profile, (struct bytes){data, size}, 0, &error) != STATUS_OK)
		return LLVMFuzzerMutate(data, size, most);
	size = change_structure(data, size, most, &profile, &dice);
	raw_close(&profile);
	return size;
}
