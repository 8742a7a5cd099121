/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_sections.c - finds the sections of a profile by their names. If a linker script merged them into other
 * sections, finds them by the symbols that bound them.
 */
#include "check.h"

#include <string.h>

const char *const section_name[SECTIONS] = {
	"__llvm_prf_cnts",
	"__llvm_prf_data",
	"__llvm_prf_names",
	"__llvm_prf_bits",
	"__llvm_prf_vtab",
	"__llvm_prf_vns",
};

const struct image_symbol *check_bound(
	const struct check *check, enum bounds bounds, enum profile_section section, bool stop)
{
	return image_bound(&check->image, bounds, section_name[section], stop);
}

/* The names of the profile sections that clang makes with -profile-correlate=binary. */
static const char *const correlated_name[SECTIONS] = {
	[SECTION_RECORDS] = "__llvm_covdata",
	[SECTION_NAMES] = "__llvm_covnames",
};

struct same_name sections_named(const struct check *check, const char *name)
{
	struct same_name sections = {NULL, 0, 0};
	size_t i;

	for (i = 0; i < check->image.section_count; i++) {
		const struct image_section *section = &check->image.sections[i];

		if (strcmp(section->name, name) || !section->size)
			continue;
		if (!sections.count++)
			sections.first = section;
		sections.size += section->size;
	}
	return sections;
}

/* Finds section @i by the symbols that bound it, if no section with this name was found. */
static void find_by_symbol(struct check *check, enum profile_section i, enum bounds bounds)
{
	const struct image_symbol *start = check_bound(check, bounds, i, false);
	const struct image_symbol *stop = check_bound(check, bounds, i, true);
	const struct image_section *section;

	if (check->extent[i].size || !start || !stop || stop->value <= start->value)
		return;
	check->extent[i] = (struct extent){start->value, stop->value - start->value};
	section = image_where(&check->image, start->value, check->extent[i].size);
	if (!section || !bytes_slice(image_content(&check->image, section), start->value - section->address,
				check->extent[i].size, &check->content[i]))
		check->content[i] = (struct bytes){NULL, 0};
}

void check_find_sections(struct check *check)
{
	enum profile_section i;

	for (i = 0; i < SECTIONS; i++) {
		const struct image_section *section = sections_named(check, section_name[i]).first;

		if (!section && correlated_name[i]) {
			section = sections_named(check, correlated_name[i]).first;
			check->records.absolute = check->records.absolute || (section && i == SECTION_RECORDS);
		}
		if (section) {
			check->extent[i] = (struct extent){section->address, section->size};
			check->content[i] = image_content(&check->image, section);
			check->not_loaded[i] = !section->allocated;
			if (check->not_loaded[i] && i != SECTION_COUNTERS && i != SECTION_BITMAPS) {
				check->unloaded_bytes += section->size;
				check->lean = true;
			}
		}
		find_by_symbol(check, i, BOUNDS_OURS);
		find_by_symbol(check, i, BOUNDS_LINUX);
		check->present[i] = check->extent[i].size;
	}
	/* Relocations are not applied to records that are not loaded. */
	if (check->not_loaded[SECTION_RECORDS])
		buffer_add(
			&check->relocated, check->content[SECTION_RECORDS].data, check->content[SECTION_RECORDS].size);
	else
		image_relocate(&check->image, check->extent[SECTION_RECORDS].address, check->content[SECTION_RECORDS],
			&check->relocated);
	check->content[SECTION_RECORDS] = (struct bytes){check->relocated.data, check->relocated.size};
}
