/* SPDX-License-Identifier: BSD-2-Clause */
/* samplers.c - looks for variables with the types of include/bareprof/sample.h in the debug information. */
#include "samplers.h"
#include "debug_variable.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

/* A sampler is at most this deep in other structs and arrays. The debug information of a hostile file may have cycles. */
#define DEPTH 6u
/* The first elements of an array are searched. A system has a sampler, or perhaps one for each CPU. */
#define ELEMENTS 1024u
/* More samplers than any program has. */
#define SAMPLERS_MAX 4096u
/* More types of variables, members and elements than any program has. Cycles can make them countless. */
#define SEARCHED_MAX 10000000u

bool samplers_expected(const struct image *image)
{
	return image_symbol(image, "bareprof_ring_init") || image_symbol(image, "bareprof_histogram_init");
}

static bool has_name(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die);

	return own && !strcmp(own, name);
}

/* Sets *@type to the type of @die, without typedefs and qualifiers. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die named;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &named) &&
	       !dwarf_peel_type(&named, type);
}

/* Sets *@member to the member @name of the struct @type, and adds its offset to *@offset. */
static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *member, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Word add;

	if (dwarf_child(type, member))
		return false;
	do {
		if (dwarf_tag(member) != DW_TAG_member || !has_name(member, name))
			continue;
		if (dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &add))
			return false;
		*offset += add;
		return true;
	} while (!dwarf_siblingof(member, member));
	return false;
}

/* Sets *@offset to the offset of the member @name of the struct @type. */
static bool member_offset(Dwarf_Die *type, const char *name, uint64_t *offset)
{
	Dwarf_Die member;

	*offset = 0;
	return find_member(type, name, &member, offset);
}

/* Sets *@target to the struct to which the member @name of the struct @type points. */
static bool member_target(Dwarf_Die *type, const char *name, Dwarf_Die *target)
{
	uint64_t offset = 0;
	Dwarf_Die member;
	Dwarf_Die pointer;

	return find_member(type, name, &member, &offset) && type_of(&member, &pointer) && type_of(&pointer, target);
}

static bool read_sampler_layout(Dwarf_Die *type, struct sampler_layout *layout)
{
	Dwarf_Die ring;

	return member_offset(type, "base", &layout->base) && member_offset(type, "range", &layout->range) &&
	       member_offset(type, "build_id", &layout->build_id) && member_offset(type, "rate", &layout->rate) &&
	       member_offset(type, "words", &layout->words) && member_offset(type, "rings", &layout->rings) &&
	       member_target(type, "rings", &ring) && member_offset(&ring, "next", &layout->next) &&
	       member_offset(&ring, "slots", &layout->slots) && member_offset(&ring, "mask", &layout->mask) &&
	       member_offset(&ring, "outside", &layout->outside) && member_offset(&ring, "dropped", &layout->dropped);
}

static bool read_histogram(Dwarf_Die *type, struct sampler *sampler)
{
	struct sampler_layout *layout = &sampler->layout;
	Dwarf_Die member;
	Dwarf_Die inner;

	sampler->address = sampler->histogram;
	return find_member(type, "sampler", &member, &sampler->address) && type_of(&member, &inner) &&
	       read_sampler_layout(&inner, layout) && member_offset(type, "shift", &layout->shift) &&
	       member_offset(type, "memory", &layout->memory) && member_offset(type, "counted", &layout->counted) &&
	       member_offset(type, "outside", &layout->histogram_outside);
}

static void add(struct samplers *samplers, const struct sampler *sampler)
{
	size_t i;

	for (i = 0; i < samplers->count; i++)
		if (samplers->list[i].address == sampler->address)
			return;
	if (samplers->count == SAMPLERS_MAX)
		return;
	samplers->list = array_grow(samplers->list, samplers->count, &samplers->room, sizeof(*samplers->list));
	samplers->list[samplers->count++] = *sampler;
}

static void search_type(struct samplers *samplers, Dwarf_Die *type, uint64_t address, unsigned int depth);

static void search_members(struct samplers *samplers, Dwarf_Die *type, uint64_t address, unsigned int depth)
{
	Dwarf_Attribute attribute;
	Dwarf_Die member;
	Dwarf_Die inner;
	Dwarf_Word offset;

	if (dwarf_child(type, &member))
		return;
	do {
		if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &inner))
			continue;
		/* Members of a union have no offset. */
		if (dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &offset))
			offset = 0;
		search_type(samplers, &inner, address + offset, depth);
	} while (!dwarf_siblingof(&member, &member));
}

static void search_elements(struct samplers *samplers, Dwarf_Die *array, uint64_t address, unsigned int depth)
{
	Dwarf_Die element;
	Dwarf_Word all;
	Dwarf_Word one;
	Dwarf_Word i;

	if (!type_of(array, &element) || dwarf_aggregate_size(array, &all) || dwarf_aggregate_size(&element, &one))
		return;
	/* Most arrays have numbers. Their elements need no search. */
	if (!one || (dwarf_tag(&element) != DW_TAG_structure_type && dwarf_tag(&element) != DW_TAG_array_type))
		return;
	for (i = 0; i < all / one && i < ELEMENTS; i++) {
		size_t before = samplers->count;

		search_type(samplers, &element, address + i * one, depth);
		if (samplers->count == before)
			return;
	}
}

static void search_type(struct samplers *samplers, Dwarf_Die *type, uint64_t address, unsigned int depth)
{
	struct sampler sampler = {.address = address};
	int tag = dwarf_tag(type);

	if (depth == DEPTH || samplers->searched++ >= SEARCHED_MAX)
		return;
	if (tag == DW_TAG_array_type)
		search_elements(samplers, type, address, depth + 1);
	if (tag != DW_TAG_structure_type && tag != DW_TAG_union_type && tag != DW_TAG_class_type)
		return;
	if (has_name(type, "bareprof_histogram")) {
		sampler.histogram = address;
		if (read_histogram(type, &sampler))
			add(samplers, &sampler);
	} else if (has_name(type, "bareprof_sampler")) {
		if (read_sampler_layout(type, &sampler.layout))
			add(samplers, &sampler);
	} else {
		search_members(samplers, type, address, depth + 1);
	}
}

static void search_unit(struct samplers *samplers, Dwarf_Die *unit)
{
	uint64_t address;
	Dwarf_Die type;
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return;
	do
		if (dwarf_tag(&die) == DW_TAG_variable && debug_variable_address(&die, &address) &&
			type_of(&die, &type))
			search_type(samplers, &type, address, 0);
	while (!dwarf_siblingof(&die, &die));
}

bool samplers_find(struct samplers *samplers, const struct image *image)
{
	Dwarf *dwarf;
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t header;
	Dwarf_Die unit;
	bool any = false;

	image_relocate_debug(image);
	dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	while (dwarf && !dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf, offset + header, &unit)) {
			any = true;
			search_unit(samplers, &unit);
		}
		offset = next;
	}
	dwarf_end(dwarf);
	return any;
}
