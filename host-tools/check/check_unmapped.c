/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_unmapped.c - compares the addresses of the counters with the memory that is mapped
 * when instrumented code runs. The option --mapped gives this memory.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>

/* Reads an address: a number as in C, or a symbol. */
static bool read_address(const struct check *check, const char *word, uint64_t *address)
{
	const struct image_symbol *symbol;

	if (*word >= '0' && *word <= '9')
		return parse_address(word, address);
	symbol = image_symbol(&check->image, word);
	if (symbol)
		*address = symbol->value;
	return symbol != NULL;
}

uint64_t check_bias(const struct check *check, enum profile_section counted)
{
	const struct image *image = &check->image;
	const struct image_symbol *symbol = image_symbol(
		image, counted == SECTION_BITMAPS ? "__llvm_profile_bitmap_bias" : "__llvm_profile_counter_bias");
	const struct image_section *section = symbol ? image_where(image, symbol->value, sizeof(uint64_t)) : NULL;
	struct bytes bytes;

	if (!section ||
		!bytes_slice(image_content(image, section), symbol->value - section->address, sizeof(uint64_t), &bytes))
		return 0;
	return load_uint(bytes.data, sizeof(uint64_t), image->big);
}

/* Adds a finding if any byte of the section is outside of the mapped memory, which is from @start to @stop. */
static void check_one(struct check *check, enum profile_section section, uint64_t start, uint64_t stop)
{
	struct extent extent = check->extent[section];
	uint64_t bias = check_bias(check, section);

	extent.address += bias;
	if (check->image.width == 4)
		extent.address &= UINT32_MAX;
	if (!check->present[section] || check->not_loaded[section] || extent_within(extent, start, stop))
		return;
	check_add(check, FINDING_COUNTERS_UNMAPPED,
		"%s%s extends from 0x%" PRIx64 " to 0x%" PRIx64 ", but the memory of --mapped extends from 0x%" PRIx64
		" to 0x%" PRIx64
		": the first count outside of that memory would fault, or hang without a message if flash is there; %s",
		section_name[section], bias ? ", with its bias," : "", extent.address, extent.address + extent.size,
		start, stop,
		bias ? "pass an address in that memory to BAREPROF_BIAS"
		     : "if the code starts in flash and then copies itself to RAM, put BAREPROF_BIAS(ADDRESS, ) into "
		       "the copied range, with an ADDRESS in that memory, and compile with -mllvm "
		       "-runtime-counter-relocation (docs/PORTING-FIRMWARE.md); otherwise, move the section into that "
		       "memory");
}

enum status check_unmapped(struct check *check, struct error *error)
{
	const char *colon = check->mapped ? strchr(check->mapped, ':') : NULL;
	char *words[2];
	uint64_t bounds[2];
	enum status status = STATUS_OK;
	size_t i;

	if (!check->mapped)
		return STATUS_OK;
	if (!colon)
		return error_set(error, STATUS_USAGE,
			"--mapped takes START:END (each is an address or a symbol), not '%s'", check->mapped);
	words[0] = format("%.*s", (int)(colon - check->mapped), check->mapped);
	words[1] = format("%s", colon + 1);
	for (i = 0; i < 2 && status == STATUS_OK; i++)
		if (!read_address(check, words[i], &bounds[i]))
			status = error_set(error, STATUS_USAGE, "has no symbol '%s', but --mapped names it%s", words[i],
				check->image.symbol_count ? "" : "; the image is stripped: use addresses in --mapped");
	if (status == STATUS_OK && bounds[0] >= bounds[1])
		status = error_set(error, STATUS_USAGE, "the memory of --mapped is empty: 0x%" PRIx64 " to 0x%" PRIx64,
			bounds[0], bounds[1]);
	if (status == STATUS_OK) {
		check_one(check, SECTION_COUNTERS, bounds[0], bounds[1]);
		check_one(check, SECTION_BITMAPS, bounds[0], bounds[1]);
	}
	free(words[0]);
	free(words[1]);
	return status;
}
