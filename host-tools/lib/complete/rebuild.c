/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.c - where the records are as in the target's memory, the file is made of
 * them as runtime/profraw.c does it, byte for byte. Functions partial out of the records
 * become a profile of their own: where some are missing, and where the target never
 * had records.
 */
#include "rebuild.h"

#include "names.h"
#include "raw_release.h"
#include "rebuild_values.h"

#include <bareprof/wire.h>
#include <inttypes.h>
#include <stdlib.h>

/* So many functions that are left out are named in a sentence. */
#define NAMED_MAX 5

struct rebuild {
	struct buffer *out;
	const struct begin *begin;
	const struct completion_options *completion;
	const struct session *session;
	struct program *program;
	const struct record_table *table;
	uint64_t version_word;
	uint64_t slide; /* how far the image was moved */
	bool big;
	struct sparse_buffer counters;
	struct sparse_buffer bitmap;
	struct sparse_buffer site_counts;
	struct sparse_buffer values;
	struct error *error;
};

static uint64_t mask_of(const struct rebuild *rebuild)
{
	return rebuild->begin->width == 4 ? UINT32_MAX : UINT64_MAX;
}

/* The address in BEGIN says how far it was moved; a module lies where it was put, in buffer. */
static enum status find_slide(struct rebuild *rebuild)
{
	const struct program *program = rebuild->program;
	const struct elf_section_copy *counters = &program->section[BAREPROF_CNTS];
	uint64_t alignment = counters->alignment ? counters->alignment : 1;

	if (program->image.module)
		return STATUS_OK;
	rebuild->slide = (rebuild->begin->address - counters->address) & mask_of(rebuild);
	if (rebuild->slide % alignment == 0)
		return STATUS_OK;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"says that its counters were at 0x%" PRIx64
		", where the section of the ELF file %s, linked to 0x%" PRIx64 " and aligned to %" PRIu64
		", cannot have been: is it the program that was run?",
		rebuild->begin->address, program->path, counters->address, alignment);
}

/* Sizes as the ELF file has them, before anything is made of their size. */
static enum status check_sizes(struct rebuild *rebuild)
{
	const struct begin *begin = rebuild->begin;
	const struct program *program = rebuild->program;
	uint64_t counters = streams_size(&begin->streams, BAREPROF_STREAM_COUNTERS);
	uint64_t bitmap = streams_size(&begin->streams, BAREPROF_STREAM_BITMAP);
	const struct elf_section_copy *section = program->section;
	enum status status = program_fits(program, begin->width, rebuild->big, counters, rebuild->error);

	if (status != STATUS_OK || (counters == section[BAREPROF_CNTS].size && bitmap == section[BAREPROF_BITS].size))
		return status;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"has %" PRIu64 " bytes of counters and %" PRIu64 " of bitmaps, the sections of the ELF file %s have "
		"%" PRIu64 " and %" PRIu64 ": is it the program that was run?",
		counters, bitmap, program->path, section[BAREPROF_CNTS].size, section[BAREPROF_BITS].size);
}

/* Of each site that the records have it is told how many values it has; of none, if the target knows of none. */
static enum status check_sites(const struct rebuild *rebuild)
{
	const struct program *program = rebuild->program;
	const struct stream *told = streams_find(&rebuild->begin->streams, BAREPROF_STREAM_SITES);
	/* Of these the target has no records. */
	uint64_t sites = program->correlated ? 0 : rebuild->table->sites;

	if (told && told->size != sites)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"tells of %" PRIu64 " value sites, the records in the ELF file %s have %" PRIu64
			": is it the program that was run?",
			told->size, program->path, sites);
	/* At each there is a call in the code. So what is made is bounded by what was given. */
	if (!told && sites > program->image.size)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: the records in the ELF file %s claim %" PRIu64
			" value sites, more than there can be in %" PRIu64 " bytes; 'bareprof check' says more",
			program->path, sites, program->image.size);
	return STATUS_OK;
}

/* The version of what is made, and the functions that are in it. */
static enum status learn(struct rebuild *rebuild)
{
	struct program *program = rebuild->program;
	uint64_t word = rebuild->begin->version;
	enum status status;

