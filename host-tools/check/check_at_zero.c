/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_at_zero.c - finds memory of the image, such as a stack, that a linker put at address 0 because the statement of
 * its section follows the coverage mapping in the linker script.
 *
 * lld gives a section that contains only assignments the flags of the section before. After the mapping, such a
 * section is not part of memory: its address is 0, and the symbols in it are wrong. If the script also assigns the
 * section to a segment, the segment goes from the image to address 0 and has nearly 2^64 bytes.
 *
 * With GNU ld the section is part of memory, but if the script uses the dot after the mapping, for example in
 * `. = ALIGN(16)`, the dot is 0.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* The sections that the linker put at address 0. */
struct at_zero {
	const struct image_section *first;
	const struct image_section *last;
	size_t count;
};

/* Returns whether @section is in the ELF file only and has a name of LLVM's, as the coverage mapping. */
static bool is_apart(const struct image_section *section)
{
	return !section->allocated && !section->address && !strncmp(section->name, "__llvm_", strlen("__llvm_"));
}

static bool has_symbol(const struct image *image, const struct image_section *section)
{
	size_t i;

	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].section == section->index)
			return true;
	return false;
}

/*
 * Returns whether lld took the memory @section for a section like the mapping. Debug information and .comment are not
 * loaded either, but have content other than zeros. A section whose only purpose is its size, such as .stack_dummy of
 * Arm's scripts, has no symbol and is in no segment.
 */
static bool is_unloaded_memory(const struct image *image, const struct image_section *section)
{
	if (section->allocated || section->writable || section->address || !section->size)
		return false;
	if (!section->filled)
		return true;
	return bytes_are_zero(image_content(image, section)) && (section->loaded || has_symbol(image, section));
}

static void add(struct at_zero *found, const struct image_section *section)
{
	if (!found->count++)
		found->first = section;
	found->last = section;
}

/*
 * Finds the sections that have the flags of the mapping because they follow it. Before release 19, lld puts other
 * sections that are not loaded between the mapping and these sections. The next section with an address has flags of
 * its own.
 */
static struct at_zero find_unloaded(const struct image *image)
{
	struct at_zero found = {NULL, NULL, 0};
	bool follows = false;
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		follows = !section->allocated && (follows || is_apart(section));
		if (follows && is_unloaded_memory(image, section))
			add(&found, section);
	}
	return found;
}

/*
 * Finds the memory without content after the mapping that lies below the rest of the image, from address 0 on. An image
 * whose mapping comes first is left out, because the dot of its script restarts before all sections.
 */
static struct at_zero find_restarted(const struct image *image)
{
	struct at_zero found = {NULL, NULL, 0};
	uint64_t lowest = UINT64_MAX;
	bool follows = false;
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		follows = follows || (lowest != UINT64_MAX && is_apart(section));
		if (!section->allocated || !section->size)
			continue;
		if (!follows && section->address < lowest)
			lowest = section->address;
		if (follows && !section->filled && section->address < lowest && (found.count || !section->address))
			add(&found, section);
	}
	return found;
}

static void report(struct check *check, enum severity severity, const struct at_zero *found, const char *cause)
{
	char *others = found->count > 1 ? format(" (and %zu more)", found->count - 1) : format("%s", "");
	struct finding *finding = check_add_as(check, severity, FINDING_SECTION_AT_ZERO,
		"section %s%s is at address 0, %s (if your script has BAREPROF_COVERAGE, move this macro after %s "
		"instead of changing a fragment)",
		found->first->name, others, cause, found->last->name);

	free(others);
	fix_add(finding, FIX_FRAGMENT, "INSERT AFTER %s;", found->last->name);
}

bool check_at_zero(struct check *check)
{
	struct at_zero found;

	if (check->image.module)
		return false;
	found = find_unloaded(&check->image);
	if (found.count) {
		report(check, SEVERITY_ERROR, &found,
			"outside of the image's memory: the linker script puts nothing but assignments into the "
			"section, and lld gives such a section the flags of the coverage mapping, which comes before "
			"the section");
		return true;
	}
	found = find_restarted(&check->image);
	if (found.count)
		report(check, SEVERITY_WARNING, &found,
			"below all other sections: if the linker script does not ask for this address, the script "
			"uses the dot after the coverage mapping, where GNU ld has set the dot to 0");
	return found.count;
}
