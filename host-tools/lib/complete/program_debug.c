/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_debug.c - records from debug information (-profile-correlate=
 * debug-info): each variable __profc_... has annotations that tell the name, the
 * hash and the number of counters of its function.
 */
#include "program_debug.h"
#include "md5.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* DW_TAG_LLVM_annotation, which dwarf.h of some releases does not have. */
#define TAG_ANNOTATION 0x6000
#define COUNTERS       "__profc_"

#define STRING_SECTIONS 3u

struct gathering {
	struct raw_record *records;
	size_t count;
	size_t room;
	struct buffer names; /* joined by 0x01 */
	uint64_t counters; /* address of their section */
	struct bytes strings[STRING_SECTIONS];
};

/* The sections that hold strings. libdw has them whole by now, and not packed. */
static void find_strings(struct gathering *gathering, const struct image *image)
{
	static const char *const names[STRING_SECTIONS] = {".debug_str", ".debug_line_str", ".debug_info"};
	size_t i;

	for (i = 0; i < STRING_SECTIONS; i++) {
		const struct image_section *section = image_section(image, names[i]);
		Elf_Data *data = section ? elf_getdata(elf_getscn(image->elf, section->index), NULL) : NULL;

		if (data && data->d_buf)
			gathering->strings[i] = (struct bytes){data->d_buf, data->d_size};
	}
}

/* @text if it ends before its section does, which libdw does not check everywhere; else NULL. */
static const char *checked(const struct gathering *gathering, const char *text)
{
	uintptr_t at = (uintptr_t)text;
	size_t i;

	for (i = 0; text && i < STRING_SECTIONS; i++) {
		struct bytes strings = gathering->strings[i];
		uintptr_t start = (uintptr_t)strings.data;

		if (at >= start && at - start < strings.size)
			return memchr(text, 0, strings.size - (at - start)) ? text : NULL;
	}
	return NULL;
}

/* The address of a variable that lies at a fixed place. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Attribute result;
	Dwarf_Op *op;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &op, &count) || count != 1)
		return false;
	if (op->atom == DW_OP_addr) {
		*address = op->number;
		return true;
	}
	/* In DWARF 5 the operation holds an index into a table of addresses. */
	return !dwarf_getlocation_attr(&attribute, op, &result) && !dwarf_formaddr(&result, address);
}

static bool number_of(Dwarf_Die *die, uint64_t *number)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, DW_AT_const_value, &attribute) && !dwarf_formudata(&attribute, number);
}

/* One annotation of a variable, into what it tells. */
static void read_annotation(
	const struct gathering *gathering, Dwarf_Die *die, const char **name, uint64_t *hash, uint64_t *counters)
{
	Dwarf_Attribute attribute;
	const char *key = checked(gathering, dwarf_diename(die));

	if (dwarf_tag(die) != TAG_ANNOTATION || !key)
		return;
	if (!strcmp(key, "Function Name") && dwarf_attr(die, DW_AT_const_value, &attribute))
		*name = checked(gathering, dwarf_formstring(&attribute));
	else if (!strcmp(key, "CFG Hash"))
		number_of(die, hash);
	else if (!strcmp(key, "Num Counters"))
		number_of(die, counters);
}

static void add_variable(struct gathering *gathering, Dwarf_Die *variable)
{
	const char *name = NULL;
	uint64_t hash = 0;
	uint64_t counters = 0;
	uint64_t address;
	Dwarf_Die child;

	if (dwarf_child(variable, &child) || !address_of(variable, &address))
		return;
	do
		read_annotation(gathering, &child, &name, &hash, &counters);
	while (!dwarf_siblingof(&child, &child));
	if (!name || !*name || !counters || counters > UINT32_MAX)
		return;
	gathering->records = grow(gathering->records, gathering->count, &gathering->room, sizeof(*gathering->records));
	gathering->records[gathering->count++] =
		(struct raw_record){.name = md5_low((struct bytes){(const uint8_t *)name, strlen(name)}),
			.hash = hash,
			.counters = address - gathering->counters,
			.counter_count = (uint32_t)counters};
	if (gathering->names.size)
		buffer_add(&gathering->names, "\1", 1);
	buffer_add_text(&gathering->names, name);
}

/*
 * All variables below @die. The counters of a static function are in that
 * function, so the tree is walked down; how deep it is, a hostile file decides.
 */
static void walk(struct gathering *gathering, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	if (depth > 256 || dwarf_child(die, &child))
		return;
	do {
		const char *name =
			dwarf_tag(&child) == DW_TAG_variable ? checked(gathering, dwarf_diename(&child)) : NULL;

		if (name && !strncmp(name, COUNTERS, strlen(COUNTERS)))
			add_variable(gathering, &child);
		else
			walk(gathering, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static bool gather(struct gathering *gathering, const struct image *image)
{
	Dwarf *dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t header;
	Dwarf_Die unit;

	if (!dwarf)
		return false;
	find_strings(gathering, image);
	while (!dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf, offset + header, &unit))
			walk(gathering, &unit, 0);
		offset = next;
	}
	dwarf_end(dwarf);
	return gathering->count > 0;
}

/* The section: one chunk that is not compressed. */
static void make_names(struct buffer *section, const struct buffer *names)
{
	buffer_add_uleb(section, names->size);
	buffer_add(section, "", 1);
	buffer_add(section, names->data, names->size);
}

enum status program_debug(struct learnt *learnt, const struct image *image, uint64_t counters, const char *path)
{
	struct gathering gathering = {.counters = counters};

	if (!gather(&gathering, image))
		return error_set(&learnt->problem, STATUS_INVALID_INPUT,
			"has no records, and the debug information of the ELF file %s does not tell them: is it the "
			"program that was run, compiled with -g and -profile-correlate=debug-info, and not stripped?",
			path);
	make_names(&learnt->debug_names, &gathering.names);
	learnt->names = (struct bytes){learnt->debug_names.data, learnt->debug_names.size};
	learnt->functions = gathering.records;
	learnt->count = gathering.count;
	buffer_free(&gathering.names);
	return STATUS_OK;
}