	/* Of the records in debug information nothing can be table. */
	if (word & BAREPROF_VARIANT_DEBUG_CORRELATE && !(word & BAREPROF_VERSION_NUMBER))
		word |= program->declared & BAREPROF_VERSION_NUMBER;
	status = program_records(program, word, &rebuild->table, rebuild->error);
	if (status != STATUS_OK)
		return status;
	rebuild->version_word = rebuild->table->version_word & ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	if (!raw_release(rebuild->version_word & BAREPROF_VERSION_NUMBER))
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: neither it nor the ELF file %s says of which raw version it is",
			program->path);
	return check_sites(rebuild);
}

/* As it is in memory, with zeros up to 8 bytes. */
static void add_section(struct rebuild *rebuild, struct bytes bytes)
{
	static const uint8_t zeros[8];

	buffer_add(rebuild->out, bytes.data, bytes.size);
	buffer_add(rebuild->out, zeros, BAREPROF_PAD8(bytes.size));
}

/* What a loader, or the image itself, added to a pointer when it moved. */
static void move_pointer(const struct rebuild *rebuild, uint8_t *p)
{
	unsigned int width = rebuild->begin->width;
	uint64_t value = load_uint(p, width, rebuild->big);

	if (value)
		store_uint(p, value + rebuild->slide, width, rebuild->big);
}

/* As bareprof_fix_weak_duplicates() does it, but where all was linked to. */
static void separate(const struct rebuild *rebuild, const struct weak_duplicate *own, uint8_t *records)
{
	const struct program *program = rebuild->program;
	unsigned int v = (unsigned int)(rebuild->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int w = rebuild->begin->width;
	uint64_t at = own->index * BAREPROF_RECORD_SIZE(v, w);
	uint64_t here = BAREPROF_RECORD_RELATIVE(v) ? program->section[BAREPROF_DATA].address + at : 0;
	uint8_t *p = records + at;

	store_uint(p + BAREPROF_RECORD_COUNTER_PTR, program->section[BAREPROF_CNTS].address + own->counters - here, w,
		rebuild->big);
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w) && load_uint(p + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, rebuild->big))
		store_uint(p + BAREPROF_RECORD_BITMAP_PTR(v, w),
			program->section[BAREPROF_BITS].address + own->bitmap - here, w, rebuild->big);
	/* A target that notes values has the head of a list for each site. */
	if (program->list_heads.size && program->list_heads.size == rebuild->table->weak_duplicates.list_heads * w)
		store_uint(p + BAREPROF_RECORD_VALUES_PTR(v, w), program->list_heads.address + own->list_heads * w, w,
			rebuild->big);
}

