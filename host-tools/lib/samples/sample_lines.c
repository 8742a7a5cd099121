/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_lines.c - reads source lines and inlined functions from debug information. It reads each unit once, and looks
 * for all addresses together, because a kernel has thousands of units.
 */
#include "sample_lines.h"
#include "debug_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>

/* An attribute of GNU, which dwarf.h does not have: the discriminator of a call that was inlined. */
#define AT_GNU_DISCRIMINATOR 0x2136u

/* A damaged file may have any number of levels of entries. */
#define DEPTH_MAX 256u

/* A function that contains an address, or that was inlined there. */
struct level {
	struct level *outer; /* the function into which this one was inlined; NULL for the first */
	const char *function;
	const char *call_file; /* where it was called; not used for the first */
	uint32_t call_line;
	uint32_t call_discriminator;
	uint32_t start;
	uint32_t depth; /* number of levels, with this one */
};

/* What is known of an address. */
struct found {
	struct level *level; /* the innermost function; NULL: none yet */
	Dwarf_Off owner; /* the entry of the outermost function */
	const char *file;
	uint32_t line;
	uint32_t discriminator;
};

struct reader {
	struct sample_lines *lines;
	const struct sample_program *program;
	const uint64_t *addresses;
	size_t count;
	struct found *found;
	/* The unit that is read. */
	Dwarf_Die *unit;
	Dwarf_Files *files;
	size_t file_count;
	Dwarf_Off owner; /* the entry of the function that is read */
	/* The last file name from libdw, and its copy with the folder. libdw gives the same pointer for the same file. */
	const char *raw;
	const char *whole;
	/* Only for sample_rows_pass(). */
	void (*row)(void *context, const struct sample_row *row);
	void *context;
};

static size_t first_at(const struct reader *reader, uint64_t address)
{
	return lower_bound(&address, reader->addresses, reader->count, sizeof(*reader->addresses), compare_numbers);
}

/* Returns the absolute path of @file, as far as the debug information tells it. */
static const char *whole_path(struct reader *reader, const char *file)
{
	Dwarf_Attribute attribute;
	const char *folder;
	size_t size;
	char *path;

	if (!file || !strcmp(file, "???"))
		file = dwarf_diename(reader->unit);
	if (!file || file[0] == '/')
		return file;
	if (file == reader->raw)
		return reader->whole;
	folder = dwarf_attr(reader->unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
	if (!folder)
		return file;
	size = strlen(folder) + strlen(file) + 2;
	path = arena_take(&reader->lines->arena, size);
	snprintf(path, size, "%s/%s", folder, file);
	reader->raw = file;
	reader->whole = path;
	return path;
}

static uint32_t number_of(Dwarf_Die *entry, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_attr(entry, name, &attribute) && !dwarf_formudata(&attribute, &value) && value <= UINT32_MAX
	               ? (uint32_t)value
	               : 0;
}

static const char *linkage_name(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(entry, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(entry);
}

static struct level make_level(struct reader *reader, Dwarf_Die *entry)
{
	struct level level = {.function = linkage_name(entry)};
	uint32_t file = number_of(entry, DW_AT_call_file);
	int start;

	if (!dwarf_decl_line(entry, &start) && start > 0)
		level.start = (uint32_t)start;
	if (dwarf_tag(entry) != DW_TAG_inlined_subroutine)
		return level;
	level.call_line = number_of(entry, DW_AT_call_line);
	level.call_discriminator = number_of(entry, AT_GNU_DISCRIMINATOR);
	if (reader->files && file < reader->file_count)
		level.call_file = whole_path(reader, dwarf_filesrc(reader->files, file, NULL, NULL));
	return level;
}

/*
 * Linkers set the addresses of functions that they discarded to 0 or 1. Returns whether a function of the debug
 * information that starts at @start is such a function.
 */
static bool is_discarded(const struct reader *reader, uint64_t start)
{
	const struct sample_function *function = sample_program_function(reader->program, start);

	return start <= 1 && (!function || function->address != start);
}

/* Adds @level to all addresses in the extent. Returns whether there is one. */
static bool add_level(struct reader *reader, const struct level *level, bool inlined, uint64_t start, uint64_t end)
{
	bool any = false;
	size_t i;

	for (i = first_at(reader, start); i < reader->count && reader->addresses[i] < end; i++) {
		struct found *found = &reader->found[i];
		struct level *copy;

		/* With identical code folding, several functions have one address. The first one is taken. */
		if (inlined ? found->owner != reader->owner || !found->level : found->level != NULL)
			continue;
		copy = arena_take(&reader->lines->arena, sizeof(*copy));
		*copy = *level;
		copy->outer = found->level;
		copy->depth = found->level ? found->level->depth + 1 : 1;
		found->level = copy;
		found->owner = reader->owner;
		any = true;
	}
	return any;
}

/* Returns whether one of the addresses is in the code of @entry. */
static bool has_address(const struct reader *reader, Dwarf_Die *entry)
{
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(entry, next, &base, &start, &end)) > 0) {
		size_t i = first_at(reader, start);

		if (i < reader->count && reader->addresses[i] < end)
			return true;
	}
	return false;
}

