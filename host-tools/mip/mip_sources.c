/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_sources.c - finds the source file and line of functions. A function gets the line of its declaration. If no entry
 * of the debug information describes the function, it gets the line of its first instruction, from the line table.
 */
#include "mip_sources.h"
#include "exit.h"
#include "debug_lines.h"
#include "demangle.h"
#include "mip_image.h"
#include "mip_link.h"
#include "elf_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of namespaces and classes, one in the other. */
#define DEPTH_MAX 32

/* A function and its address in the ELF file. */
struct place {
	uint64_t address;
	struct mip_source *source;
};

struct places {
	struct place *list; /* sorted by address */
	size_t count;
	struct arena *arena;
	const char *unit; /* the source file of the compilation unit; NULL: not known */
	const char *folder; /* the folder in which the compilation unit was compiled; NULL: not known */
	const char *last; /* the file that was found last; it is often found again */
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	return compare_uint(a->address, b->address);
}

/* Returns the index of the first place at or after @address. */
static size_t find_place(const struct places *places, uint64_t address)
{
	struct place key = {.address = address};

	return lower_bound(&key, places->list, places->count, sizeof(*places->list), compare_places);
}

/* Compilers store paths relative to the folder in which they ran. */
static const char *keep_file(struct places *places, const char *file)
{
	bool is_relative = *file != '/' && places->folder;
	char *path = format("%s%s%s", is_relative ? places->folder : "", is_relative ? "/" : "", file);
	size_t size = strlen(path) + 1;

	if (!places->last || strcmp(places->last, path) != 0)
		places->last = memcpy(arena_take(places->arena, size), path, size);
	free(path);
	return places->last;
}

/*
 * Gives the line @line to all functions from its address up to the address @end of the next line. The first lines of a
 * function may all have its address. The first of them is the line on which the function begins.
 */
static void use_line(struct places *places, Dwarf_Line *line, uint64_t start, uint64_t end)
{
	const char *file = dwarf_linesrc(line, NULL, NULL);
	size_t i;
	int number;

	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return;
	for (i = find_place(places, start);
		i < places->count && (places->list[i].address < end || places->list[i].address == start); i++) {
		struct mip_source *source = places->list[i].source;

		if (source->file)
			continue;
		source->file = keep_file(places, file);
		source->line = (unsigned int)number;
	}
}

/*
 * Returns the file of a declaration, or NULL. In DWARF 5, file 0 is the source file of the compilation unit, but libdw
 * does not know file 0.
 */
static const char *declared_in(const struct places *places, Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (dwarf_attr_integrate(function, DW_AT_decl_file, &attribute) && !dwarf_formudata(&attribute, &number) &&
		!number)
		return places->unit;
	return dwarf_decl_file(function);
}

/* Gives the line of the declaration @function to all functions at its address. */
static void use_declaration(struct places *places, Dwarf_Die *function)
{
	const char *file = declared_in(places, function);
	Dwarf_Addr address;
	size_t i;
	int line;

	if (!file || dwarf_decl_line(function, &line) || line <= 0 || dwarf_entrypc(function, &address))
		return;
	for (i = find_place(places, address); i < places->count && places->list[i].address == address; i++) {
		places->list[i].source->file = keep_file(places, file);
		places->list[i].source->line = (unsigned int)line;
	}
}

/* The entries that contain definitions of functions: namespaces, and classes, whose functions may be defined inside. */
static bool contains_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_module;
}

/* @depth limits the recursion, because a damaged file may have any number of levels. */
static void read_entries(struct places *places, Dwarf_Die *parent, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			use_declaration(places, &child);
		else if (contains_functions(tag))
			read_entries(places, &child, depth - 1);
	} while (!dwarf_siblingof(&child, &child));
}

static void read_unit(struct places *places, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Lines *lines;
	size_t count;
	size_t i;

	places->folder = dwarf_attr(unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
	places->unit = dwarf_diename(unit);
	read_entries(places, unit, DEPTH_MAX);
	if (dwarf_getsrclines(unit, &lines, &count))
		return;
	for (i = 0; i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr start;
		Dwarf_Addr end;
		bool ends = true;

		if (!dwarf_lineendsequence(line, &ends) && !ends && !dwarf_lineaddr(line, &start) &&
			!dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end))
			use_line(places, line, start, end);
	}
}

/* Returns whether the file has at least one compilation unit. */
static bool read_debug(struct places *places, Elf *elf)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	size_t header;
	bool any = false;

	while (dwarf && !dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, offset + header, &unit)) {
			read_unit(places, &unit);
			any = true;
		}
		offset = next;
	}
	if (dwarf)
		dwarf_end(dwarf);
	return any;
}

/* A file that objcopy stripped has the same id. */
enum status mip_sources_check(const struct mip_profile *profile, const struct image *image, struct error *error)
{
	struct elf_info info;
	struct buffer note = {0};
	struct bytes id = {profile->id.data, profile->id.size};
	enum status status;

	elf_examine(&info, image->elf);
	status = mip_same_link(id, (struct bytes){info.build_id.data, info.build_id.size}, &note, error);
	if (status != STATUS_OK)
		error_set(error, status,
			"is not the ELF file of the profile, because the build ids differ; give the ELF file "
			"that was run");
	elf_free(&info);
	buffer_free(&note);
	return status;
}

static enum status read_elf(struct mip_sources *sources, const struct mip_profile *profile, const char *path)
{
	struct image image = {0};
	struct error error;
	struct places places = {.arena = &sources->arena};
	enum status status = image_open(&image, path, &error);
	size_t i;

	if (status == STATUS_OK)
		status = mip_sources_check(profile, &image, &error);
	if (status == STATUS_OK) {
		uint64_t base = profile->relative ? mip_image_base(&image) : 0;
		uint64_t mask = image.width == 4 ? UINT32_MAX : UINT64_MAX;

		places.list = allocate(profile->count, sizeof(*places.list));
		for (i = 0; i < profile->count; i++)
			places.list[i] =
				(struct place){(profile->functions[i].address + base) & mask, &sources->list[i]};
		places.count = profile->count;
		qsort(places.list, places.count, sizeof(*places.list), compare_places);
		image_relocate_debug(&image);
		debug_lines_prepare(&image);
		if (!read_debug(&places, image.elf))
			complain(
				path, "note: has no debug information, so source files are not known; compile with -g");
		free(places.list);
	} else {
		error_print(path, &error);
	}
	image_close(&image);
	return status;
}

enum status mip_sources_read(struct mip_sources *sources, const struct mip_profile *profile, const char *elf_path)
{
	enum status status = STATUS_OK;
	const char **names;
	size_t i;

	*sources = (struct mip_sources){0};
	sources->list = allocate(profile->count, sizeof(*sources->list));
	if (elf_path)
		status = read_elf(sources, profile, elf_path);
	if (status != STATUS_OK)
		return status;
	names = allocate(profile->count, sizeof(*names));
	for (i = 0; i < profile->count; i++)
		names[i] = (const char *)profile->functions[i].name.data;
	sources->mangled = !demangle(names, profile->count, &sources->arena);
	for (i = 0; i < profile->count; i++)
		sources->list[i].name = names[i];
	free(names);
	return status;
}

void mip_sources_free(struct mip_sources *sources)
{
	free(sources->list);
	arena_free(&sources->arena);
}