static void add_records(struct rebuild *rebuild)
{
	unsigned int v = (unsigned int)(rebuild->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int w = rebuild->begin->width;
	size_t size = BAREPROF_RECORD_SIZE(v, w);
	size_t start = rebuild->out->size;
	size_t i;

	add_section(rebuild, rebuild->program->section[BAREPROF_DATA].content);
	for (i = 0; i < rebuild->table->weak_duplicates.count; i++)
		separate(rebuild, &rebuild->table->weak_duplicates.list[i], rebuild->out->data + start);
	for (i = 0; i < rebuild->table->count && rebuild->slide; i++) {
		uint8_t *p = rebuild->out->data + start + i * size;

		move_pointer(rebuild, p + BAREPROF_RECORD_FUNCTION_PTR(v, w));
		move_pointer(rebuild, p + BAREPROF_RECORD_VALUES_PTR(v, w));
		if (!BAREPROF_RECORD_RELATIVE(v))
			move_pointer(rebuild, p + BAREPROF_RECORD_COUNTER_PTR);
	}
}

/* Each is a hash, a pointer and a size. */
static void add_vtables(struct rebuild *rebuild)
{
	size_t size = BAREPROF_VTABLE_SIZE(rebuild->begin->width);
	struct bytes bytes = rebuild->program->section[BAREPROF_VTAB].content;
	size_t start = rebuild->out->size;
	size_t i;

	add_section(rebuild, bytes);
	for (i = 0; i < bytes.size / size && rebuild->slide; i++)
		move_pointer(rebuild, rebuild->out->data + start + i * size + 8);
}

/* Where a section was at run time. */
static uint64_t address_of(const struct rebuild *rebuild, enum bareprof_section which)
{
	const struct elf_section_copy *section = &rebuild->program->section[which];

	return (section->address + (section->moves ? rebuild->slide : 0)) & mask_of(rebuild);
}

/* From the records, or from 0, to a section. To records that are not loaded distances are as they were linked. */
static uint64_t delta_of(const struct rebuild *rebuild, enum bareprof_section which)
{
	const struct elf_section_copy *section = rebuild->program->section;
	uint64_t base = address_of(rebuild, BAREPROF_DATA);

	if (!BAREPROF_RECORD_RELATIVE(rebuild->version_word & BAREPROF_VERSION_NUMBER))
		return address_of(rebuild, which);
	if (!section[BAREPROF_DATA].moves && section[which].moves)
		base += rebuild->slide;
	return (address_of(rebuild, which) - base) & mask_of(rebuild);
}

/* Version 7 does not pad it, and before there was none. */
static void make_build_id(const struct rebuild *rebuild, struct buffer *section)
{
	uint64_t version = rebuild->version_word & BAREPROF_VERSION_NUMBER;
	struct bytes id = rebuild->begin->id;
	uint8_t size[8];

	if (!id.size || version < BAREPROF_RAW_V7)
		return;
	store_uint(size, id.size, 8, rebuild->big);
	buffer_add(section, size, 8);
	buffer_add(section, id.data, id.size);
	if (BAREPROF_RECORD_RELATIVE(version))
		buffer_add(section, (const uint8_t[8]){0}, BAREPROF_PAD8(id.size));
}

/* All of it came. */
static enum status write_as_target(struct rebuild *rebuild)
{
	const struct elf_section_copy *section = rebuild->program->section;
	unsigned int version = (unsigned int)(rebuild->version_word & BAREPROF_VERSION_NUMBER);
	const struct value_source values = {.records = section[BAREPROF_DATA].content,
		.record_count = rebuild->table->count,
		.version = version,
		.width = rebuild->begin->width,
		.big = rebuild->big,
		.counts = {rebuild->site_counts.bytes.data, rebuild->site_counts.bytes.size},
		.pairs = {rebuild->values.bytes.data, rebuild->values.bytes.size}};
	struct buffer id = {0};
	uint64_t header[BAREPROF_HEADER_MAX] = {0};
	enum status status = rebuild_values_check(&values, rebuild->error);

	if (status != STATUS_OK)
		return status;
	make_build_id(rebuild, &id);
	header[BAREPROF_HEADER_MAGIC] = rebuild->begin->width == 4 ? BAREPROF_RAW_MAGIC_32 : BAREPROF_RAW_MAGIC_64;
	header[BAREPROF_HEADER_VERSION] = rebuild->version_word;
	header[BAREPROF_HEADER_BINARY_IDS_SIZE] = id.size;
	header[BAREPROF_HEADER_NUM_DATA] = rebuild->table->count;
	header[BAREPROF_HEADER_NUM_COUNTERS] = rebuild->version_word & BAREPROF_VARIANT_BYTE_COVERAGE
	                                               ? section[BAREPROF_CNTS].size
	                                               : section[BAREPROF_CNTS].size / 8;
	header[BAREPROF_HEADER_PAD_AFTER_COUNTERS] = BAREPROF_PAD8(section[BAREPROF_CNTS].size);
	header[BAREPROF_HEADER_NUM_BITMAP_BYTES] = section[BAREPROF_BITS].size;
	header[BAREPROF_HEADER_PAD_AFTER_BITMAP] = BAREPROF_PAD8(section[BAREPROF_BITS].size);
	header[BAREPROF_HEADER_NAMES_SIZE] = section[BAREPROF_NAMES].size;
	header[BAREPROF_HEADER_COUNTERS_DELTA] = delta_of(rebuild, BAREPROF_CNTS);
	header[BAREPROF_HEADER_BITMAP_DELTA] = delta_of(rebuild, BAREPROF_BITS);
	header[BAREPROF_HEADER_NAMES_DELTA] = address_of(rebuild, BAREPROF_NAMES);
	header[BAREPROF_HEADER_NUM_VTABLES] = section[BAREPROF_VTAB].size / BAREPROF_VTABLE_SIZE(rebuild->begin->width);
	header[BAREPROF_HEADER_VNAMES_SIZE] = section[BAREPROF_VNAMES].size;
	header[BAREPROF_HEADER_VALUE_KIND_LAST] = BAREPROF_VALUE_KINDS_OF(version) - 1;
	raw_write_header(rebuild->out, header, rebuild->big);
	buffer_add(rebuild->out, id.data, id.size);
	buffer_free(&id);
	add_records(rebuild);
	add_section(rebuild, (struct bytes){rebuild->counters.bytes.data, rebuild->counters.bytes.size});
	add_section(rebuild, (struct bytes){rebuild->bitmap.bytes.data, rebuild->bitmap.bytes.size});
	add_section(rebuild, section[BAREPROF_NAMES].content);
	add_vtables(rebuild);
	add_section(rebuild, section[BAREPROF_VNAMES].content);
	if (rebuild->table->sites)
		rebuild_values(rebuild->out, &values);
	return STATUS_OK;
}

/* What is said of the functions that are left out. */
static void tell_missing(struct rebuild *rebuild, const struct raw_record *missing, size_t count)
{
	struct completion_report *report = rebuild->completion->report;
	struct names names = {0};
	struct error unused;
	size_t i;

	if (!report)
		return;
	if (report->warning.size)
		buffer_add_text(&report->warning, "; ");
	buffer_printf(&report->warning, "is partial, ");
	session_missing(rebuild->session, &report->warning);
	buffer_printf(&report->warning, ": %zu of %zu functions are left out%s", count, rebuild->table->count,
		count ? ": " : "");
	if (names_read(&names, rebuild->table->names, &unused) != STATUS_OK)
		names_free(&names);
	for (i = 0; i < count; i++) {
		const struct name *name = names_find(&names, missing[i].name);
		char *text = name ? format("%.*s", (int)(name->text.size & INT32_MAX), (const char *)name->text.data)
		                  : format("%016" PRIx64, missing[i].name);

		buffer_printf(&report->left_out, "%s\n", text);
		if (i < NAMED_MAX)
			buffer_printf(&report->warning, "%s%.200s", i ? ", " : "", text);
		free(text);
	}
	if (count > NAMED_MAX)
		buffer_printf(&report->warning, " and %zu more", count - NAMED_MAX);
	if (rebuild->table->sites)
		buffer_add_text(&report->warning, "; all values are left out");
	names_free(&names);
}

/* Counters and bitmap of @record go to the end of what is kept; false if not all of them came. */
static bool keep(
	const struct rebuild *rebuild, struct raw_record *record, struct buffer *counters, struct buffer *bitmap)
{
	unsigned int size = rebuild->version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
	struct bytes own;
	struct bytes bits = {NULL, 0};

	if (!sparse_buffer_find(&rebuild->counters, record->counters, (uint64_t)record->counter_count * size, &own) ||
		(record->bitmap_size &&
			!sparse_buffer_find(&rebuild->bitmap, record->bitmap, record->bitmap_size, &bits)))
		return false;
	record->counters = counters->size;
	record->bitmap = bitmap->size;
	buffer_add(counters, own.data, own.size);
	buffer_add(bitmap, bits.data, bits.size);
	return true;
}

/* What of the functions came, one behind the other. */
struct partial {
	struct raw_record *kept;
	size_t count;
	struct raw_record *missing;
	size_t missing_count;
	struct buffer counters;
	struct buffer bitmap;
};

static enum status pick(const struct rebuild *rebuild, struct partial *partial)
{
	const struct record_table *table = rebuild->table;
	size_t i;

	partial->kept = allocate(table->count, sizeof(*partial->kept));
	partial->missing = allocate(table->count, sizeof(*partial->missing));
	for (i = 0; i < table->count; i++) {
		struct raw_record record = table->functions[i];

		if (keep(rebuild, &record, &partial->counters, &partial->bitmap))
			partial->kept[partial->count++] = record;
		else
			partial->missing[partial->missing_count++] = record;
		/* In debug information nobody has looked yet. */
		if (partial->counters.size > rebuild->counters.bytes.size)
			return error_set(rebuild->error, STATUS_INVALID_INPUT,
				"cannot be completed: functions of the ELF file %s have counters in common",
				rebuild->program->path);
	}
	if (partial->count)
		return STATUS_OK;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"has no function whose counters all came: not even a partial profile can be made of it");
}

