/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_machine.c - checks the parts of a machine profile: the raw sections, the map that says which raw byte belongs
 * to which function, and the symbols at the bounds of the raw sections.
 */
#include "check.h"
#include "mip_blocks.h"
#include "mip_image.h"

#include <bareprof/layout.h>

#include <inttypes.h>

/* The linker script fragment that places the raw sections and the map. */
#define FRAGMENT "-T mip.ld"

/* The parts of a machine profile that an image has. */
struct parts {
	const struct image_section *map; /* NULL: there is none */
	struct mip_extent extent[MIP_SECTIONS];
	bool has_table; /* the image has block bytes and the table of blocks */
	bool raw[MIP_SECTIONS]; /* the image has the raw section, or the symbols at its bounds */
	/*
	 * The image has the symbols at the bounds of a raw section, so it was linked for machine profiles. Functions of
	 * the runtime do not show that, because they are in each image that is linked without --gc-sections.
	 */
	bool linked;
};

static bool is_bounded(const struct check *check, unsigned int section)
{
	const char *bounds = mip_image_bounds((enum mip_section)section);

	return image_bound(&check->image, BOUNDS_OURS, bounds, false) &&
	       image_bound(&check->image, BOUNDS_OURS, bounds, true);
}

static struct parts find_parts(const struct check *check)
{
	struct parts parts = {.map = image_section(&check->image, BAREPROF_MIP_SECTION_MAP)};
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++) {
		parts.raw[i] = mip_image_extent(&check->image, (enum mip_section)i, &parts.extent[i]);
		parts.linked |= is_bounded(check, i);
	}
	parts.has_table = parts.extent[MIP_BLOCKS].size && mip_blocks_section(&check->image);
	return parts;
}

/* An image that has LLVM's counters may be linked for both, and compiled for only one of them. */
static struct finding *add_no_functions(struct check *check, const char *reason)
{
	return check_add_as(check, check->present[SECTION_COUNTERS] ? SEVERITY_WARNING : SEVERITY_ERROR,
		FINDING_MIP_NO_FUNCTIONS, "the image was linked for machine profiles, but %s", reason);
}

static void report_no_map(struct check *check, const struct parts *parts)
{
	uint64_t size =
		parts->extent[MIP_COVERAGE].size + parts->extent[MIP_CALLS].size + parts->extent[MIP_BLOCKS].size;

	if (!size)
		fix_add(add_no_functions(check, "none of its code was compiled for them"), FIX_COMPILE,
			"bareprof mip cc COMPILER");
	else
		fix_add(check_add(check, FINDING_MIP_NO_MAP,
				"the image has %" PRIu64 " raw bytes of a machine profile, but no map, so nothing "
				"tells to which functions they belong: the linker script or strip dropped the "
				"section " BAREPROF_MIP_SECTION_MAP,
				size),
			FIX_LINK, FRAGMENT);
}

/* Without the symbols at their bounds, the runtime finds no raw bytes. */
static void check_symbols(struct check *check, const struct parts *parts)
{
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++) {
		const char *bounds = mip_image_bounds((enum mip_section)i);

		if (!parts->extent[i].size || is_bounded(check, i))
			continue;
		fix_add(check_add(check, FINDING_BOUNDS_UNDEFINED,
				"__start_%s and __stop_%s are not defined, so the runtime cannot find the %" PRIu64
				" raw bytes of machine profiles",
				bounds, bounds, parts->extent[i].size),
			FIX_LINK, FRAGMENT);
	}
}

/* Returns whether the runtime's table of bounds at @table has the raw section as its entry number @index. */
static bool is_in_table(
	const struct check *check, const struct image_symbol *table, enum mip_section section, unsigned int index)
{
	const struct image_symbol *start = image_bound(&check->image, BOUNDS_OURS, mip_image_bounds(section), false);
	uint64_t address = table->value + 8 * (uint64_t)index;
	const struct image_section *where = image_where(&check->image, address, 4);
	struct bytes content = where ? image_content(&check->image, where) : (struct bytes){0};
	uint64_t distance;

	if (!where || content.size < address - where->address + 4)
		return false;
	distance = load_uint(content.data + (address - where->address), 4, check->image.big);
	return start && (uint32_t)(start->value - address) == (uint32_t)distance;
}

