/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_sections.c - checks the addresses of an image's profile sections. Also finds sections that are loaded although
 * the target does not need them, and reports sections that are missing although other tools need them.
 */
#include "check.h"

#include <inttypes.h>

static void check_alignment(struct check *check)
{
	enum profile_section i;

	for (i = 0; i <= SECTION_RECORDS; i++)
		if (check->present[i] && !check->not_loaded[i] && check->extent[i].address % 8)
			fix_section(check_add(check, FINDING_MISALIGNED,
					    "%s starts at 0x%" PRIx64 ", which is not a multiple of 8: the runtime and "
					    "LLVM's tools refuse such a profile",
					    section_name[i], check->extent[i].address),
				i);
}

static void check_writable(struct check *check)
{
	static const enum profile_section written[] = {SECTION_COUNTERS, SECTION_BITMAPS};
	size_t i;

	for (i = 0; check->image.protects && i < sizeof(written) / sizeof(*written); i++) {
		const struct extent *extent = &check->extent[written[i]];
		const struct image_section *section = image_where(&check->image, extent->address, extent->size);

		if (section && !section->writable && !check->not_loaded[written[i]])
			fix_section(check_add(check, FINDING_COUNTERS_READ_ONLY,
					    "%s is in a read-only segment (section %s): the first count would fault",
					    section_name[written[i]], section->name),
				written[i]);
	}
}

static void missing_mapping(struct check *check)
{
	/* clang's symbol for the mapping of a function begins with this prefix. */
	const struct image_symbol *stray = image_prefix(&check->image, "__covrec_");
	bool pgo = check->version_word & BAREPROF_VARIANT_IR;
	struct finding *finding;

	if (stray) {
		finding = check_add(check, FINDING_NO_MAPPING,
			"the linker merged the coverage mapping into other sections, but llvm-cov needs the sections "
			"__llvm_covmap and __llvm_covfun");
	} else {
		finding = check_add_as(check, pgo ? SEVERITY_NOTE : SEVERITY_WARNING, FINDING_NO_MAPPING,
			"the image has no coverage mapping: its profile is good for PGO, but not for coverage reports");
		if (pgo)
			return;
		fix_add(finding, FIX_COMPILE, "-fcoverage-mapping");
	}
	fix_mapping(finding);
}

/*
 * If @at_zero, the linker put memory at address 0. A segment may then go to the end of the address space, and so
 * contain the mapping. Other lines for the mapping do not change this segment, so only a mapping with an address is
 * reported.
 */
static void check_covmap(struct check *check, bool at_zero)
{
	static const char *const names[] = {"__llvm_covmap", "__llvm_covfun"};
	uint64_t loaded = 0;
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct image_section *section = image_section(&check->image, names[i]);

		if (section && ((section->loaded && !at_zero) || (section->allocated && section->size)))
			loaded += section->size;
	}
	if (loaded)
		fix_mapping(check_add(check, FINDING_MAPPING_LOADED,
			"the coverage mapping is loaded with the image and takes %" PRIu64
			" bytes of memory; only llvm-cov reads the mapping, and takes it from the ELF file",
			loaded));
	check->loaded += loaded;
	check->could_be_unloaded += loaded;
	if (!image_section(&check->image, names[0]))
		missing_mapping(check);
}

void check_build_id(struct check *check)
{
	const struct image_symbol *start = image_symbol(&check->image, "__start_bareprof_build_id");
	const struct image_symbol *stop = image_symbol(&check->image, "__stop_bareprof_build_id");
	const char *wanted =
		check->lean ? "the ELF file that has its records and names" : "the image that it comes from";

	if (check->unstamped)
		fix_add(check_add_as(check, check->lean ? SEVERITY_ERROR : SEVERITY_WARNING, FINDING_NOT_STAMPED,
				"the image has only empty space for a build id: without a build id, a dump does not "
				"identify %s",
				wanted),
			FIX_LINKED, "bareprof stamp %s", check->path);
	else if (!check->build_id)
		fix_add(check_add_as(check, check->lean ? SEVERITY_ERROR : SEVERITY_WARNING, FINDING_NO_BUILD_ID,
				"the image has no build id: a dump does not identify %s; if your linker has no "
				"--build-id, compile bareprof.c with -DBAREPROF_STAMP, and run bareprof stamp after "
				"the link",
				wanted),
			FIX_LINK, "--build-id=sha1");
	else if (start && stop && stop->value - start->value != check->build_id)
		fix_build_id(check_add(check, FINDING_BUILD_ID_UNBOUNDED,
			"the build id has %zu bytes, but the symbols at its start and end enclose %" PRIu64
			": dumps will not contain the build id",
			check->build_id, stop->value - start->value));
}

static void count_loaded(struct check *check)
{
	size_t i;

	for (i = 0; i < SECTIONS; i++) {
		const struct image_section *section =
			image_where(&check->image, check->extent[i].address, check->extent[i].size);

		if (!section || !section->loaded || check->not_loaded[i])
			continue;
		check->loaded += check->extent[i].size;
		if (i != SECTION_COUNTERS && i != SECTION_BITMAPS)
			check->could_be_unloaded += check->extent[i].size;
	}
}

void check_sections(struct check *check)
{
	check_alignment(check);
	check_writable(check);
	check_covmap(check, check_at_zero(check));
	check_mapping(check);
	check_build_id(check);
	count_loaded(check);
}
