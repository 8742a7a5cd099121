/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_debug.c - reads records from debug information (-profile-correlate=debug-info). Each
 * variable __profc_X belongs to a function. Annotations of the variable contain the name and the
 * structural hash of that function and the number of its counters.
 */
#include "program_debug.h"
#include "debug_variable.h"
#include "md5.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* The number of DW_TAG_LLVM_annotation, which some releases of dwarf.h do not define. */
#define TAG_ANNOTATION 0x6000
#define COUNTERS       "__profc_"

#define STRING_SECTIONS 3u

struct debug_reader {
	struct raw_record *records;
	size_t count;
	size_t room;
	struct buffer names; /* the names of functions, with the byte 0x01 between them */
	uint64_t counters; /* address to which the section of counters was linked */
	struct bytes strings[STRING_SECTIONS];
};

/* Finds the sections that contain strings. libdw has already loaded and unpacked these sections. */
static void find_strings(struct debug_reader *reader, const struct image *image)
{
	static const char *const names[STRING_SECTIONS] = {".debug_str", ".debug_line_str", ".debug_info"};
	size_t i;

	for (i = 0; i < STRING_SECTIONS; i++) {
		const struct image_section *section = image_section(image, names[i]);
		Elf_Data *data = section ? elf_getdata(elf_getscn(image->elf, section->index), NULL) : NULL;

		if (data && data->d_buf)
			reader->strings[i] = (struct bytes){data->d_buf, data->d_size};
	}
}

/*
 * Returns @text if its terminating zero byte is in the same section, otherwise NULL. This check is
 * necessary because libdw does not always check the end of a string.
 */
static const char *checked(const struct debug_reader *reader, const char *text)
{
	uintptr_t at = (uintptr_t)text;
	size_t i;

	for (i = 0; text && i < STRING_SECTIONS; i++) {
		struct bytes strings = reader->strings[i];
		uintptr_t start = (uintptr_t)strings.data;

		if (at >= start && at - start < strings.size)
			return memchr(text, 0, strings.size - (at - start)) ? text : NULL;
	}
	return NULL;
}

static bool number_of(Dwarf_Die *die, uint64_t *number)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, DW_AT_const_value, &attribute) && !dwarf_formudata(&attribute, number);
}

/* Reads one annotation of a variable, and stores its content in *@name, *@hash or *@counters. */
static void read_annotation(
	const struct debug_reader *reader, Dwarf_Die *die, const char **name, uint64_t *hash, uint64_t *counters)
{
	Dwarf_Attribute attribute;
	const char *key = checked(reader, dwarf_diename(die));

	if (dwarf_tag(die) != TAG_ANNOTATION || !key)
		return;
	if (!strcmp(key, "Function Name") && dwarf_attr(die, DW_AT_const_value, &attribute))
		*name = checked(reader, dwarf_formstring(&attribute));
	else if (!strcmp(key, "CFG Hash"))
		number_of(die, hash);
	else if (!strcmp(key, "Num Counters"))
		number_of(die, counters);
}

static void add_variable(struct debug_reader *reader, Dwarf_Die *variable)
{
	const char *name = NULL;
	uint64_t hash = 0;
	uint64_t counters = 0;
	uint64_t address;
	Dwarf_Die child;

	if (dwarf_child(variable, &child) || !debug_variable_address(variable, &address))
		return;
	do
		read_annotation(reader, &child, &name, &hash, &counters);
	while (!dwarf_siblingof(&child, &child));
	if (!name || !*name || !counters || counters > UINT32_MAX)
		return;
	reader->records = array_grow(reader->records, reader->count, &reader->room, sizeof(*reader->records));
	reader->records[reader->count++] =
		(struct raw_record){.name = md5_low((struct bytes){(const uint8_t *)name, strlen(name)}),
			.hash = hash,
			.counters = address - reader->counters,
			.counter_count = (uint32_t)counters};
	if (reader->names.size)
		buffer_add(&reader->names, "\1", 1);
	buffer_add_text(&reader->names, name);
}

/*
 * Adds all variables of counters below @die. The variable of a static function is inside that
 * function, so the whole tree is searched. The depth is limited because recursion could use up the
 * stack if the file is hostile.
 */
static void walk_tree(struct debug_reader *reader, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	if (depth > 256 || dwarf_child(die, &child))
		return;
	do {
		const char *name = dwarf_tag(&child) == DW_TAG_variable ? checked(reader, dwarf_diename(&child)) : NULL;

		if (name && !strncmp(name, COUNTERS, strlen(COUNTERS)))
			add_variable(reader, &child);
		else
			walk_tree(reader, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static bool gather(struct debug_reader *reader, const struct image *image)
{
	Dwarf *dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t header;
	Dwarf_Die unit;

	if (!dwarf)
		return false;
	find_strings(reader, image);
	while (!dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf, offset + header, &unit))
			walk_tree(reader, &unit, 0);
		offset = next;
	}
	dwarf_end(dwarf);
	return reader->count > 0;
}

/* Writes a names section with a single chunk, which is not compressed. */
static void make_names(struct buffer *section, const struct buffer *names)
{
	buffer_add_uleb(section, names->size);
	buffer_add(section, "", 1);
	buffer_add(section, names->data, names->size);
}

enum status program_debug(struct record_table *table, const struct image *image, uint64_t counters, const char *path)
{
	struct debug_reader reader = {.counters = counters};

	if (!gather(&reader, image))
		return error_set(&table->error, STATUS_INVALID_INPUT,
			"has no records, and the debug information of the ELF file %s has no records either; give the "
			"ELF file of the program that was run, compiled with -g and -profile-correlate=debug-info, "
			"before strip",
			path);
	make_names(&table->debug_names, &reader.names);
	table->names = (struct bytes){table->debug_names.data, table->debug_names.size};
	table->functions = reader.records;
	table->count = reader.count;
	buffer_free(&reader.names);
	return STATUS_OK;
}