/* A profile of functions: of those that came whole, or of all. */
static enum status write_functions(struct rebuild *rebuild)
{
	const struct buffer *counters = &rebuild->counters.bytes;
	const struct buffer *bitmap = &rebuild->bitmap.bytes;
	struct raw_image parts = {.version_word = rebuild->version_word,
		.width = rebuild->begin->width,
		.big = rebuild->big,
		.records = rebuild->table->functions,
		.record_count = rebuild->table->count};
	struct partial partial = {0};
	struct buffer id = {0};
	enum status status = STATUS_OK;

	if (rebuild->session->state != SESSION_COMPLETE) {
		status = pick(rebuild, &partial);
		parts.records = partial.kept;
		parts.record_count = partial.count;
		counters = &partial.counters;
		bitmap = &partial.bitmap;
		tell_missing(rebuild, partial.missing, partial.missing_count);
	}
	make_build_id(rebuild, &id);
	parts.section[BAREPROF_BUILD_ID] = (struct bytes){id.data, id.size};
	parts.section[BAREPROF_CNTS] = (struct bytes){counters->data, counters->size};
	parts.section[BAREPROF_BITS] = (struct bytes){bitmap->data, bitmap->size};
	parts.section[BAREPROF_NAMES] = rebuild->table->names;
	if (status == STATUS_OK)
		raw_write(rebuild->out, &parts);
	buffer_free(&partial.counters);
	buffer_free(&partial.bitmap);
	buffer_free(&id);
	free(partial.missing);
	free(partial.kept);
	return status;
}

