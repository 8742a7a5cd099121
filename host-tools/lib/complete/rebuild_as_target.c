/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_as_target.c - writes the .profraw from the records of the ELF file. The result is, byte
 * for byte, the file that runtime/profraw.c would write. The dump must be complete, and the records
 * must be loaded on the target.
 */
#include "raw_write.h"
#include "rebuild_state.h"
#include "rebuild_values.h"

/* Appends a section, and zeros up to a multiple of 8 bytes. */
static void add_section(struct rebuild *rebuild, struct bytes bytes)
{
	static const uint8_t zeros[8];

	buffer_add(rebuild->out, bytes.data, bytes.size);
	buffer_add(rebuild->out, zeros, BAREPROF_PAD8(bytes.size));
}

/*
 * Adds rebuild->slide to the pointer at @p, unless the pointer is NULL. On the target, a loader or
 * the image itself did the same.
 */
static void move_pointer(const struct rebuild *rebuild, uint8_t *p)
{
	unsigned int width = rebuild->begin->width;
	uint64_t value = load_uint(p, width, rebuild->big);

	if (value)
		store_uint(p, value + rebuild->slide, width, rebuild->big);
}

/*
 * Corrects the record of a weak duplicate as bareprof_fix_weak_duplicates() does. Here the
 * addresses are the ones to which the image was linked.
 */
static void fix_duplicate(const struct rebuild *rebuild, const struct weak_duplicate *own, uint8_t *records)
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
	/* If the target records values, each value site has the head of a value list. */
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
		fix_duplicate(rebuild, &rebuild->table->weak_duplicates.list[i], rebuild->out->data + start);
	for (i = 0; i < rebuild->table->count && rebuild->slide; i++) {
		uint8_t *p = rebuild->out->data + start + i * size;

		move_pointer(rebuild, p + BAREPROF_RECORD_FUNCTION_PTR(v, w));
		move_pointer(rebuild, p + BAREPROF_RECORD_VALUES_PTR(v, w));
		if (!BAREPROF_RECORD_RELATIVE(v))
			move_pointer(rebuild, p + BAREPROF_RECORD_COUNTER_PTR);
	}
}

/* Appends the section of vtable records. Each record consists of a hash of 8 bytes, a pointer and a size. */
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

/* Returns the address of a section at run time. */
static uint64_t address_of(const struct rebuild *rebuild, enum bareprof_section which)
{
	const struct elf_section_copy *section = &rebuild->program->section[which];

	return (section->address + (section->moves ? rebuild->slide : 0)) & rebuild_mask(rebuild);
}

/*
 * Returns the header word with the location of a section. From version 8 on, this word is the distance from the records
 * to the section. If the records are not loaded, the word is the distance in the ELF file. Before version 8, the word
 * is the address of the section.
 */
static uint64_t delta_of(const struct rebuild *rebuild, enum bareprof_section which)
{
	const struct elf_section_copy *section = rebuild->program->section;
	uint64_t base = address_of(rebuild, BAREPROF_DATA);

	if (!BAREPROF_RECORD_RELATIVE(rebuild->version_word & BAREPROF_VERSION_NUMBER))
		return address_of(rebuild, which);
	if (!section[BAREPROF_DATA].moves && section[which].moves)
		base += rebuild->slide;
	return (address_of(rebuild, which) - base) & rebuild_mask(rebuild);
}

/* Raw version 5 has no build id. Raw version 7 has the build id without padding, and later versions pad it. */
void rebuild_build_id(const struct rebuild *rebuild, struct buffer *section)
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

/* Fills in the same header that the target would write. @id_size is the size of the section of build ids. */
static void make_header(const struct rebuild *rebuild, size_t id_size, uint64_t *header)
{
	const struct elf_section_copy *section = rebuild->program->section;
	unsigned int width = rebuild->begin->width;
	uint64_t counters = section[BAREPROF_CNTS].size;
	uint64_t bitmap = section[BAREPROF_BITS].size;
	bool byte_counters = rebuild->version_word & BAREPROF_VARIANT_BYTE_COVERAGE;

	header[BAREPROF_HEADER_MAGIC] = width == 4 ? BAREPROF_RAW_MAGIC_32 : BAREPROF_RAW_MAGIC_64;
	header[BAREPROF_HEADER_VERSION] = rebuild->version_word;
	header[BAREPROF_HEADER_BINARY_IDS_SIZE] = id_size;
	header[BAREPROF_HEADER_NUM_DATA] = rebuild->table->count;
	header[BAREPROF_HEADER_NUM_COUNTERS] = byte_counters ? counters : counters / 8;
	header[BAREPROF_HEADER_PAD_AFTER_COUNTERS] = BAREPROF_PAD8(counters);
	header[BAREPROF_HEADER_NUM_BITMAP_BYTES] = bitmap;
	header[BAREPROF_HEADER_PAD_AFTER_BITMAP] = BAREPROF_PAD8(bitmap);
	header[BAREPROF_HEADER_NAMES_SIZE] = section[BAREPROF_NAMES].size;
	header[BAREPROF_HEADER_COUNTERS_DELTA] = delta_of(rebuild, BAREPROF_CNTS);
	header[BAREPROF_HEADER_BITMAP_DELTA] = delta_of(rebuild, BAREPROF_BITS);
	header[BAREPROF_HEADER_NAMES_DELTA] = address_of(rebuild, BAREPROF_NAMES);
	header[BAREPROF_HEADER_NUM_VTABLES] = section[BAREPROF_VTAB].size / BAREPROF_VTABLE_SIZE(width);
	header[BAREPROF_HEADER_VNAMES_SIZE] = section[BAREPROF_VNAMES].size;
	header[BAREPROF_HEADER_VALUE_KIND_LAST] =
		BAREPROF_VALUE_KINDS_OF(rebuild->version_word & BAREPROF_VERSION_NUMBER) - 1;
}

/* Writes the header and the build ids, then the other sections in the order of a .profraw. */
static void write_sections(struct rebuild *rebuild)
{
	const struct elf_section_copy *section = rebuild->program->section;
	struct buffer id = {0};
	uint64_t header[BAREPROF_HEADER_MAX] = {0};

	rebuild_build_id(rebuild, &id);
	make_header(rebuild, id.size, header);
	raw_write_header(rebuild->out, header, rebuild->big);
	buffer_add(rebuild->out, id.data, id.size);
	buffer_free(&id);
	add_records(rebuild);
	add_section(rebuild, (struct bytes){rebuild->counters.bytes.data, rebuild->counters.bytes.size});
	add_section(rebuild, (struct bytes){rebuild->bitmap.bytes.data, rebuild->bitmap.bytes.size});
	add_section(rebuild, section[BAREPROF_NAMES].content);
	add_vtables(rebuild);
	add_section(rebuild, section[BAREPROF_VNAMES].content);
}

enum status rebuild_as_target(struct rebuild *rebuild)
{
	const struct value_source values = {.records = rebuild->program->section[BAREPROF_DATA].content,
		.record_count = rebuild->table->count,
		.version = (unsigned int)(rebuild->version_word & BAREPROF_VERSION_NUMBER),
		.width = rebuild->begin->width,
		.big = rebuild->big,
		.counts = {rebuild->site_counts.bytes.data, rebuild->site_counts.bytes.size},
		.pairs = {rebuild->values.bytes.data, rebuild->values.bytes.size}};
	enum status status = rebuild_values_check(&values, rebuild->error);

	if (status != STATUS_OK)
		return status;
	write_sections(rebuild);
	if (rebuild->table->sites)
		rebuild_values(rebuild->out, &values);
	return STATUS_OK;
}
