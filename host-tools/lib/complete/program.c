/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.c - finds the profile sections of a program by their names. If a linker script put them
 * into other sections, finds them by symbols. Then finds the record layout and reads the records.
 */
#include "program.h"
#include "elf_info.h"
#include "program_debug.h"

#include <inttypes.h>
#include <stdlib.h>

/* The largest section of a program without an ELF file, in bytes. */
#define LISTED_MAX ((uint64_t)256 << 20)

static const char *const names[BAREPROF_SECTIONS] = {
	[BAREPROF_DATA] = "__llvm_prf_data",
	[BAREPROF_CNTS] = "__llvm_prf_cnts",
	[BAREPROF_BITS] = "__llvm_prf_bits",
	[BAREPROF_NAMES] = "__llvm_prf_names",
	[BAREPROF_VTAB] = "__llvm_prf_vtab",
	[BAREPROF_VNAMES] = "__llvm_prf_vns",
};

/* Returns the first section that has the name @name and is not empty. Returns NULL if there is no such section. */
static const struct image_section *filled_section(const struct image *image, const char *name)
{
	size_t i;

	for (i = 0; i < image->section_count; i++)
		if (!strcmp(image->sections[i].name, name) && image->sections[i].size)
			return &image->sections[i];
	return NULL;
}

static void find_section(const struct program *program, struct elf_section_copy *found, const char *name)
{
	const struct image_section *section = filled_section(&program->image, name);

	if (section)
		*found = (struct elf_section_copy){.address = section->address,
			.size = section->size,
			.alignment = section->alignment,
			.moves = section->allocated,
			.content = image_content(&program->image, section)};
}

/*
 * Finds a section by the symbols at its start and end, unless it was found before. Also stores the
 * address of an empty section.
 */
static void find_by_symbol(
	const struct program *program, struct elf_section_copy *found, const char *name, enum bounds bounds)
{
	const struct image_symbol *start = image_bound(&program->image, bounds, name, false);
	const struct image_symbol *stop = image_bound(&program->image, bounds, name, true);
	const struct image_section *section;

	if (found->size || !start || !stop || stop->value < start->value)
		return;
	*found = (struct elf_section_copy){.address = start->value, .size = stop->value - start->value, .moves = true};
	section = image_where(&program->image, found->address, found->size);
	if (section)
		bytes_slice(image_content(&program->image, section), found->address - section->address, found->size,
			&found->content);
}

static void relocate(
	const struct program *program, enum bareprof_section which, struct buffer *copy, struct elf_section_copy *found)
{
	/* A section that is not loaded needs no relocation, because the linker has already applied all relocations. */
	if (!found->moves || !found->content.size)
		return;
	image_relocate(&program->image, program->section[which].address, found->content, copy);
	found->content = (struct bytes){copy->data, copy->size};
}

/* Returns whether nothing joined the sections of records of an object file: neither a link nor a script for ld -r. */
static bool is_scattered(const struct image *image)
{
	const char *name = names[BAREPROF_DATA];
	size_t count = 0;
	size_t i;

	if (!image->module || image_bound(image, BOUNDS_OURS, name, false) ||
		image_bound(image, BOUNDS_LINUX, name, false))
		return false;
	for (i = 0; i < image->section_count; i++)
		count += image->sections[i].size && !strcmp(image->sections[i].name, name);
	return count > 1;
}

static void find_part(const struct program *program, struct elf_section_copy *found, const char *name)
{
	find_section(program, found, name);
	find_by_symbol(program, found, name, BOUNDS_OURS);
	find_by_symbol(program, found, name, BOUNDS_LINUX);
}

static void find_parts(struct program *program)
{
	unsigned int i;

	for (i = BAREPROF_DATA; i < BAREPROF_SECTIONS; i++)
		find_part(program, &program->section[i], names[i]);
	find_part(program, &program->list_heads, "__llvm_prf_vals");
	program->scattered = is_scattered(&program->image);
	program->correlated =
		!program->section[BAREPROF_DATA].size && filled_section(&program->image, "__llvm_covdata");
	if (program->correlated) {
		find_section(program, &program->section[BAREPROF_DATA], "__llvm_covdata");
		find_section(program, &program->section[BAREPROF_NAMES], "__llvm_covnames");
	}
	relocate(program, BAREPROF_DATA, &program->relocated, &program->section[BAREPROF_DATA]);
	relocate(program, BAREPROF_VTAB, &program->vtables, &program->section[BAREPROF_VTAB]);
}

