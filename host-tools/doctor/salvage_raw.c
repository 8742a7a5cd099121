/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * salvage_raw.c - takes functions out of a raw profile that lost a part. First, the rest of the profile is compared with
 * the ELF file. If something differs, bytes changed in place. In this case, no function is taken.
 */
#include "names.h"
#include "raw_check.h"
#include "raw_open.h"
#include "raw_write.h"
#include "salvage.h"

#include <inttypes.h>
#include <stdlib.h>

/* The header may tell sizes of at most this many bytes, and this many times the bytes that are there. */
#define SIZE_MIN   ((uint64_t)16 << 20)
#define SIZE_TIMES 64u

struct taking {
	struct doctor *doctor;
	const struct sparse_buffer *arrived;
	struct salvage *salvage;
	struct buffer whole; /* the file, with zeros for what is missing */
	struct raw_profile profile;
	uint64_t start[BAREPROF_SECTIONS]; /* offset of each section in the file */
	uint64_t total; /* size of the file without value data */
	const struct program *program; /* NULL: no ELF file was given */
	const struct record_table *table; /* of the program */
	struct raw_record *records; /* one for each record of the profile, with the offsets in the file's sections */
	struct names names;
	struct bytes names_section;
	struct error *error;
};

/* Finds the offsets of all sections. Returns false if the sizes in the header are too large. */
static bool find_sections(
	const struct raw_profile *profile, uint64_t at, uint64_t limit, uint64_t *start, uint64_t *total)
{
	struct raw_section part[RAW_SECTIONS];
	size_t i;

	raw_section_list(profile, part);
	for (i = 0; i < RAW_SECTIONS; i++) {
		if (part[i].count > limit / part[i].size || part[i].pad > limit)
			return false;
		if (part[i].section < BAREPROF_SECTIONS)
			start[part[i].section] = at;
		at += part[i].count * part[i].size + part[i].pad;
		if (at > limit)
			return false;
	}
	*total = at;
	return true;
}

static uint64_t limit_of(size_t size)
{
	return SIZE_MIN + (uint64_t)size * SIZE_TIMES;
}

uint64_t salvage_total(const struct raw_profile *profile, size_t size)
{
	uint64_t start[BAREPROF_SECTIONS] = {0};
	uint64_t total;

	return find_sections(profile, 0, limit_of(size), start, &total) ? total : UINT64_MAX;
}

static bool has(const struct taking *taking, uint64_t offset, uint64_t size)
{
	struct bytes unused;

	return !size || sparse_buffer_find(taking->arrived, offset, size, &unused);
}

/* Returns whether all of @section arrived. */
static bool has_section(const struct taking *taking, enum bareprof_section section)
{
	return has(taking, taking->start[section], taking->profile.section[section].size);
}

/* Reads the header, and makes a file of the size that it tells. */
static enum status open_profile(struct taking *taking)
{
	const struct sparse_buffer *arrived = taking->arrived;
	struct bytes head;
	enum status status;
	size_t size;
	size_t i;

	if (!sparse_buffer_find(arrived, 0, RAW_START, &head))
		return error_set(taking->error, STATUS_INVALID_INPUT, "lacks its header");
	status = raw_identify(&taking->profile, head, &size, taking->error);
	if (status == STATUS_OK && !sparse_buffer_find(arrived, 0, size, &head))
		status = error_set(taking->error, STATUS_INVALID_INPUT, "lacks a part of its header");
	if (status == STATUS_OK)
		status = raw_header(&taking->profile, head, &size, taking->error);
	if (status != STATUS_OK)
		return status;
	if (!find_sections(&taking->profile, size, limit_of(arrived->bytes.size), taking->start, &taking->total))
		return error_set(
			taking->error, STATUS_INVALID_INPUT, "tells sizes in its header that are not credible");
	buffer_reserve(&taking->whole, (size_t)taking->total);
	memset(taking->whole.data, 0, (size_t)taking->total);
	taking->whole.size = (size_t)taking->total;
	for (i = 0; i < arrived->count; i++) {
		const struct sparse_extent *extent = &arrived->list[i];
		uint64_t end = extent->offset + extent->size;

		if (extent->offset < taking->total)
			memcpy(taking->whole.data + extent->offset, arrived->bytes.data + extent->at,
				(size_t)((end < taking->total ? end : taking->total) - extent->offset));
	}
	return raw_sections(&taking->profile, (struct bytes){taking->whole.data, taking->whole.size}, 0, taking->error);
}

static enum status changed(struct taking *taking, const char *what)
{
	return error_set(taking->error, STATUS_INVALID_INPUT,
		"differs from the program in its %s, so bytes changed in place, and no count can be trusted", what);
}

