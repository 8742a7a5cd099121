/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild.c - where the records are as in the target's memory, the file is made of
 * them as runtime/profraw.c does it, byte for byte. Functions picked out of the records
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
#define NAMED_MOST 5

struct rebuilding {
	struct buffer *out;
	const struct begin *begin;
	const struct completing *completing;
	const struct session *session;
	struct program *program;
	const struct learnt *learnt;
	uint64_t version_word;
	uint64_t slide; /* how far the image was moved */
	bool big;
	struct pieces counters;
	struct pieces bitmap;
	struct pieces site_counts;
	struct pieces values;
	struct error *error;
};

static uint64_t mask_of(const struct rebuilding *rebuilding)
{
	return rebuilding->begin->width == 4 ? UINT32_MAX : UINT64_MAX;
}

/* The address in BEGIN says how far it was moved; a module lies where it was put, in pieces. */
static enum status find_slide(struct rebuilding *rebuilding)
{
	const struct program *program = rebuilding->program;
	const struct program_part *counters = &program->part[BAREPROF_CNTS];
	uint64_t alignment = counters->alignment ? counters->alignment : 1;

	if (program->image.module)
		return STATUS_OK;
	rebuilding->slide = (rebuilding->begin->address - counters->address) & mask_of(rebuilding);
	if (rebuilding->slide % alignment == 0)
		return STATUS_OK;
	return error_set(rebuilding->error, STATUS_INVALID_INPUT,
		"says that its counters were at 0x%" PRIx64
		", where the section of the ELF file %s, linked to 0x%" PRIx64 " and aligned to %" PRIu64
		", cannot have been: is it the program that was run?",
		rebuilding->begin->address, program->path, counters->address, alignment);
}

/* Sizes as the ELF file has them, before anything is made of their size. */
static enum status check_sizes(struct rebuilding *rebuilding)
{
	const struct begin *begin = rebuilding->begin;
	const struct program *program = rebuilding->program;
	uint64_t counters = streams_size(&begin->streams, BAREPROF_STREAM_COUNTERS);
	uint64_t bitmap = streams_size(&begin->streams, BAREPROF_STREAM_BITMAP);
	const struct program_part *part = program->part;
	enum status status = program_fits(program, begin->width, rebuilding->big, counters, rebuilding->error);

	if (status != STATUS_OK || (counters == part[BAREPROF_CNTS].size && bitmap == part[BAREPROF_BITS].size))
		return status;
	return error_set(rebuilding->error, STATUS_INVALID_INPUT,
		"has %" PRIu64 " bytes of counters and %" PRIu64 " of bitmaps, the sections of the ELF file %s have "
		"%" PRIu64 " and %" PRIu64 ": is it the program that was run?",
		counters, bitmap, program->path, part[BAREPROF_CNTS].size, part[BAREPROF_BITS].size);
}

/* Of each site that the records have it is told how many values it has; of none, if the target knows of none. */
static enum status check_sites(const struct rebuilding *rebuilding)
{
	const struct program *program = rebuilding->program;
	const struct stream *told = streams_find(&rebuilding->begin->streams, BAREPROF_STREAM_SITES);
	/* Of these the target has no records. */
	uint64_t sites = program->correlated ? 0 : rebuilding->learnt->sites;

	if (told && told->size != sites)
		return error_set(rebuilding->error, STATUS_INVALID_INPUT,
			"tells of %" PRIu64 " value sites, the records in the ELF file %s have %" PRIu64
			": is it the program that was run?",
			told->size, program->path, sites);
	/* At each there is a call in the code. So what is made is bounded by what was given. */
	if (!told && sites > program->image.size)
		return error_set(rebuilding->error, STATUS_INVALID_INPUT,
			"cannot be completed: the records in the ELF file %s claim %" PRIu64
			" value sites, more than there can be in %" PRIu64 " bytes; 'bareprof check' says more",
			program->path, sites, program->image.size);
	return STATUS_OK;
}

/* The version of what is made, and the functions that are in it. */
static enum status learn(struct rebuilding *rebuilding)
{
	struct program *program = rebuilding->program;
	uint64_t word = rebuilding->begin->version;
	enum status status;