/* The sections of a module have no addresses in the file, so the address of the build id is its offset in a section. */
static void place_build_id(struct program *program)
{
	const struct image_section *section = image_section(&program->image, ".note.gnu.build-id");

	if (program->image.module && section && program->build_id_loaded)
		program->build_id_address += section->address;
}

enum status program_open(struct program *program, const char *path, struct error *error)
{
	struct elf_info info;
	enum status status;

	*program = (struct program){.path = format("%s", path)};
	pthread_mutex_init(&program->lock, NULL);
	status = image_open(&program->image, path, error);
	if (status != STATUS_OK)
		return status;
	elf_examine(&info, program->image.elf);
	program->build_id = info.build_id;
	program->build_id_address = info.build_id_address;
	program->build_id_loaded = info.build_id_loaded;
	program->unstamped = info.unstamped;
	program->clang = info.clang;
	program->declared = image_version_word(&program->image);
	place_build_id(program);
	find_parts(program);
	return STATUS_OK;
}

enum status program_from_symbols(struct program *program, const char *path, struct error *error)
{
	enum status status;

	*program = (struct program){.path = format("%s", path)};
	pthread_mutex_init(&program->lock, NULL);
	status = image_symbols(&program->image, path, error);
	if (status != STATUS_OK)
		return status;
	/* No file says how large a section can be, so this is the limit. */
	program->image.size = LISTED_MAX;
	find_parts(program);
	if (program->section[BAREPROF_DATA].size && program->section[BAREPROF_CNTS].size &&
		program->section[BAREPROF_NAMES].size)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"does not list the bounds of the records, counters and names (__start___llvm_prf_data and so on): link "
		"the program with bareprof's linker fragment, or give its ELF file with --elf");
}

/* Frees the newest table of records. */
static void forget_table(struct program *program)
{
	struct record_table *table = program->table;

	program->table = table->next;
	free(table->functions);
	weak_duplicates_free(&table->weak_duplicates);
	buffer_free(&table->debug_names);
	free(table);
}

enum status program_fill(struct program *program, struct buffer *records, struct buffer *names, struct error *error)
{
	static const struct {
		unsigned int width;
		bool big;
	} targets[] = {{8, false}, {4, false}, {8, true}, {4, true}};
	const struct record_table *table;
	size_t i;

	program->relocated = *records;
	program->names = *names;
	program->section[BAREPROF_DATA].content = (struct bytes){records->data, records->size};
	program->section[BAREPROF_NAMES].content = (struct bytes){names->data, names->size};
	*records = *names = (struct buffer){0};
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		while (program->table)
			forget_table(program);
		program->image.width = targets[i].width;
		program->image.big = targets[i].big;
		if (program_records(program, 0, &table, error) == STATUS_OK && !table->nameless)
			return STATUS_OK;
	}
	return error_set(error, STATUS_INVALID_INPUT,
		"has other bounds than the program in memory: the records there fit no known layout; give the list of "
		"the program that is running");
}

void program_close(struct program *program)
{
	while (program->table)
		forget_table(program);
	buffer_free(&program->relocated);
	buffer_free(&program->names);
	buffer_free(&program->vtables);
	buffer_free(&program->build_id);
	image_close(&program->image);
	free(program->path);
	pthread_mutex_destroy(&program->lock);
}

bool program_has(const struct program *program)
{
	const struct elf_section_copy *section = program->section;
	unsigned int i;

	for (i = BAREPROF_NAMES; i < BAREPROF_SECTIONS; i++)
		if (section[i].content.size != section[i].size)
			return false;
	return section[BAREPROF_DATA].size && section[BAREPROF_DATA].content.size == section[BAREPROF_DATA].size &&
	       section[BAREPROF_NAMES].size;
}