/* Adds a function, or an inlined one, to all addresses in its code. Returns whether there is one. */
static bool add_function(struct reader *reader, Dwarf_Die *entry, bool inlined)
{
	struct level level;
	Dwarf_Addr base;
	Dwarf_Addr start;
	Dwarf_Addr end;
	ptrdiff_t next = 0;
	bool any = false;

	if (!has_address(reader, entry))
		return false;
	level = make_level(reader, entry);
	while ((next = dwarf_ranges(entry, next, &base, &start, &end)) > 0)
		if (inlined || !is_discarded(reader, start))
			any |= add_level(reader, &level, inlined, start, end);
	return any;
}

/* The entries that may contain functions, or inlined functions. */
static bool contains_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_module || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static void read_entries(struct reader *reader, Dwarf_Die *parent, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		Dwarf_Off owner = reader->owner;
		bool any = contains_functions(tag);

		if (tag == DW_TAG_subprogram) {
			reader->owner = dwarf_dieoffset(&child);
			any = add_function(reader, &child, false);
		} else if (tag == DW_TAG_inlined_subroutine) {
			any = add_function(reader, &child, true);
		}
		if (any)
			read_entries(reader, &child, depth - 1);
		reader->owner = owner;
	} while (!dwarf_siblingof(&child, &child));
}

/* Stores the line of the row @line in all addresses from @start to @end. */
static void use_row(void *context, Dwarf_Line *line, uint64_t start, uint64_t end)
{
	struct reader *reader = context;
	const char *file = NULL;
	unsigned int discriminator = 0;
	int number = 0;
	size_t i;

	for (i = first_at(reader, start); i < reader->count && reader->addresses[i] < end; i++) {
		struct found *found = &reader->found[i];

		if (found->file)
			continue;
		if (!file) {
			file = whole_path(reader, dwarf_linesrc(line, NULL, NULL));
			if (!file || dwarf_lineno(line, &number) || number < 0)
				return;
			dwarf_linediscriminator(line, &discriminator);
		}
		found->file = file;
		found->line = (uint32_t)number;
		found->discriminator = discriminator;
	}
}

/* Calls @function for each row of the line table of @unit that has code. */
static void pass_rows(
	Dwarf_Die *unit, void (*function)(void *context, Dwarf_Line *row, uint64_t start, uint64_t end), void *context)
{
	Dwarf_Lines *rows;
	size_t count;
	size_t i;

	if (dwarf_getsrclines(unit, &rows, &count))
		return;
	for (i = 0; i + 1 < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr start;
		Dwarf_Addr end;
		bool ends = true;

		if (!dwarf_lineendsequence(row, &ends) && !ends && !dwarf_lineaddr(row, &start) &&
			!dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), &end) && end > start)
			function(context, row, start, end);
	}
}