	/* Of the records in debug information nothing can be learnt. */
	if (word & BAREPROF_VARIANT_DEBUG_CORRELATE && !(word & BAREPROF_VERSION_NUMBER))
		word |= program->declared & BAREPROF_VERSION_NUMBER;
	status = program_learn(program, word, &rebuilding->learnt, rebuilding->error);
	if (status != STATUS_OK)
		return status;
	rebuilding->version_word = rebuilding->learnt->version_word & ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	if (!raw_release(rebuilding->version_word & BAREPROF_VERSION_NUMBER))
		return error_set(rebuilding->error, STATUS_INVALID_INPUT,
			"cannot be completed: neither it nor the ELF file %s says of which raw version it is",
			program->path);
	return check_sites(rebuilding);
}

/* As it is in memory, with zeros up to 8 bytes. */
static void add_section(struct rebuilding *rebuilding, struct bytes bytes)
{
	static const uint8_t zeros[8];

	buffer_add(rebuilding->out, bytes.data, bytes.size);
	buffer_add(rebuilding->out, zeros, BAREPROF_PAD8(bytes.size));
}

/* What a loader, or the image itself, added to a pointer when it moved. */
static void move_pointer(const struct rebuilding *rebuilding, uint8_t *p)
{
	unsigned int width = rebuilding->begin->width;
	uint64_t value = load(p, width, rebuilding->big);

	if (value)
		store(p, value + rebuilding->slide, width, rebuilding->big);
}

/* As bareprof_fix_weak_duplicates() does it, but where all was linked to. */
static void separate(const struct rebuilding *rebuilding, const struct own *own, uint8_t *records)
{
	const struct program *program = rebuilding->program;
	unsigned int v = (unsigned int)(rebuilding->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int w = rebuilding->begin->width;
	uint64_t at = own->index * BAREPROF_RECORD_SIZE(v, w);
	uint64_t here = BAREPROF_RECORD_RELATIVE(v) ? program->part[BAREPROF_DATA].address + at : 0;
	uint8_t *p = records + at;

	store(p + BAREPROF_RECORD_COUNTER_PTR, program->part[BAREPROF_CNTS].address + own->counters - here, w,
		rebuilding->big);
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w) && load(p + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, rebuilding->big))
		store(p + BAREPROF_RECORD_BITMAP_PTR(v, w), program->part[BAREPROF_BITS].address + own->bitmap - here,
			w, rebuilding->big);
	/* A target that notes values has the head of a list for each site. */
	if (program->heads.size && program->heads.size == rebuilding->learnt->doubles.heads * w)
		store(p + BAREPROF_RECORD_VALUES_PTR(v, w), program->heads.address + own->heads * w, w,
			rebuilding->big);
}

