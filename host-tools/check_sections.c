/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_sections.c - the sections of an image's profile as such: bounds that
 * the runtime goes by, what is loaded without need, and what tools want besides.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>

static const char fragment[] = "add to the linker's command line, before your script: -T bareprof.ld";

/* One finding for all that are not defined. */
static void check_bound(struct check *check, const char *prefix, size_t i, uint64_t wanted, struct buffer *undefined)
{
	char *symbol = format("%s%s", prefix, part_name[i]);
	const struct image_symbol *found = image_symbol(&check->image, symbol);

	if (!found)
		buffer_printf(undefined, "%s%s", undefined->size ? ", " : "", symbol);
	else if (found->value != wanted)
		check_add(check, SEVERITY_ERROR, "bound-wrong", fragment,
			"%s is 0x%" PRIx64 ", but that bound of the section is 0x%" PRIx64
			": the runtime would see other bytes than were linked",
			symbol, found->value, wanted);
	free(symbol);
}

static void check_bounds(struct check *check)
{
	struct buffer undefined = {0};
	size_t i;

	if (!check->image.symbol_count) {
		check_add(check, SEVERITY_NOTE, "stripped", "check the image before strip or objcopy",
			"the image has no symbols: whether the bounds of the sections are right, and what is static "
			"in it, cannot be known");
		return;
	}
	for (i = 0; i < PARTS; i++) {
		if (!check->present[i])
			continue;
		check_bound(check, "__start_", i, check->part[i].address, &undefined);
		check_bound(check, "__stop_", i, check->part[i].address + check->part[i].size, &undefined);
	}
	if (undefined.size)
		check_add(check, SEVERITY_ERROR, "bounds-undefined", fragment,
			"bounds that the runtime goes by are not defined: %s", buffer_string(&undefined));
	buffer_free(&undefined);
}

static void check_alignment(struct check *check)
{
	static const char *const fix[] = {
		"__llvm_prf_cnts : ALIGN(8) { KEEP(*(__llvm_prf_cnts)) }",
		"__llvm_prf_data : ALIGN(8) { KEEP(*(__llvm_prf_data)) }",
	};
	size_t i;

	for (i = 0; i <= PART_RECORDS; i++)
		if (check->present[i] && check->part[i].address % 8)
			check_add(check, SEVERITY_ERROR, "misaligned", fix[i],
				"%s starts at 0x%" PRIx64
				", which is no multiple of 8: the runtime and the tools refuse that",
				part_name[i], check->part[i].address);
}

static void check_covmap(struct check *check)
{
	static const char *const names[] = {"__llvm_covmap", "__llvm_covfun"};
	uint64_t loaded = 0;
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct image_section *section = image_section(&check->image, names[i]);

		if (section && (section->loaded || (section->allocated && section->size)))
			loaded += section->size;
	}
	if (loaded)
		check_add(check, SEVERITY_WARNING, "mapping-loaded",
			"__llvm_covmap 0 (INFO) : { KEEP(*(__llvm_covmap)) }  __llvm_covfun 0 (INFO) : { "
			"KEEP(*(__llvm_covfun)) }",
			"the coverage mapping is loaded with the image, %" PRIu64
			" bytes that only llvm-cov reads, from the ELF file",
			loaded);
	check->loaded += loaded;
	check->spare += loaded;
	if (!image_section(&check->image, names[0]))
		check_add(check, check->version_word & BAREPROF_VARIANT_IR ? SEVERITY_NOTE : SEVERITY_WARNING,
			"no-mapping",
			check->version_word & BAREPROF_VARIANT_IR
				? NULL
				: "compile and link with: -fcoverage-mapping, and keep "
				  "__llvm_covmap and __llvm_covfun in the linker script",
			"the image has no coverage mapping: its profile serves PGO, but no coverage report");
}

static void check_build_id(struct check *check)
{
	const struct image_symbol *start = image_symbol(&check->image, "__start_bareprof_build_id");
	const struct image_symbol *stop = image_symbol(&check->image, "__stop_bareprof_build_id");

	if (!check->build_id)
		check_add(check, SEVERITY_WARNING, "no-build-id", "link with: --build-id=sha1",
			"the image has no build id: nothing tells whose profile a dump is");
	else if (start && stop && stop->value - start->value != check->build_id)
		check_add(check, SEVERITY_WARNING, "build-id-unbounded", fragment,
			"the image has a build id of %zu bytes, but its bounds have %" PRIu64
			": dumps will not carry it",
			check->build_id, stop->value - start->value);
}

static void count_loaded(struct check *check)
{
	size_t i;

	for (i = 0; i < PARTS; i++) {
		const struct image_section *section =
			image_where(&check->image, check->part[i].address, check->part[i].size);

		if (!section || !section->loaded)
			continue;
		check->loaded += check->part[i].size;
		if (i != PART_COUNTERS && i != PART_BITMAPS)
			check->spare += check->part[i].size;
	}
}

void check_sections(struct check *check)
{
	check_bounds(check);
	check_alignment(check);
	check_covmap(check);
	check_build_id(check);
	count_loaded(check);
}