/* Finds the ELF file, and checks that the sizes in the header are those of the program. */
static enum status find_program(struct taking *taking)
{
	const struct raw_profile *profile = &taking->profile;
	struct bytes id = taking->salvage->id;
	struct buffer remark = {0};
	struct program *program;
	enum status status;

	if (!id.size && has_section(taking, BAREPROF_BUILD_ID))
		id = profile->build_id;
	status = programs_find(&taking->doctor->programs, id, &program, &remark, taking->error);
	buffer_free(&remark);
	if (status == STATUS_OK && !salvage_proves_program(taking->doctor, taking->salvage, id, taking->error))
		status = STATUS_INVALID_INPUT;
	if (status != STATUS_OK)
		return status;
	status = program_fits(
		program, profile->width, profile->big, profile->section[BAREPROF_CNTS].size, taking->error);
	if (status == STATUS_OK)
		status = program_records(program, profile->version_word, &taking->table, taking->error);
	if (status == STATUS_OK)
		status = program_named(program, taking->table, taking->error);
	if (status != STATUS_OK)
		return status;
	if (taking->table->count != profile->records || taking->table->version_word != profile->version_word)
		return changed(taking, "header");
	if (taking->table->names.size != profile->section[BAREPROF_NAMES].size)
		return changed(taking, "size of names");
	taking->program = program;
	taking->salvage->used_elf = true;
	return STATUS_OK;
}

/* Compares what arrived of the names with those of the program. */
static enum status check_names(struct taking *taking)
{
	struct bytes names = taking->profile.section[BAREPROF_NAMES];
	uint64_t at = taking->start[BAREPROF_NAMES];
	size_t i;

	taking->names_section = names;
	if (taking->program) {
		for (i = 0; i < names.size; i++)
			if (names.data[i] != taking->table->names.data[i] && has(taking, at + i, 1))
				return changed(taking, "names");
		taking->names_section = taking->table->names;
	} else if (!has_section(taking, BAREPROF_NAMES)) {
		return error_set(taking->error, STATUS_INVALID_INPUT,
			"lacks its names, which are also in the ELF file of the program: name that file, too");
	}
	return names_read(&taking->names, taking->names_section, taking->error);
}

/* Returns whether the numbers of value sites in record @i are those in the ELF file. */
static bool same_sites(const struct taking *taking, uint64_t i)
{
	const struct raw_profile *profile = &taking->profile;
	uint64_t at = i * profile->record_size + BAREPROF_RECORD_VALUE_SITES(profile->version, profile->width);
	uint64_t size = 2 * BAREPROF_VALUE_KINDS_OF(profile->version);
	struct bytes own;
	struct bytes sent;

	return bytes_slice(taking->program->section[BAREPROF_DATA].content, at, size, &own) &&
	       bytes_slice(profile->section[BAREPROF_DATA], at, size, &sent) && bytes_equal(own, sent);
}

/* Compares record @i with that of the program, if it arrived. */
static enum status check_record(struct taking *taking, uint64_t i, const struct raw_function *function)
{
	const struct raw_record *record = &taking->table->functions[i];
	unsigned int slots = taking->profile.version_word & BAREPROF_VARIANT_TEMPORAL ? 1 : 0;

	if (record->name == function->name && record->hash == function->hash &&
		(slots || record->counter_count == function->counter_count) &&
		record->bitmap_size == function->bitmap.size && same_sites(taking, i))
		return STATUS_OK;
	taking->salvage->changed = true;
	return changed(taking, "records");
}

static enum status read_records(struct taking *taking)
{
	struct raw_profile *profile = &taking->profile;
	const uint8_t *counters = profile->section[BAREPROF_CNTS].data;
	const uint8_t *bits = profile->section[BAREPROF_BITS].data;
	uint64_t i;

	taking->records = allocate((size_t)profile->records + 1, sizeof(*taking->records));
	for (i = 0; i < profile->records; i++) {
		bool arrived =
			has(taking, taking->start[BAREPROF_DATA] + i * profile->record_size, profile->record_size);
		struct raw_function function;
		enum status status = STATUS_OK;

		if (arrived)
			status = raw_function(profile, i, &function, taking->error);
		else if (!taking->program)
			status = error_set(taking->error, STATUS_INVALID_INPUT,
				"lacks records, which are also in the ELF file of the program: name that file, too");
		if (status == STATUS_OK && taking->program && arrived)
			status = check_record(taking, i, &function);
		if (status != STATUS_OK)
			return status;
		if (taking->program)
			taking->records[i] = taking->table->functions[i];
		else
			taking->records[i] = (struct raw_record){.name = function.name,
				.hash = function.hash,
				.address = function.address,
				.counters = (uint64_t)(function.counters.data - counters),
				.bitmap = function.bitmap.size ? (uint64_t)(function.bitmap.data - bits) : 0,
				.counter_count = (uint32_t)function.counter_count,
				.bitmap_size = (uint32_t)function.bitmap.size};
	}
	return STATUS_OK;
}

