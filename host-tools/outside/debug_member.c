/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_member.c - searches the outermost entries of all units, because C has its structs there. */
#include "debug_member.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

static void find_offset(Dwarf_Die *type, struct debug_member *wanted)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	Dwarf_Die member;

	if (!wanted->member) {
		wanted->found = true;
		return;
	}
	if (dwarf_child(type, &member))
		return;
	do {
		const char *name = dwarf_diename(&member);

		if (dwarf_tag(&member) != DW_TAG_member || !name || strcmp(name, wanted->member))
			continue;
		if (!dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &offset)) {
			wanted->offset = offset;
			wanted->found = true;
		}
		return;
	} while (!dwarf_siblingof(&member, &member));
}

/* Fills in the members of the struct @type. Returns how many were found. */
static size_t use_struct(Dwarf_Die *type, struct debug_member *members, size_t count)
{
	const char *name = dwarf_diename(type);
	int size = dwarf_bytesize(type);
	size_t found = 0;
	size_t i;

	/* A declaration has no size. */
	if (!name || size <= 0)
		return 0;
	for (i = 0; i < count; i++) {
		if (members[i].found || strcmp(name, members[i].type))
			continue;
		members[i].size = (uint64_t)size;
		find_offset(type, &members[i]);
		found += members[i].found;
	}
	return found;
}

static size_t search_unit(Dwarf_Die *unit, struct debug_member *members, size_t count)
{
	size_t found = 0;
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return 0;
	do
		if (dwarf_tag(&die) == DW_TAG_structure_type)
			found += use_struct(&die, members, count);
	while (!dwarf_siblingof(&die, &die));
	return found;
}

enum status debug_members(const struct image *image, struct debug_member *members, size_t count, struct error *error)
{
	Dwarf *dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t left = count;
	size_t header;
	Dwarf_Die unit;
	size_t i;

	if (!dwarf)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no debug information: build it with CONFIG_DEBUG_INFO_DWARF5=y, or with -g");
	while (left && !dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf, offset + header, &unit))
			left -= search_unit(&unit, members, count);
		offset = next;
	}
	dwarf_end(dwarf);
	for (i = 0; i < count; i++)
		if (!members[i].found)
			return error_set(error, STATUS_INVALID_INPUT,
				"has no debug information about the member %s of struct %s",
				members[i].member ? members[i].member : "size", members[i].type);
	return STATUS_OK;
}
