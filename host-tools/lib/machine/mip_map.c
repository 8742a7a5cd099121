/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_map.c - reads and writes maps of version 9, and computes where raw bytes are in their sections. */
#include "mip_map.h"
#include "mip_header.h"
#include "mip_map_v8.h"

#include <inttypes.h>
#include <string.h>

/* Checks the fields that do not depend on other fields. Returns the reason why they are wrong, or NULL. */
static const char *find_fault(const struct mip_function *function, struct bytes name, size_t padding)
{
	bool calls = function->kinds & BAREPROF_MIP_KIND_CALLS;
	size_t i;

	if (!mip_kinds_valid(function->kinds) || (function->kinds & BAREPROF_MIP_KIND_BLOCKS))
		return "its kinds are neither 0, 1 nor 12";
	if (!function->kinds != (function->reason != 0))
		return "it has a reason why the function is left out, but also kinds, or neither";
	if (function->start && function->start != 0xff)
		return "the start value is neither 0 nor 255";
	if (calls && function->start != BAREPROF_MIP_CALLS_START)
		return "the start value of a call entry is not 255";
	if (!name.size || memchr(name.data, 0, name.size))
		return "the name is empty or contains a zero byte";
	for (i = 0; i < padding; i++)
		if (name.data[name.size + i])
			return "the padding after the name is not zero";
	return NULL;
}

/* Reads the record at @offset, and sets *@size to its size. */
static enum status read_record(
	struct mip_profile *profile, struct bytes bytes, size_t offset, size_t *size, struct error *error)
{
	struct mip_function function = {0};
	struct mip_start start;
	struct bytes record;
	const char *fault;
	uint64_t padding;
	const uint8_t *p;

	if (!bytes_slice(bytes, offset, BAREPROF_MIP_MAP_NAME, &record))
		return mip_map_bad_record(offset, "the file ends within its fixed part", error);
	p = record.data;
	if (!mip_start_read(&start, record) || start.big)
		return mip_map_bad_record(offset, "it does not start with the bytes FB 4D 49 50", error);
	if (start.version != BAREPROF_MIP_V9 || start.type != BAREPROF_MIP_TYPE_MAP)
		return mip_map_bad_record(offset, "it is not a map record of version 9", error);
	*size = (size_t)load_uint(p + BAREPROF_MIP_MAP_SIZE, 4, false);
	function.name.data = p + BAREPROF_MIP_MAP_NAME;
	function.name.size = (size_t)load_uint(p + BAREPROF_MIP_MAP_NAME_SIZE, 4, false);
	if (*size % 8 || *size < BAREPROF_MIP_MAP_NAME || !bytes_slice(bytes, offset, *size, &record))
		return mip_map_bad_record(offset, "its size is not a multiple of 8, or exceeds the file", error);
	padding = *size - BAREPROF_MIP_MAP_NAME - function.name.size;
	if (function.name.size > *size - BAREPROF_MIP_MAP_NAME || padding >= 8)
		return mip_map_bad_record(offset, "the length of the name does not fit the size of the record", error);
	function.kinds = (uint32_t)load_uint(p + BAREPROF_MIP_MAP_KINDS, 2, false);
	function.reason = p[BAREPROF_MIP_MAP_REASON];
	function.start = p[BAREPROF_MIP_MAP_START];
	function.raw = load_uint(p + BAREPROF_MIP_MAP_RAW, 8, false);
	function.address = load_uint(p + BAREPROF_MIP_MAP_FUNCTION, 8, false);
	function.size = (uint32_t)load_uint(p + BAREPROF_MIP_MAP_FUNCTION_SIZE, 4, false);
	fault = find_fault(&function, function.name, (size_t)padding);
	if (fault)
		return mip_map_bad_record(offset, fault, error);
	mip_profile_add(profile, &function);
	return STATUS_OK;
}

enum status mip_map_read(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct mip_start start;
	enum status status;
	size_t offset = 0;
	size_t size = 0;

	if (!bytes.size)
		return error_set(error, STATUS_INVALID_INPUT,
			"is an empty map; compile the image with 'bareprof mip cc', and keep the section "
			"'" BAREPROF_MIP_SECTION_MAP "' when you link");
	status = mip_start_expect(&start, bytes, BAREPROF_MIP_TYPE_MAP, error);
	if (status != STATUS_OK)
		return status;
	profile->version = start.version;
	if (start.version == BAREPROF_MIP_V8)
		return mip_map_v8_read(profile, bytes, error);
	for (; offset < bytes.size && status == STATUS_OK; offset += size)
		status = read_record(profile, bytes, offset, &size, error);
	return status;
}