/* Returns whether a count of the function is higher than any run can reach. */
static bool is_incredible(const struct raw_profile *profile, struct bytes counters)
{
	size_t i;

	for (i = 0; profile->counter_size == 8 && i < counters.size; i += 8)
		if (load_uint(counters.data + i, 8, profile->big) > RAW_COUNT_CREDIBLE)
			return true;
	return false;
}

static void leave_out(struct taking *taking, const struct raw_record *record)
{
	const struct name *name = names_find(&taking->names, record->name);
	struct buffer *list = &taking->salvage->left_out;

	if (name)
		buffer_printf(list, "%.*s\n", (int)(name->text.size & INT32_MAX), (const char *)name->text.data);
	else
		buffer_printf(list, "%016" PRIx64 "\n", record->name);
}

/* Writes the functions whose counters and bitmap arrived. */
static enum status write_functions(struct taking *taking)
{
	struct raw_profile *profile = &taking->profile;
	struct raw_image image = {.version_word = profile->version_word, .width = profile->width, .big = profile->big};
	struct buffer counters = {0};
	struct buffer bitmap = {0};
	struct buffer ids = {0};
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < profile->records && status == STATUS_OK; i++) {
		struct raw_record record = taking->records[i];
		struct bytes own = {NULL, 0};
		struct bytes bits = {NULL, 0};
		uint64_t size = (uint64_t)record.counter_count * profile->counter_size;

		if (!sparse_buffer_find(taking->arrived, taking->start[BAREPROF_CNTS] + record.counters, size, &own) ||
			record.counters + size > profile->section[BAREPROF_CNTS].size ||
			(record.bitmap_size &&
				!sparse_buffer_find(taking->arrived, taking->start[BAREPROF_BITS] + record.bitmap,
					record.bitmap_size, &bits))) {
			leave_out(taking, &record);
			continue;
		}
		if (is_incredible(profile, own))
			status = error_set(taking->error, STATUS_INVALID_INPUT,
				"has counts that no run can reach, so no count can be trusted");
		record.counters = counters.size;
		record.bitmap = bitmap.size;
		buffer_add(&counters, own.data, own.size);
		buffer_add(&bitmap, bits.data, bits.size);
		/* Two records that share counters would give more counters than the section has. */
		if (counters.size > profile->section[BAREPROF_CNTS].size)
			status = error_set(taking->error, STATUS_INVALID_INPUT, "has functions that share counters");
		taking->records[taking->salvage->kept++] = record;
	}
	taking->salvage->of = (size_t)profile->records;
	if (status == STATUS_OK && !taking->salvage->kept)
		status = error_set(taking->error, STATUS_INVALID_INPUT, "has no function with all of its counters");
	if (status == STATUS_OK) {
		if (has_section(taking, BAREPROF_BUILD_ID))
			raw_build_ids(profile, profile->version, &ids);
		image.records = taking->records;
		image.record_count = taking->salvage->kept;
		image.section[BAREPROF_BUILD_ID] = (struct bytes){ids.data, ids.size};
		image.section[BAREPROF_CNTS] = (struct bytes){counters.data, counters.size};
		image.section[BAREPROF_BITS] = (struct bytes){bitmap.data, bitmap.size};
		image.section[BAREPROF_NAMES] = taking->names_section;
		raw_write(&taking->salvage->profile, &image);
	}
	buffer_free(&counters);
	buffer_free(&bitmap);
	buffer_free(&ids);
	return status;
}

enum status salvage_raw(
	struct doctor *doctor, const struct sparse_buffer *bytes, struct salvage *salvage, struct error *error)
{
	struct taking taking = {.doctor = doctor, .arrived = bytes, .salvage = salvage, .error = error};
	enum status status = open_profile(&taking);

	if (status == STATUS_OK && taking.profile.version_word & BAREPROF_VARIANT_TEMPORAL)
		status = error_set(error, STATUS_INVALID_INPUT,
			"is a temporal profile, and no part of a temporal profile can be saved");
	if (status == STATUS_OK && programs_any(&doctor->programs))
		status = find_program(&taking);
	if (status == STATUS_OK)
		status = check_names(&taking);
	if (status == STATUS_OK)
		status = read_records(&taking);
	if (status == STATUS_OK)
		status = write_functions(&taking);
	names_free(&taking.names);
	free(taking.records);
	buffer_free(&taking.whole);
	return status;
}