enum status program_fits(
	const struct program *program, unsigned int width, bool big, uint64_t counters, struct error *error)
{
	const struct elf_section_copy *own = &program->section[BAREPROF_CNTS];

	if (program->image.width != width || program->image.big != big)
		return error_set(error, STATUS_INVALID_INPUT,
			"is a %u-bit %s-endian profile, but the ELF file %s is %u-bit %s-endian: give the ELF file of "
			"the program that was run",
			width * 8, big ? "big" : "little", program->path, program->image.width * 8,
			program->image.big ? "big" : "little");
	if (!own->size)
		return error_set(error, STATUS_INVALID_INPUT,
			"cannot be completed: the ELF file %s has neither a section __llvm_prf_cnts nor symbols at its "
			"bounds; keep this section when you link",
			program->path);
	if (own->size > counters || counters - own->size >= 8)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %" PRIu64
			" bytes of counters, but the section __llvm_prf_cnts of the ELF file %s has %" PRIu64
			"; give the ELF file of the program that was run",
			counters, program->path, own->size);
	return STATUS_OK;
}

/* Returns the reason why the records cannot be used, or NULL if they can be used. */
static const char *reason_against(const struct program *program, const struct records *records)
{
	switch (records->state) {
	case RECORDS_FIT:
		return NULL;
	case RECORDS_MORE:
		/*
		 * If the records are in sections that are not loaded, the linker may drop a record and keep its
		 * counters. Then counters that belong to no record are normal.
		 */
		return program->correlated ? NULL : "do not describe all of its counters and bitmaps";
	case RECORDS_OVERLAP:
		return "share counters or bitmaps";
	case RECORDS_MIXED:
		return "come from compilers with different record layouts";
	case RECORDS_OUTSIDE:
		return "have counters or bitmaps outside of their sections";
	default:
		return "fit no known layout";
	}
}

static void fix_weak_duplicates(struct record_table *table)
{
	const struct weak_duplicates *duplicates = &table->weak_duplicates;
	size_t i;

	for (i = 0; i < duplicates->count; i++) {
		struct raw_record *function = &table->functions[duplicates->list[i].index];

		function->counters = duplicates->list[i].counters;
		if (function->bitmap_size)
			function->bitmap = duplicates->list[i].bitmap;
	}
}

static void keep_functions(struct record_table *table, struct records *records)
{
	struct record record;
	size_t i;

	table->functions = allocate(records->count, sizeof(*table->functions));
	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		table->sites += record.sites;
		table->nameless += !record_known(records, &record);
		table->functions[table->count++] = (struct raw_record){.name = record.name,
			.hash = record.hash,
			.address = record.function,
			.counters = record.counters.address,
			.counter_count = (uint32_t)record.counter_count,
			.bitmap = record.bitmap.size ? record.bitmap.address : 0,
			.bitmap_size = (uint32_t)record.bitmap.size};
	}
	table->weak_duplicates = records->weak_duplicates;
	records->weak_duplicates = (struct weak_duplicates){0};
	fix_weak_duplicates(table);
}

static enum status accept_records(const struct program *program, struct record_table *table, struct records *records)
{
	unsigned int wanted = (unsigned int)(table->requested_version_word & BAREPROF_VERSION_NUMBER);
	const char *reason = reason_against(program, records);

	if (reason)
		return error_set(&table->error, STATUS_INVALID_INPUT,
			"cannot be completed: the records in the ELF file %s %s; run 'bareprof check' on that file",
			program->path, reason);
	if (wanted && wanted != BAREPROF_RAW_V6 && wanted != records->version)
		return error_set(&table->error, STATUS_INVALID_INPUT,
			"has raw version %u, but the records in the ELF file %s have version %u; give the ELF file of "
			"the program that was run",
			wanted, program->path, records->version);
	table->version_word = (table->requested_version_word & ~BAREPROF_VERSION_NUMBER) | records->version;
	table->names = program->section[BAREPROF_NAMES].content;
	keep_functions(table, records);
	return STATUS_OK;
}