static void read_unit(struct reader *reader, Dwarf_Die *unit)
{
	if (dwarf_tag(unit) != DW_TAG_compile_unit || !has_address(reader, unit))
		return;
	reader->unit = unit;
	reader->raw = NULL;
	if (dwarf_getsrcfiles(unit, &reader->files, &reader->file_count))
		reader->files = NULL;
	pass_rows(unit, use_row, reader);
	read_entries(reader, unit, DEPTH_MAX);
}

/* Makes the frames of an address: the line of a function that was inlined into is the line of the call. */
static void make_place(struct sample_place *place, const struct found *found, struct arena *arena)
{
	const struct level *level = found->level;
	struct sample_frame frame = {.file = found->file, .line = found->line, .discriminator = found->discriminator};
	uint32_t i = 0;

	if (!found->file && !level)
		return;
	place->count = level ? level->depth : 1;
	place->frames = arena_take(arena, place->count * sizeof(*place->frames));
	for (; level; level = level->outer) {
		frame.function = level->function;
		frame.start = level->start;
		place->frames[i++] = frame;
		frame = (struct sample_frame){
			.file = level->call_file, .line = level->call_line, .discriminator = level->call_discriminator};
	}
	if (!i)
		place->frames[0] = frame;
}

/* Calls @function for each unit. Returns whether there is one. */
static bool pass_units(Dwarf *debug, void (*function)(struct reader *reader, Dwarf_Die *unit), struct reader *reader)
{
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t header;
	bool any = false;

	while (debug && !dwarf_nextcu(debug, offset, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		if (dwarf_offdie(debug, offset + header, &unit)) {
			function(reader, &unit);
			any = true;
		}
		offset = next;
	}
	return any;
}

bool sample_lines_read(
	struct sample_lines *lines, const struct sample_program *program, const uint64_t *addresses, size_t count)
{
	struct reader reader = {.lines = lines, .program = program, .addresses = addresses, .count = count};
	Dwarf *debug;
	bool any;
	size_t i;

	debug_lines_prepare(&program->image);
	debug = dwarf_begin_elf(program->image.elf, DWARF_C_READ, NULL);

	*lines = (struct sample_lines){.list = allocate(count, sizeof(*lines->list)), .count = count, .debug = debug};
	reader.found = allocate(count, sizeof(*reader.found));
	any = pass_units(debug, read_unit, &reader);
	for (i = 0; i < count; i++)
		make_place(&lines->list[i], &reader.found[i], &lines->arena);
	free(reader.found);
	return any;
}

void sample_lines_free(struct sample_lines *lines)
{
	free(lines->list);
	arena_free(&lines->arena);
	if (lines->debug)
		dwarf_end(lines->debug);
	*lines = (struct sample_lines){0};
}

/* Calls the function of sample_rows_pass() for one row. */
static void pass_row(void *context, Dwarf_Line *line, uint64_t start, uint64_t end)
{
	struct reader *reader = context;
	const char *file = whole_path(reader, dwarf_linesrc(line, NULL, NULL));
	int number = 0;

	if (file && !dwarf_lineno(line, &number) && number > 0 && sample_program_is_code(reader->program, start))
		reader->row(reader->context, &(struct sample_row){file, (uint32_t)number, start, end});
}

static void pass_unit(struct reader *reader, Dwarf_Die *unit)
{
	reader->unit = unit;
	reader->raw = NULL;
	if (dwarf_tag(unit) == DW_TAG_compile_unit)
		pass_rows(unit, pass_row, reader);
}

bool sample_rows_pass(struct sample_lines *lines, const struct sample_program *program,
	void (*function)(void *context, const struct sample_row *row), void *context)
{
	struct reader reader = {.lines = lines, .program = program, .row = function, .context = context};

	return pass_units(lines->debug, pass_unit, &reader);
}