/*
 * A runtime that was compiled without blocks and samples has shorter tables of bounds: one in mip_self.c, and one in
 * mip_small.c.
 */
static void check_served(struct check *check, const struct parts *parts, enum mip_section section, const char *option)
{
	static const struct {
		const char *name;
		unsigned int blocks; /* number of the entry of the block bytes; the samples follow */
	} tables[] = {{"bareprof_mip_bounds", BAREPROF_NAMES}, {"bareprof_mip_small_bounds", 3}};
	size_t i;

	for (i = 0; parts->extent[section].size && i < sizeof(tables) / sizeof(*tables); i++) {
		const struct image_symbol *table = image_symbol(&check->image, tables[i].name);

		if (!table || is_in_table(check, table, section, tables[i].blocks + section - MIP_BLOCKS))
			continue;
		fix_add(check_add(check, FINDING_MIP_NOT_SERVED,
				"the image has %" PRIu64
				" %s, but its runtime was compiled without the option for them, so dumps do not "
				"contain them",
				parts->extent[section].size, mip_section_what(section)),
			FIX_COMPILE, "%s for bareprof.c", option);
		return;
	}
}

static void count_functions(struct check *check, const struct mip_profile *profile)
{
	size_t samples = 0;
	size_t i;

	for (i = 0; i < profile->count; i++) {
		if (profile->functions[i].kinds)
			check->machine.functions++;
		else
			check->machine.left_out++;
		samples += (profile->functions[i].kinds & BAREPROF_MIP_KIND_RETURNS) != 0;
	}
	if (samples && !check->machine.sample_bytes)
		fix_add(check_add(check, FINDING_MIP_NO_RING,
				"%zu function%s samples of calls, but the image has no ring for samples, "
				"so the samples are dropped",
				samples, samples == 1 ? " takes" : "s take"),
			FIX_DEFINITION, "BAREPROF_MIP_RING(1024);");
	if (!check->machine.functions)
		fix_add(add_no_functions(check, "all functions in its map are left out: 'bareprof mip show --left-out' "
						"lists the reasons"),
			FIX_COMPILE, "bareprof mip cc COMPILER, with fewer excluded functions");
}

static void check_map(struct check *check, const struct parts *parts)
{
	struct mip_profile profile = {0};
	struct error error;

	if (mip_image_map(&profile, &check->image, &error) != STATUS_OK)
		fix_add(check_add(check, FINDING_MIP_MAP_DAMAGED,
				"the map of the machine profile cannot be used: the image %s", error.text),
			FIX_LINK, FRAGMENT);
	else
		count_functions(check, &profile);
	mip_profile_free(&profile);
	if (parts->map && (parts->map->allocated || parts->map->loaded))
		fix_add(check_add(check, FINDING_MIP_MAP_LOADED,
				"the map of the machine profile is loaded with the image and takes %" PRIu64
				" bytes of memory; only the host reads the map, and takes it from the ELF file",
				parts->map->size),
			FIX_LINK, FRAGMENT);
}

void check_machine(struct check *check)
{
	struct parts parts = find_parts(check);

	check->machine.present = parts.map || parts.raw[MIP_COVERAGE] || parts.raw[MIP_CALLS] || parts.linked;
	check->machine.coverage_bytes = parts.extent[MIP_COVERAGE].size;
	check->machine.call_bytes = parts.extent[MIP_CALLS].size;
	check->machine.block_bytes = parts.extent[MIP_BLOCKS].size;
	check->machine.sample_bytes = parts.extent[MIP_SAMPLES].size;
	if (!check->machine.present)
		return;
	check_symbols(check, &parts);
	check_served(check, &parts, MIP_BLOCKS, "-DBAREPROF_MIP_BLOCKS_MODE");
	check_served(check, &parts, MIP_SAMPLES, "-DBAREPROF_MIP_SAMPLES_MODE");
	/* If an image has only blocks, its functions are in the table of blocks. */
	if (!parts.has_table && (!parts.map || !parts.map->size))
		report_no_map(check, &parts);
	else
		check_map(check, &parts);
}
