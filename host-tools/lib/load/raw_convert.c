/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_convert.c - converts a raw profile to another raw version. It copies the sections, and writes
 * new records and value data. Before that, it looks for data that the new version cannot hold.
 */
#include "raw_convert.h"
#include "correlate.h"
#include "raw_open.h"
#include "raw_release.h"
#include "raw_values.h"
#include "raw_weak_duplicates.h"
#include "raw_write.h"

#include <inttypes.h>
#include <stdlib.h>

/* The first raw version that can hold each kind of data. */
#define RAW_BUILD_IDS BAREPROF_RAW_V7
#define RAW_BITMAPS   BAREPROF_RAW_V9
#define RAW_VTABLES   BAREPROF_RAW_V10

struct raw_converter {
	struct buffer *out;
	const struct raw_target *target;
	struct raw_profile profile;
	struct raw_record *records;
	struct buffer build_ids;
	struct buffer values;
	bool vtable_sites;
	struct error *error;
};

static enum status check_target(const struct raw_target *target, struct error *error)
{
	const struct raw_release *release = raw_release(target->version);
	struct buffer text = {0};

	if (!release)
		return error_set(error, STATUS_USAGE, "no release of LLVM reads raw version %u; use 5, or 7 to %u",
			target->version, BAREPROF_RAW_NEWEST);
	if (!target->release ||
		(target->release >= release->oldest && (!release->newest || target->release <= release->newest)))
		return STATUS_OK;
	raw_release_text(target->version, &text);
	error_set(error, STATUS_USAGE, "LLVM %u does not read raw version %u, which belongs to %s", target->release,
		target->version, buffer_string(&text));
	buffer_free(&text);
	return STATUS_USAGE;
}

static void add_word(struct buffer *words, bool there, const char *what)
{
	if (there)
		buffer_printf(words, "%s%s", words->size ? ", " : "", what);
}

/*
 * Finds the data in the profile that the target version or the target release cannot hold. Appends
 * the names of these kinds of data to @words, with commas between them.
 */
static void find_obstacles(const struct raw_converter *converter, struct buffer *words)
{
	const struct raw_profile *profile = &converter->profile;
	const struct raw_target *target = converter->target;
	const struct bytes *section = profile->section;
	unsigned int version = target->version;

	add_word(words, section[BAREPROF_BUILD_ID].size && version < RAW_BUILD_IDS && !target->drop_build_ids,
		"build ids (--drop-build-ids leaves them out)");
	add_word(words, section[BAREPROF_BITS].size && version < RAW_BITMAPS, "MC/DC bitmaps");
	add_word(words,
		(converter->vtable_sites || section[BAREPROF_VTAB].size || section[BAREPROF_VNAMES].size) &&
			version < RAW_VTABLES,
		"vtables");
	add_word(words, profile->header[BAREPROF_HEADER_NUM_UNIFORM_COUNTERS], "uniform counters of a GPU");
	raw_later_kinds(profile->version_word, target->release ? target->release : raw_release(version)->oldest, words);
}

static enum status check_obstacles(const struct raw_converter *converter)
{
	const struct raw_target *target = converter->target;
	struct buffer words = {0};
	struct buffer release = {0};

	/*
	 * If the profile has the target version, and no release was named, no check is needed. The profile is only
	 * copied, so the releases that can read the profile can also read the copy.
	 */
	if (converter->profile.version == target->version && !target->release)
		return STATUS_OK;
	find_obstacles(converter, &words);
	if (!words.size)
		return STATUS_OK;
	if (target->release)
		buffer_printf(&release, "LLVM %u", target->release);
	else
		raw_release_text(target->version, &release);
	error_set(converter->error, STATUS_INVALID_INPUT,
		"cannot be converted to raw version %u for %s, because that version cannot hold: %s", target->version,
		buffer_string(&release), buffer_string(&words));
	buffer_free(&words);
	buffer_free(&release);
	return STATUS_INVALID_INPUT;
}

static void read_record(struct raw_converter *converter, uint64_t index, const struct raw_function *function)
{
	const struct bytes *section = converter->profile.section;
	struct raw_record *record = &converter->records[index];
	unsigned int kind;

	*record = (struct raw_record){.name = function->name,
		.hash = function->hash,
		.address = function->address,
		.counters = (uint64_t)(function->counters.data - section[BAREPROF_CNTS].data),
		.counter_count = (uint32_t)function->counter_count,
		.bitmap_size = (uint32_t)function->bitmap.size};
	if (record->bitmap_size)
		record->bitmap = (uint64_t)(function->bitmap.data - section[BAREPROF_BITS].data);
	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		record->value_sites[kind] = (uint16_t)function->value_sites[kind];
	converter->vtable_sites = converter->vtable_sites || record->value_sites[2];
}

static void add_number(struct raw_converter *converter, uint32_t value)
{
	uint8_t bytes[4];

	store_uint(bytes, value, 4, converter->profile.big);
	buffer_add(&converter->values, bytes, 4);
}

/*
 * Writes a block of value data without values for one function. Weak duplicates get such a block too, because their
 * value data is not copied. A profile could have 8 zero bytes instead of the blocks of all functions, but LLVM before
 * release 16 does not accept that. Therefore each function gets its own block.
 */
