/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_image.c - reads the map of a machine profile from the ELF file of the image. */
#include "mip_image.h"
#include "elf_info.h"
#include "mip_blocks.h"
#include "mip_map.h"

#include <elf.h>
#include <string.h>

/* Compilers with the draft of version 8 make one raw section, which starts with its header. */
#define V8_SECTION_RAW "__llvm_mipraw"

const char *mip_image_bounds(enum mip_section section)
{
	static const char *const bounds[MIP_SECTIONS] = {BAREPROF_MIP_BOUNDS_COVERAGE, BAREPROF_MIP_BOUNDS_CALLS,
		BAREPROF_MIP_BOUNDS_BLOCKS, BAREPROF_MIP_BOUNDS_SAMPLES};

	return bounds[section];
}

bool mip_image_extent(const struct image *image, enum mip_section section, struct mip_extent *extent)
{
	static const char *const names[MIP_SECTIONS] = {BAREPROF_MIP_SECTION_COVERAGE, BAREPROF_MIP_SECTION_CALLS,
		BAREPROF_MIP_SECTION_BLOCKS, BAREPROF_MIP_SECTION_SAMPLES};
	const struct image_symbol *start = image_bound(image, BOUNDS_OURS, mip_image_bounds(section), false);
	const struct image_symbol *stop = image_bound(image, BOUNDS_OURS, mip_image_bounds(section), true);
	const struct image_section *found = image_section(image, names[section]);

	*extent = (struct mip_extent){0};
	if (start && stop && stop->value >= start->value)
		*extent = (struct mip_extent){start->value, stop->value - start->value};
	else if (found)
		*extent = (struct mip_extent){found->address, found->size};
	else
		return false;
	return true;
}

uint64_t mip_image_base(const struct image *image)
{
	const struct image_section *section = image_section(image, V8_SECTION_RAW);
	struct mip_extent extent;
	unsigned int i;

	if (section)
		return section->address;
	/*
	 * In version 8, offsets count from a header before the raw bytes. An image of bareprof has no such header, so
	 * the offsets count from the place where the header would be.
	 */
	for (i = 0; i < MIP_SECTIONS; i++)
		if (mip_image_extent(image, (enum mip_section)i, &extent) && extent.size)
			return extent.address - BAREPROF_MIP_V8_HEADER;
	return 0;
}

enum status mip_image_id(struct mip_profile *profile, const struct image *image, struct error *error)
{
	struct elf_info info;
	bool unstamped;

	elf_examine(&info, image->elf);
	unstamped = info.unstamped;
	buffer_add(&profile->id, info.build_id.data, info.build_id.size);
	elf_free(&info);
	if (unstamped)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a build id of zeros: run 'bareprof stamp' on the ELF file after each link");
	return STATUS_OK;
}

static enum status place(struct mip_profile *profile, const struct image *image, struct error *error)
{
	struct mip_extent extents[MIP_SECTIONS];
	unsigned int i;
	size_t j;

	for (i = 0; i < MIP_SECTIONS; i++)
		mip_image_extent(image, (enum mip_section)i, &extents[i]);
	if (profile->relative)
		extents[MIP_COVERAGE].address = mip_image_base(image);
	/* A relocation against a Thumb function adds the Thumb bit to its address. */
	for (j = 0; j < profile->count && image->machine == EM_ARM; j++)
		profile->functions[j].address &= ~(uint64_t)1;
	/* An image that has only blocks has no map. */
	memcpy(profile->section, extents, sizeof(extents));
	if (profile->count && mip_map_place(profile, extents, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	if (!profile->relative && (mip_blocks_read(profile, image, &extents[MIP_BLOCKS], error) != STATUS_OK ||
					  mip_profile_check(profile, error) != STATUS_OK))
		return STATUS_INVALID_INPUT;
	/* The sections of a module have no addresses in the file. A loader places each of them anywhere. */
	for (i = 0; i < MIP_SECTIONS && image->module; i++)
		profile->section[i].address = 0;
	return STATUS_OK;
}

static size_t count_sections(const struct image *image, const char *name)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < image->section_count; i++)
		count += !strcmp(image->sections[i].name, name);
	return count;
}

enum status mip_image_map(struct mip_profile *profile, const struct image *image, struct error *error)
{
	const struct image_section *section = image_section(image, BAREPROF_MIP_SECTION_MAP);
	struct buffer map = {0};
	enum status status = STATUS_OK;

	profile->width = image->width;
	profile->machine = image->machine;
	if (!section && mip_blocks_section(image)) {
		profile->version = BAREPROF_MIP_V9;
		return place(profile, image, error);
	}
	if (!section)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no section '" BAREPROF_MIP_SECTION_MAP
			"'; compile it with 'bareprof mip cc', link it with mip.ld, "
			"and give the ELF file as it was before strip");
	/* Only one of the sections would be read, so functions would be missing. */
	if (count_sections(image, BAREPROF_MIP_SECTION_MAP) > 1)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %zu sections '" BAREPROF_MIP_SECTION_MAP
			"', so it is not linked yet, or its linker script does not join them: link it with mip.ld",
			count_sections(image, BAREPROF_MIP_SECTION_MAP));
	image_relocate_section(image, section, &map);
	status = mip_map_read(profile, (struct bytes){map.data, map.size}, error);
	buffer_free(&map);
	return status == STATUS_OK ? place(profile, image, error) : status;
}

enum status mip_image_read(struct mip_profile *profile, const struct image *image, struct error *error)
{
	enum status status = mip_image_map(profile, image, error);

	return status == STATUS_OK ? mip_image_id(profile, image, error) : status;
}
