/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_lines.c - makes discriminators small enough for libdw. */
#include "debug_lines.h"

#include <dwarf.h>
#include <gelf.h>
#include <libelf.h>

/* libdw keeps this many bits of a discriminator. */
#define DISCRIMINATOR_BITS 24u

/* The part of a table that says how to read its program. */
struct table {
	struct cursor program;
	const uint8_t *lengths; /* number of operands of each standard opcode */
	unsigned int opcode_base; /* the number of standard opcodes, plus 1 */
};

/* Clears the high bits of the ULEB128 at @p, and keeps its length. @size is the number of its bytes. */
static void narrow(uint8_t *p, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		unsigned int left = 7 * i < DISCRIMINATOR_BITS ? DISCRIMINATOR_BITS - (unsigned int)(7 * i) : 0;

		if (left < 7)
			p[i] &= (uint8_t)(0x80u | ((1u << left) - 1));
	}
}

/* Reads the head of the table at the start of @cursor, and moves the cursor behind the table. */
static bool take_table(struct cursor *cursor, bool big, struct table *table)
{
	unsigned int width = 4;
	struct bytes field = take_bytes(cursor, 4);
	uint64_t size = field.size ? load_uint(field.data, 4, big) : 0;
	struct cursor unit;
	unsigned int version;
	uint64_t rest;

	if (size == 0xffffffff) {
		width = 8;
		field = take_bytes(cursor, 8);
		size = field.size ? load_uint(field.data, 8, big) : 0;
	}
	unit = cursor_of(take_bytes(cursor, size));
	field = take_bytes(&unit, 2);
	if (cursor->failed || unit.failed)
		return false;
	version = (unsigned int)load_uint(field.data, 2, big);
	if (version >= 5)
		take_bytes(&unit, 2);
	field = take_bytes(&unit, width);
	rest = unit.failed ? 0 : load_uint(field.data, width, big);
	table->program = unit;
	take_bytes(&table->program, rest);
	take_bytes(&unit, version >= 4 ? 5 : 4);
	table->opcode_base = (unsigned int)take_fixed(&unit, 1);
	table->lengths = take_bytes(&unit, table->opcode_base ? table->opcode_base - 1 : 0).data;
	return !unit.failed && !table->program.failed && version >= 2 && version <= 5;
}

/* @content is the section. The cursor only reads, so changes go through @content. */
static void narrow_program(uint8_t *content, struct table *table)
{
	struct cursor *cursor = &table->program;

	while (cursor->at < cursor->end && !cursor->failed) {
		unsigned int opcode = (unsigned int)take_fixed(cursor, 1);

		if (!opcode) {
			struct cursor operation = cursor_of(take_bytes(cursor, take_uleb(cursor)));
			const uint8_t *number = operation.at + 1;

			if (operation.at == operation.end || take_fixed(&operation, 1) != DW_LNE_set_discriminator)
				continue;
			take_uleb(&operation);
			if (!operation.failed)
				narrow(content + (number - content), (size_t)(operation.at - number));
		} else if (opcode == DW_LNS_fixed_advance_pc) {
			take_bytes(cursor, 2);
		} else if (opcode < table->opcode_base) {
			unsigned int operands = table->lengths[opcode - 1];

			while (operands--)
				take_uleb(cursor);
		}
	}
}

void debug_lines_narrow(uint8_t *content, size_t size, bool big)
{
	struct cursor cursor = cursor_of((struct bytes){content, size});
	struct table table;

	while (cursor.at < cursor.end && !cursor.failed)
		if (take_table(&cursor, big, &table))
			narrow_program(content, &table);
}

void debug_lines_prepare(const struct image *image)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];
		Elf_Scn *handle = elf_getscn(image->elf, section->index);
		GElf_Shdr header;
		Elf_Data *data;

		if (strcmp(section->name, ".debug_line") != 0 || !section->filled)
			continue;
		if (gelf_getshdr(handle, &header) && header.sh_flags & SHF_COMPRESSED && elf_compress(handle, 0, 0) < 0)
			continue;
		data = elf_getdata(handle, NULL);
		if (data && data->d_buf)
			debug_lines_narrow(data->d_buf, data->d_size, image->big);
	}
}