static enum status find_program(struct rebuild *rebuild)
{
	struct completion_report *report = rebuild->completion->report;
	struct buffer unwanted = {0};
	enum status status;

	if (!programs_any(rebuild->completion->programs))
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"has %s only, names and records are in the ELF file: give that with --elf, or the folder it is "
			"in with --elf-dir",
			session_content(rebuild->session));
	status = programs_find(rebuild->completion->programs, rebuild->begin->id, &rebuild->program,
		report ? &report->warning : &unwanted, rebuild->error);
	buffer_free(&unwanted);
	return status;
}

enum status rebuild(struct buffer *out, const struct capture *capture, const struct session *session,
	const struct completion_options *completion, struct error *error)
{
	struct rebuild rebuild = {.out = out,
		.begin = &session->begin,
		.completion = completion,
		.session = session,
		.big = session->begin.order == BAREPROF_ORDER_BIG,
		.error = error};
	enum status status = find_program(&rebuild);

	if (status == STATUS_OK)
		status = check_sizes(&rebuild);
	if (status == STATUS_OK)
		status = find_slide(&rebuild);
	if (status == STATUS_OK)
		status = learn(&rebuild);
	if (status != STATUS_OK)
		return status;
	session_stream(capture, session, BAREPROF_STREAM_COUNTERS, &rebuild.counters);
	session_stream(capture, session, BAREPROF_STREAM_BITMAP, &rebuild.bitmap);
	session_stream(capture, session, BAREPROF_STREAM_SITES, &rebuild.site_counts);
	session_stream(capture, session, BAREPROF_STREAM_VALUES, &rebuild.values);
	if (session->state == SESSION_COMPLETE && !rebuild.program->correlated &&
		!(session->begin.version & BAREPROF_VARIANT_DEBUG_CORRELATE))
		status = write_as_target(&rebuild);
	else
		status = write_functions(&rebuild);
	sparse_buffer_free(&rebuild.counters);
	sparse_buffer_free(&rebuild.bitmap);
	sparse_buffer_free(&rebuild.site_counts);
	sparse_buffer_free(&rebuild.values);
	return status;
}