static void add_nothing_seen(struct raw_converter *converter, const struct raw_function *function)
{
	struct buffer *values = &converter->values;
	size_t start = values->size;
	uint32_t kinds = 0;
	uint32_t kind;

	add_number(converter, 0); /* reserves space for the size of the block; store_uint() below stores the size */
	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		kinds += function->value_sites[kind] != 0;
	add_number(converter, kinds);
	for (kind = 0; kind < RAW_VALUE_KINDS; kind++) {
		size_t sites = function->value_sites[kind];

		if (!sites)
			continue;
		add_number(converter, kind);
		add_number(converter, (uint32_t)sites);
		sites += BAREPROF_PAD8(sites);
		buffer_reserve(values, sites);
		memset(values->data + values->size, 0, sites);
		values->size += sites;
	}
	store_uint(values->data + start, values->size - start, 4, converter->profile.big);
}

/* Reads all records. Copies their value data, which keeps its byte order. */
static enum status read_functions(struct raw_converter *converter)
{
	/*
	 * A copy of the profile without the temporal bit. If raw_function() reads this copy, it returns the timestamp
	 * of a function as the first counter of the function.
	 */
	struct raw_profile plain = converter->profile;
	struct bytes rest = plain.values;
	uint64_t i;

	plain.version_word &= ~BAREPROF_VARIANT_TEMPORAL;
	converter->records = allocate((size_t)plain.records, sizeof(*converter->records));
	for (i = 0; i < plain.records; i++) {
		struct raw_function function;
		const uint8_t *block = rest.data;

		if (raw_function(&plain, i, &function, converter->error) != STATUS_OK ||
			raw_values_take(&plain, &function, i, &rest, NULL, converter->error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
		read_record(converter, i, &function);
		if (rest.data != block && !raw_is_weak_duplicate(&plain, i))
			buffer_add(&converter->values, block, (size_t)(rest.data - block));
		else if (raw_has_sites(&function))
			add_nothing_seen(converter, &function);
	}
	return STATUS_OK;
}

static void write_profile(struct raw_converter *converter)
{
	const struct raw_profile *profile = &converter->profile;
	unsigned int version = converter->target->version;
	struct raw_image parts = {.version_word = (profile->version_word & ~BAREPROF_VERSION_NUMBER) | version,
		.width = profile->width,
		.big = profile->big,
		.records = converter->records,
		.record_count = profile->records};
	size_t i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		parts.section[i] = profile->section[i];
	if (!converter->target->drop_build_ids)
		raw_build_ids(profile, version, &converter->build_ids);
	parts.section[BAREPROF_BUILD_ID] = (struct bytes){converter->build_ids.data, converter->build_ids.size};
	parts.values = (struct bytes){converter->values.data, converter->values.size};
	raw_write(converter->out, &parts);
}

/*
 * Copies a profile that already has the target version. Only weak duplicates change: their records
 * are corrected, and their values are left out.
 */
static void copy_profile(struct raw_converter *converter, struct bytes file)
{
	const struct raw_profile *profile = &converter->profile;
	struct bytes stored = raw_stored_records(profile);
	struct bytes values = profile->values;
	const uint8_t *start = file.data + profile->offset;
	const uint8_t *end = file.data + profile->end;

	if (!profile->weak_duplicates) {
		buffer_add(converter->out, start, (size_t)(end - start));
		return;
	}
	buffer_add(converter->out, start, (size_t)(stored.data - start));
	buffer_add(converter->out, profile->section[BAREPROF_DATA].data, stored.size);
	start = stored.data + stored.size;
	buffer_add(converter->out, start, (size_t)(values.data - start));
	buffer_add(converter->out, converter->values.data, converter->values.size);
	start = values.data + values.size;
	buffer_add(converter->out, start, (size_t)(end - start));
}

/* Converts a profile whose records and names exist only in the ELF file. */
static enum status convert_correlated(struct raw_converter *converter)
{
	struct raw_target whole = *converter->target;
	struct buffer completed = {0};
	enum status status;

	whole.completion.programs = NULL;
	status = correlate(&completed, &converter->profile, &converter->target->completion, converter->error);
	if (status == STATUS_OK)
		status = raw_convert(
			converter->out, (struct bytes){completed.data, completed.size}, &whole, converter->error);
	buffer_free(&completed);
	return status;
}

static enum status convert_opened(struct raw_converter *converter, struct bytes file)
{
	const struct raw_profile *profile = &converter->profile;
	enum status status;

	if (raw_correlated(profile))
		return convert_correlated(converter);
	status = read_functions(converter);
	if (status == STATUS_OK)
		status = check_obstacles(converter);
	if (status != STATUS_OK)
		return status;
	if (profile->version == converter->target->version && !converter->target->drop_build_ids)
		copy_profile(converter, file);
	else
		write_profile(converter);
	return STATUS_OK;
}

static enum status convert_one(
	struct buffer *out, struct bytes file, size_t *offset, const struct raw_target *target, struct error *error)
{
	struct raw_converter converter = {.out = out, .target = target, .error = error};
	enum status status = raw_open(&converter.profile, file, *offset, error);

	if (status == STATUS_OK)
		status = convert_opened(&converter, file);
	*offset = converter.profile.end;
	raw_close(&converter.profile);
	free(converter.records);
	buffer_free(&converter.build_ids);
	buffer_free(&converter.values);
	return status;
}

enum status raw_convert(struct buffer *out, struct bytes file, const struct raw_target *target, struct error *error)
{
	enum status status = check_target(target, error);
	size_t offset = 0;
	size_t start = out->size;

	while (offset < file.size && status == STATUS_OK) {
		/*
		 * Each profile must start at a multiple of 8 bytes. A profile of version 7 can end
		 * at another offset, because its build ids are not padded. In this case, zeros
		 * follow the profile.
		 */
		buffer_add(out, (const uint8_t[8]){0}, BAREPROF_PAD8(out->size - start));
		status = convert_one(out, file, &offset, target, error);
	}
	return status;
}
