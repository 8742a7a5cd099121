/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_raw_fits.c - checks that a raw profile and a map come from the same link. Only build ids prove that. Without
 * them, sizes and addresses are compared, which another build of the same sources may share.
 */
#include "mip_link.h"
#include "mip_map_v8.h"
#include "mip_raw.h"

#include <inttypes.h>

/* Returns the number of raw bytes that the map expects in a section of @raw. In version 8, one section is the file. */
static uint64_t expected_size(const struct mip_raw *raw, const struct mip_profile *profile, unsigned int section)
{
	if (raw->version != BAREPROF_MIP_V8)
		return profile->section[section].size;
	return section == mip_section_of(profile->kinds) ? profile->size_v8 : 0;
}

static enum status check_sizes(const struct mip_raw *raw, const struct mip_profile *profile, struct error *error)
{
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++) {
		uint64_t expected = expected_size(raw, profile, i);
		uint64_t actual = raw->section[i].size;
		/* If the map came without its ELF file, bytes that fill up the section at its end are not known. */
		uint64_t slack = profile->guessed ? 7 : 0;

		/* The memory for samples belongs to the target alone, so the map does not know its size. */
		if (i == MIP_SAMPLES)
			continue;
		if (i == MIP_BLOCKS && !actual && expected)
			return error_set(error, STATUS_INVALID_INPUT,
				"has no block bytes, but the map has %" PRIu64
				"; compile the runtime of the image with -DBAREPROF_MIP_BLOCKS_MODE or "
				"CONFIG_BAREPROF_MIP_BLOCKS",
				expected);
		if (actual < expected || actual - expected > slack)
			return error_set(error, STATUS_INVALID_INPUT,
				"has %" PRIu64 " %s, but the map has %" PRIu64
				", so they come from different links; create the profile from the ELF file that was "
				"run",
				actual, mip_section_what((enum mip_section)i), expected);
	}
	return STATUS_OK;
}

/*
 * A loader moves all sections by the same distance. In a raw profile that was made from a dump without its ELF file,
 * only the address of the first section is not 0, because BEGIN has only one address. In the map of a module, all
 * addresses are 0.
 */
static enum status check_addresses(const struct mip_raw *raw, const struct mip_profile *profile, struct error *error)
{
	uint64_t mask = raw->width == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t slide = 0;
	bool known = false;
	unsigned int i;

	for (i = 0; i < MIP_SAMPLES; i++) {
		uint64_t own = (raw->address[i] - profile->section[i].address) & mask;

		if (!raw->section[i].size || !raw->address[i] || !profile->section[i].address)
			continue;
		if (known && own != slide)
			return error_set(error, STATUS_INVALID_INPUT,
				"has raw sections whose distances differ from those in the map, so they come from "
				"different links; create the profile from the ELF file that was run");
		slide = own;
		known = true;
	}
	return STATUS_OK;
}

enum status mip_raw_fits(
	const struct mip_raw *raw, const struct mip_profile *profile, struct buffer *note, struct error *error)
{
	enum status status;

	if (profile->numbered)
		return error_set(error, STATUS_INVALID_INPUT,
			"is a raw machine profile, but the profile was made from counters of clang; make another "
			"machine profile from the raw one, and merge both machine profiles");
	if (raw->version == BAREPROF_MIP_V9 && profile->relative)
		return error_set(error, STATUS_INVALID_INPUT,
			"is a raw profile of version 9, but the map or profile has version 8; create the profile from "
			"the ELF file that was run");
	if (raw->version == BAREPROF_MIP_V8) {
		status = mip_v8_possible(profile, error);
		if (status != STATUS_OK)
			return status;
		if (raw->kinds != mip_v8_kinds(profile) || (profile->relative && raw->module != profile->module))
			return error_set(error, STATUS_INVALID_INPUT,
				"has the kinds 0x%" PRIx32 " and the module hash 0x%08" PRIx32
				", but the map has 0x%" PRIx32 " and 0x%08" PRIx32
				"; create the profile from the map of the program that was run",
				raw->kinds, raw->module, mip_v8_kinds(profile), profile->module);
	}
	if (raw->width && profile->width && raw->width != profile->width)
		return error_set(error, STATUS_INVALID_INPUT,
			"comes from a %u-bit target, but the map from a %u-bit target; create the profile from the "
			"ELF file that was run",
			raw->width * 8, profile->width * 8);
	status = mip_same_link(raw->id, (struct bytes){profile->id.data, profile->id.size}, note, error);
	if (status == STATUS_OK)
		status = check_sizes(raw, profile, error);
	if (status == STATUS_OK && raw->version == BAREPROF_MIP_V9)
		status = check_addresses(raw, profile, error);
	return status;
}