static void add_records(struct rebuilding *rebuilding)
{
	unsigned int v = (unsigned int)(rebuilding->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int w = rebuilding->begin->width;
	size_t size = BAREPROF_RECORD_SIZE(v, w);
	size_t start = rebuilding->out->size;
	size_t i;

	add_section(rebuilding, rebuilding->program->part[BAREPROF_DATA].content);
	for (i = 0; i < rebuilding->learnt->doubles.count; i++)
		separate(rebuilding, &rebuilding->learnt->doubles.list[i], rebuilding->out->data + start);
	for (i = 0; i < rebuilding->learnt->count && rebuilding->slide; i++) {
		uint8_t *p = rebuilding->out->data + start + i * size;

		move_pointer(rebuilding, p + BAREPROF_RECORD_FUNCTION_PTR(v, w));
		move_pointer(rebuilding, p + BAREPROF_RECORD_VALUES_PTR(v, w));
		if (!BAREPROF_RECORD_RELATIVE(v))
			move_pointer(rebuilding, p + BAREPROF_RECORD_COUNTER_PTR);
	}
}

/* Each is a hash, a pointer and a size. */
static void add_vtables(struct rebuilding *rebuilding)
{
	size_t size = BAREPROF_VTABLE_SIZE(rebuilding->begin->width);
	struct bytes bytes = rebuilding->program->part[BAREPROF_VTAB].content;
	size_t start = rebuilding->out->size;
	size_t i;

	add_section(rebuilding, bytes);
	for (i = 0; i < bytes.size / size && rebuilding->slide; i++)
		move_pointer(rebuilding, rebuilding->out->data + start + i * size + 8);
}

/* Where a section was at run time. */
static uint64_t address_of(const struct rebuilding *rebuilding, enum bareprof_section which)
{
	const struct program_part *part = &rebuilding->program->part[which];

	return (part->address + (part->moves ? rebuilding->slide : 0)) & mask_of(rebuilding);
}

/* From the records, or from 0, to a section. To records that are not loaded distances are as they were linked. */
static uint64_t delta_of(const struct rebuilding *rebuilding, enum bareprof_section which)
{
	const struct program_part *part = rebuilding->program->part;
	uint64_t base = address_of(rebuilding, BAREPROF_DATA);

	if (!BAREPROF_RECORD_RELATIVE(rebuilding->version_word & BAREPROF_VERSION_NUMBER))
		return address_of(rebuilding, which);
	if (!part[BAREPROF_DATA].moves && part[which].moves)
		base += rebuilding->slide;
	return (address_of(rebuilding, which) - base) & mask_of(rebuilding);
}

/* Version 7 does not pad it, and before there was none. */
static void make_build_id(const struct rebuilding *rebuilding, struct buffer *section)
{
	uint64_t version = rebuilding->version_word & BAREPROF_VERSION_NUMBER;
	struct bytes id = rebuilding->begin->id;
	uint8_t size[8];

	if (!id.size || version < BAREPROF_RAW_V7)
		return;
	store(size, id.size, 8, rebuilding->big);
	buffer_add(section, size, 8);
	buffer_add(section, id.data, id.size);
	if (BAREPROF_RECORD_RELATIVE(version))
		buffer_add(section, (const uint8_t[8]){0}, BAREPROF_PAD8(id.size));
}

/* All of it came. */
static enum status write_as_target(struct rebuilding *rebuilding)
{
	const struct program_part *part = rebuilding->program->part;
	unsigned int version = (unsigned int)(rebuilding->version_word & BAREPROF_VERSION_NUMBER);
	const struct value_parts values = {.records = part[BAREPROF_DATA].content,
		.record_count = rebuilding->learnt->count,
		.version = version,
		.width = rebuilding->begin->width,
		.big = rebuilding->big,
		.counts = {rebuilding->site_counts.bytes.data, rebuilding->site_counts.bytes.size},
		.pairs = {rebuilding->values.bytes.data, rebuilding->values.bytes.size}};
	struct buffer id = {0};
	uint64_t header[BAREPROF_HEADER_MAX] = {0};
	enum status status = rebuild_values_check(&values, rebuilding->error);

	if (status != STATUS_OK)
		return status;
	make_build_id(rebuilding, &id);
	header[BAREPROF_HEADER_MAGIC] = rebuilding->begin->width == 4 ? BAREPROF_RAW_MAGIC_32 : BAREPROF_RAW_MAGIC_64;
	header[BAREPROF_HEADER_VERSION] = rebuilding->version_word;
	header[BAREPROF_HEADER_BINARY_IDS_SIZE] = id.size;
	header[BAREPROF_HEADER_NUM_DATA] = rebuilding->learnt->count;
	header[BAREPROF_HEADER_NUM_COUNTERS] = rebuilding->version_word & BAREPROF_VARIANT_BYTE_COVERAGE
	                                               ? part[BAREPROF_CNTS].size
	                                               : part[BAREPROF_CNTS].size / 8;
	header[BAREPROF_HEADER_PAD_AFTER_COUNTERS] = BAREPROF_PAD8(part[BAREPROF_CNTS].size);
	header[BAREPROF_HEADER_NUM_BITMAP_BYTES] = part[BAREPROF_BITS].size;
	header[BAREPROF_HEADER_PAD_AFTER_BITMAP] = BAREPROF_PAD8(part[BAREPROF_BITS].size);
	header[BAREPROF_HEADER_NAMES_SIZE] = part[BAREPROF_NAMES].size;
	header[BAREPROF_HEADER_COUNTERS_DELTA] = delta_of(rebuilding, BAREPROF_CNTS);
	header[BAREPROF_HEADER_BITMAP_DELTA] = delta_of(rebuilding, BAREPROF_BITS);
	header[BAREPROF_HEADER_NAMES_DELTA] = address_of(rebuilding, BAREPROF_NAMES);
	header[BAREPROF_HEADER_NUM_VTABLES] = part[BAREPROF_VTAB].size / BAREPROF_VTABLE_SIZE(rebuilding->begin->width);
	header[BAREPROF_HEADER_VNAMES_SIZE] = part[BAREPROF_VNAMES].size;
	header[BAREPROF_HEADER_VALUE_KIND_LAST] = BAREPROF_VALUE_KINDS_OF(version) - 1;
	raw_write_header(rebuilding->out, header, rebuilding->big);
	buffer_add(rebuilding->out, id.data, id.size);
	buffer_free(&id);
	add_records(rebuilding);
	add_section(rebuilding, (struct bytes){rebuilding->counters.bytes.data, rebuilding->counters.bytes.size});
	add_section(rebuilding, (struct bytes){rebuilding->bitmap.bytes.data, rebuilding->bitmap.bytes.size});
	add_section(rebuilding, part[BAREPROF_NAMES].content);
	add_vtables(rebuilding);
	add_section(rebuilding, part[BAREPROF_VNAMES].content);
	if (rebuilding->learnt->sites)
		rebuild_values(rebuilding->out, &values);
	return STATUS_OK;
}

/* What is said of the functions that are left out. */
static void tell_missing(struct rebuilding *rebuilding, const struct raw_record *missing, size_t count)
{
	struct remarks *remarks = rebuilding->completing->remarks;
	struct names names = {0};
	struct error unused;
	size_t i;

	if (!remarks)
		return;
	if (remarks->text.size)
		buffer_add_text(&remarks->text, "; ");
	buffer_printf(&remarks->text, "is partial, ");
	session_missing(rebuilding->session, &remarks->text);
	buffer_printf(&remarks->text, ": %zu of %zu functions are left out%s", count, rebuilding->learnt->count,
		count ? ": " : "");
	if (names_read(&names, rebuilding->learnt->names, &unused) != STATUS_OK)
		names_free(&names);
	for (i = 0; i < count; i++) {
		const struct name *name = names_find(&names, missing[i].name);
		char *text = name ? format("%.*s", (int)(name->text.size & INT32_MAX), (const char *)name->text.data)
		                  : format("%016" PRIx64, missing[i].name);

		buffer_printf(&remarks->left_out, "%s\n", text);
		if (i < NAMED_MOST)
			buffer_printf(&remarks->text, "%s%.200s", i ? ", " : "", text);
		free(text);
	}
	if (count > NAMED_MOST)
		buffer_printf(&remarks->text, " and %zu more", count - NAMED_MOST);
	if (rebuilding->learnt->sites)
		buffer_add_text(&remarks->text, "; all values are left out");
	names_free(&names);
}

/* Counters and bitmap of @record go to the end of what is kept; false if not all of them came. */
static bool keep(
	const struct rebuilding *rebuilding, struct raw_record *record, struct buffer *counters, struct buffer *bitmap)
{
	unsigned int size = rebuilding->version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
	struct bytes own;
	struct bytes bits = {NULL, 0};

	if (!pieces_find(&rebuilding->counters, record->counters, (uint64_t)record->counter_count * size, &own) ||
		(record->bitmap_size && !pieces_find(&rebuilding->bitmap, record->bitmap, record->bitmap_size, &bits)))
		return false;
	record->counters = counters->size;
	record->bitmap = bitmap->size;
	buffer_add(counters, own.data, own.size);
	buffer_add(bitmap, bits.data, bits.size);
	return true;
}

/* What of the functions came, one behind the other. */
struct picked {
	struct raw_record *kept;
	size_t count;
	struct raw_record *missing;
	size_t missing_count;
	struct buffer counters;
	struct buffer bitmap;
};

static enum status pick(const struct rebuilding *rebuilding, struct picked *picked)
{
	const struct learnt *learnt = rebuilding->learnt;
	size_t i;

	picked->kept = allocate(learnt->count, sizeof(*picked->kept));
	picked->missing = allocate(learnt->count, sizeof(*picked->missing));
	for (i = 0; i < learnt->count; i++) {
		struct raw_record record = learnt->functions[i];

		if (keep(rebuilding, &record, &picked->counters, &picked->bitmap))
			picked->kept[picked->count++] = record;
		else
			picked->missing[picked->missing_count++] = record;
		/* In debug information nobody has looked yet. */
		if (picked->counters.size > rebuilding->counters.bytes.size)
			return error_set(rebuilding->error, STATUS_INVALID_INPUT,
				"cannot be completed: functions of the ELF file %s have counters in common",
				rebuilding->program->path);
	}
	if (picked->count)
		return STATUS_OK;
	return error_set(rebuilding->error, STATUS_INVALID_INPUT,
		"has no function whose counters all came: not even a partial profile can be made of it");
}

/* A profile of functions: of those that came whole, or of all. */
static enum status write_functions(struct rebuilding *rebuilding)
{
	const struct buffer *counters = &rebuilding->counters.bytes;
	const struct buffer *bitmap = &rebuilding->bitmap.bytes;
	struct raw_parts parts = {.version_word = rebuilding->version_word,
		.width = rebuilding->begin->width,
		.big = rebuilding->big,
		.records = rebuilding->learnt->functions,
		.record_count = rebuilding->learnt->count};
	struct picked picked = {0};
	struct buffer id = {0};
	enum status status = STATUS_OK;

	if (rebuilding->session->state != SESSION_COMPLETE) {
		status = pick(rebuilding, &picked);
		parts.records = picked.kept;
		parts.record_count = picked.count;
		counters = &picked.counters;
		bitmap = &picked.bitmap;
		tell_missing(rebuilding, picked.missing, picked.missing_count);
	}
	make_build_id(rebuilding, &id);
	parts.section[BAREPROF_BUILD_ID] = (struct bytes){id.data, id.size};
	parts.section[BAREPROF_CNTS] = (struct bytes){counters->data, counters->size};
	parts.section[BAREPROF_BITS] = (struct bytes){bitmap->data, bitmap->size};
	parts.section[BAREPROF_NAMES] = rebuilding->learnt->names;
	if (status == STATUS_OK)
		raw_write(rebuilding->out, &parts);
	buffer_free(&picked.counters);
	buffer_free(&picked.bitmap);
	buffer_free(&id);
	free(picked.missing);
	free(picked.kept);
	return status;
}

static enum status find_program(struct rebuilding *rebuilding)
{
	struct remarks *remarks = rebuilding->completing->remarks;
	struct buffer unwanted = {0};
	enum status status;

	if (!programs_any(rebuilding->completing->programs))
		return error_set(rebuilding->error, STATUS_INVALID_INPUT,
			"has %s only, names and records are in the ELF file: give that with --elf, or the folder it is "
			"in with --elf-dir",
			session_content(rebuilding->session));
	status = programs_find(rebuilding->completing->programs, rebuilding->begin->id, &rebuilding->program,
		remarks ? &remarks->text : &unwanted, rebuilding->error);
	buffer_free(&unwanted);
	return status;
}

enum status rebuild(struct buffer *out, const struct capture *capture, const struct session *session,
	const struct completing *completing, struct error *error)
{
	struct rebuilding rebuilding = {.out = out,
		.begin = &session->begin,
		.completing = completing,
		.session = session,
		.big = session->begin.order == BAREPROF_ORDER_BIG,
		.error = error};
	enum status status = find_program(&rebuilding);

	if (status == STATUS_OK)
		status = check_sizes(&rebuilding);
	if (status == STATUS_OK)
		status = find_slide(&rebuilding);
	if (status == STATUS_OK)
		status = learn(&rebuilding);
	if (status != STATUS_OK)
		return status;
	session_stream(capture, session, BAREPROF_STREAM_COUNTERS, &rebuilding.counters);
	session_stream(capture, session, BAREPROF_STREAM_BITMAP, &rebuilding.bitmap);
	session_stream(capture, session, BAREPROF_STREAM_SITES, &rebuilding.site_counts);
	session_stream(capture, session, BAREPROF_STREAM_VALUES, &rebuilding.values);
	if (session->state == SESSION_COMPLETE && !rebuilding.program->correlated &&
		!(session->begin.version & BAREPROF_VARIANT_DEBUG_CORRELATE))
		status = write_as_target(&rebuilding);
	else
		status = write_functions(&rebuilding);
	pieces_free(&rebuilding.counters);
	pieces_free(&rebuilding.bitmap);
	pieces_free(&rebuilding.site_counts);
	pieces_free(&rebuilding.values);
	return status;
}