enum status mip_map_place(
	struct mip_profile *profile, const struct mip_extent section[MIP_SECTIONS], struct error *error)
{
	size_t i;

	if (profile->relative) {
		/* All functions of version 8 have the same kinds, so only one of the two sections is used. */
		profile->section[MIP_COVERAGE].address = section[MIP_COVERAGE].address;
		profile->section[MIP_CALLS].address = section[MIP_COVERAGE].address;
		return mip_profile_check(profile, error);
	}
	memcpy(profile->section, section, sizeof(profile->section));
	for (i = 0; i < profile->count; i++) {
		struct mip_function *function = &profile->functions[i];

		/* An address below the section becomes a large offset, which mip_profile_check() refuses. */
		function->raw = function->kinds ? function->raw - section[mip_section_of(function->kinds)].address : 0;
	}
	return mip_profile_check(profile, error);
}

enum status mip_map_guess(struct mip_profile *profile, struct error *error)
{
	struct mip_extent section[MIP_SECTIONS] = {[MIP_COVERAGE] = {UINT64_MAX, 0}, [MIP_CALLS] = {UINT64_MAX, 0}};
	uint64_t end[MIP_SECTIONS] = {0};
	size_t i;

	if (profile->relative)
		return mip_profile_check(profile, error);
	profile->guessed = true;
	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];
		enum mip_section in = mip_section_of(function->kinds);
		uint64_t stop = function->raw + mip_raw_size(profile, function);

		if (!function->kinds)
			continue;
		if (stop < function->raw)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a record whose raw bytes are at the address 0x%" PRIx64
				", at the end of all addresses; link the image again",
				function->raw);
		if (function->raw < section[in].address)
			section[in].address = function->raw;
		if (stop > end[in])
			end[in] = stop;
	}
	for (i = 0; i < MIP_SECTIONS; i++) {
		section[i].address = end[i] ? section[i].address & ~(uint64_t)7 : 0;
		section[i].size = end[i] - section[i].address;
	}
	return mip_map_place(profile, section, error);
}

static void write_record(struct buffer *out, const struct mip_profile *profile, const struct mip_function *function)
{
	size_t size = (BAREPROF_MIP_MAP_NAME + function->name.size + 7) & ~(size_t)7;
	uint64_t raw = function->kinds ? profile->section[mip_section_of(function->kinds)].address + function->raw : 0;

	mip_put(out, BAREPROF_MIP_MAGIC, 4);
	mip_put(out, BAREPROF_MIP_V9, 2);
	mip_put(out, BAREPROF_MIP_TYPE_MAP, 2);
	mip_put(out, size, 4);
	mip_put(out, function->kinds, 2);
	mip_put(out, function->reason, 1);
	mip_put(out, function->start, 1);
	mip_put(out, raw, 8);
	mip_put(out, function->address, 8);
	mip_put(out, function->size, 4);
	mip_put(out, function->name.size, 4);
	buffer_add(out, function->name.data, function->name.size);
	mip_pad(out);
}

enum status mip_map_write(
	struct buffer *out, const struct mip_profile *profile, unsigned int version, struct error *error)
{
	size_t i;

	if (profile->numbered)
		return error_set(error, STATUS_INVALID_INPUT,
			"was made from counters of clang, so it has no map; make the map from the ELF file");
	if (version == BAREPROF_MIP_V8)
		return mip_map_v8_write(out, profile, error);
	if (profile->kinds & BAREPROF_MIP_KIND_BLOCKS && !profile->relative)
		return error_set(error, STATUS_INVALID_INPUT,
			"has block coverage, which a map of version 9 cannot hold; make a machine profile (.mip) with "
			"'bareprof mip create', which serves as a map too");
	if (profile->relative)
		return error_set(error, STATUS_INVALID_INPUT,
			"is a map of version 8, which has no addresses, so it cannot become a map of version 9; make a "
			"machine profile of version 9 with 'bareprof mip create'");
	for (i = 0; i < profile->count; i++)
		write_record(out, profile, &profile->functions[i]);
	return STATUS_OK;
}