struct records program_undetected(const struct program *program, const struct names *names, uint64_t declared)
{
	const struct elf_section_copy *section = program->section;

	return (struct records){.bytes = section[BAREPROF_DATA].content,
		.address = section[BAREPROF_DATA].address,
		.counters = {section[BAREPROF_CNTS].address, section[BAREPROF_CNTS].size},
		.bitmaps = {section[BAREPROF_BITS].address, section[BAREPROF_BITS].size},
		.names = names,
		.width = program->image.width,
		.big = program->image.big,
		.absolute = program->correlated,
		.declared = declared,
		.clang = program->clang};
}

static enum status read_sections(const struct program *program, struct record_table *table)
{
	unsigned int wanted = (unsigned int)(table->requested_version_word & BAREPROF_VERSION_NUMBER);
	uint64_t word = wanted ? table->requested_version_word
	                       : table->requested_version_word | (program->declared & BAREPROF_VERSION_NUMBER);
	struct names known = {0};
	struct error unused;
	struct records records = program_undetected(program, &known, word);
	enum status status = names_read(&known, program->section[BAREPROF_NAMES].content, &unused);

	if (status == STATUS_OK) {
		records_detect_layout(&records);
		status = accept_records(program, table, &records);
	} else {
		error_set(&table->error, status,
			"cannot be completed: the ELF file %s has a damaged names section; run 'bareprof check' on "
			"that file",
			program->path);
	}
	names_free(&known);
	records_free(&records);
	return status;
}

/*
 * Finds weak duplicates among records that come from debug information, and corrects their records.
 * weak_duplicates_find() needs the records in the order in which they would be in memory. The variables in debug
 * information have that order.
 */
static void fix_debug_duplicates(const struct program *program, struct record_table *table)
{
	unsigned int size = table->requested_version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
	struct record_extents *extents = allocate(table->count, sizeof(*extents));
	size_t i;

	for (i = 0; i < table->count; i++)
		extents[i] = (struct record_extents){.name = table->functions[i].name,
			.counters = {table->functions[i].counters, (uint64_t)table->functions[i].counter_count * size}};
	if (weak_duplicates_find(
		    &table->weak_duplicates, extents, table->count, program->section[BAREPROF_CNTS].size, 0))
		fix_weak_duplicates(table);
	free(extents);
}

static enum status make_table(const struct program *program, struct record_table *table)
{
	enum status status;

	table->version_word = table->requested_version_word;
	if (table->requested_version_word & BAREPROF_VARIANT_DEBUG_CORRELATE) {
		status = program_debug(table, &program->image, program->section[BAREPROF_CNTS].address, program->path);
		if (status == STATUS_OK)
			fix_debug_duplicates(program, table);
		return status;
	}
	if (program->scattered)
		return error_set(&table->error, STATUS_INVALID_INPUT,
			"cannot be completed: the ELF file %s " PROGRAM_SCATTERED, program->path);
	if (program_has(program))
		return read_sections(program, table);
	return error_set(&table->error, STATUS_INVALID_INPUT,
		"has no records, and the ELF file %s has no records either (it lacks the sections __llvm_prf_data and "
		"__llvm_prf_names, or __llvm_covdata and __llvm_covnames); give the ELF file of the program that was "
		"run, as it was before strip",
		program->path);
}

enum status program_named(const struct program *program, const struct record_table *table, struct error *error)
{
	if (!table->nameless)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT, "cannot be completed: " PROGRAM_NAMELESS, table->nameless,
		table->count, program->path);
}

enum status program_records(
	struct program *program, uint64_t version_word, const struct record_table **table, struct error *error)
{
	struct record_table *found;

	pthread_mutex_lock(&program->lock);
	for (found = program->table; found && found->requested_version_word != version_word;)
		found = found->next;
	if (!found) {
		found = allocate(1, sizeof(*found));
		found->requested_version_word = version_word;
		found->status = make_table(program, found);
		found->next = program->table;
		program->table = found;
	}
	pthread_mutex_unlock(&program->lock);
	*table = found;
	if (found->status != STATUS_OK)
		*error = found->error;
	return found->status;
}
