/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_records.c - checks the records of an image, and adds findings about the faults in them.
 */
#include "culprits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void find_unowned(struct check *check)
{
	struct buffer names = {0};
	size_t count = check_unused(check, &names).dropped;

	fix_records(check_add(check, FINDING_RECORDS_LOST,
		"records were lost: %" PRIu64 " bytes of counters or bitmaps belong to no record%s%s",
		check->records.unowned, count ? "; functions without a record: " : "", buffer_string(&names)));
	buffer_free(&names);
}

static void find_overlapping(struct check *check)
{
	struct records *records = &check->records;
	struct record one;
	struct record two;
	char *first;
	char *second;

	if (!records_get(records, records->version, records->first, &one) ||
		!records_get(records, records->version, records->second, &two))
		return;
	first = record_function(check, &one);
	second = record_function(check, &two);
	fix_add(check_add(check, FINDING_COUNTERS_SHARED,
			"records %zu and %zu (functions %s and %s) share counters: ld -r turned COMDAT groups into "
			"plain sections, so the final link did not recognize the second copy of a group, and kept both "
			"copies",
			records->first, records->second, first, second),
		FIX_PARTIAL_WITHOUT, "--force-group-allocation");
	free(first);
	free(second);
}

/* Adds the finding about records whose pointers are 0, because a linker dropped their relocations without an error. */
static void find_unrelocated(struct check *check, const char *function)
{
	struct finding *finding = check_add(check, FINDING_RECORDS_UNRELOCATED,
		"%zu records do not point to counters (the first belongs to function %s): GNU ld drops relocations of "
		"objects that ld.lld -r made with a linker script that merges the sections of COMDAT groups",
		check->records.bad, function);

	fix_add(finding, FIX_PARTIAL_SCRIPT_WITHOUT, "__llvm_prf_cnts");
	fix_add(finding, FIX_PARTIAL_SCRIPT_WITHOUT, "__llvm_prf_data");
	fix_add(finding, FIX_PARTIAL_SCRIPT_WITHOUT, "__llvm_prf_bits");
}

static void find_outside(struct check *check, const char *function)
{
	struct records *records = &check->records;
	struct buffer more = {0};

	if (records->bad > 1)
		buffer_printf(&more, " and %zu more", records->bad - 1);
	fix_records(check_add(check, FINDING_COUNTERS_LOST,
		"record %zu (function %s)%s ha%s counters outside of __llvm_prf_cnts: the linker dropped or moved them",
		records->first, function, buffer_string(&more), more.size ? "ve" : "s"));
	buffer_free(&more);
}

static void find_unknown(struct check *check, const char *function)
{
	struct finding *finding = check_add(check, FINDING_RECORDS_UNKNOWN,
		"record %zu (function %s) fits no known record layout (raw versions %u to %u): something is between "
		"the records, or an unknown compiler made them",
		check->records.first, function, BAREPROF_RAW_OLDEST, BAREPROF_RAW_NEWEST);

	fix_section(finding, SECTION_RECORDS);
	fix_add(finding, FIX_COMPILE_AGAIN, "everything");
}

static void add_findings(struct check *check)
{
	struct records *records = &check->records;
	char *function = record_function_at(check, records->first_at);

	switch (records->state) {
	case RECORDS_FIT:
		check_weak_duplicates(check);
		break;
	case RECORDS_MORE:
		find_unowned(check);
		break;
	case RECORDS_OVERLAP:
		find_overlapping(check);
		break;
	case RECORDS_MIXED:
		check_mixed(check);
		break;
	case RECORDS_OUTSIDE:
		if (records->unset)
			find_unrelocated(check, function);
		else
			find_outside(check, function);
		break;
	case RECORDS_STRANGE:
		find_unknown(check, function);
		break;
	}
	free(function);
}

static void count_sites(struct check *check)
{
	struct records *records = &check->records;
	struct record record;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		check->sites += record.sites;
		check->value_data += record.value_data;
	}
	check->functions = records->count;
}

static void check_declared(struct check *check)
{
	unsigned int version = (unsigned int)(check->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int found = check->records.version;

	if (version == BAREPROF_RAW_V6)
		version = BAREPROF_RAW_V7;
	if (check->layout_known && version && version != found)
		fix_add(check_add(check, FINDING_VERSION_DIFFERS,
				"__llvm_profile_raw_version declares raw version %u, but the records have raw version "
				"%u",
				version, found),
			FIX_COMPILE_AGAIN, "everything");
	if (!(~check->version_word & BAREPROF_VARIANTS_TIMELESS))
		fix_add(check_add(check, FINDING_NO_TIMESTAMPS,
				"the profile is temporal, but clang makes no timestamps if it counts function entries "
				"only: bareprof_image_init() refuses the image, and LLVM's readers crash"),
			FIX_COMPILE_WITHOUT, "-mllvm -pgo-function-entry-coverage");
}

static void no_records(struct check *check)
{
	struct finding *finding;

	if (check->version_word & BAREPROF_VARIANT_DEBUG_CORRELATE) {
		finding = check_add(check, FINDING_CORRELATED,
			"the records are only in the debug information (-profile-correlate=debug-info), and bareprof "
			"cannot complete captured counters from there; a lean image (bareprof-lean.ld) loads as few "
			"bytes without this option");
		fix_add(finding, FIX_COMPILE_WITHOUT, "-mllvm -profile-correlate=debug-info");
	} else {
		finding = check_add(
			check, FINDING_NO_RECORDS, "there are counters but no records, so their functions are unknown");
		fix_section(finding, SECTION_RECORDS);
	}
}

void check_records(struct check *check)
{
	struct records *records = &check->records;

	if (!check->present[SECTION_COUNTERS]) {
		fix_section(check_add(check, FINDING_NO_COUNTERS,
				    "the image has records but no counters: it has neither a section __llvm_prf_cnts "
				    "nor symbols at the start and end of counters in another section"),
			SECTION_COUNTERS);
		return;
	}
	if (!check->present[SECTION_RECORDS]) {
		no_records(check);
		return;
	}
	records->bytes = check->content[SECTION_RECORDS];
	records->address = check->extent[SECTION_RECORDS].address;
	records->counters = check->extent[SECTION_COUNTERS];
	records->bitmaps = check->extent[SECTION_BITMAPS];
	records->names = check->names.count ? &check->names : NULL;
	records->width = check->image.width;
	records->big = check->image.big;
	records->declared = check->version_word;
	if (!records->bytes.size) {
		fix_section(
			check_add(check, FINDING_RECORDS_NOT_FILLED,
				"__llvm_prf_data has no content in the file: records are constants, so their section "
				"must not be NOLOAD"),
			SECTION_RECORDS);
		return;
	}
	records_detect_layout(records);
	check->layout_known = records->state == RECORDS_FIT || records->state == RECORDS_MORE;
	if (!check_kinds(check))
		add_findings(check);
	if (records->count) {
		count_sites(check);
		check_values(check);
		check_names(check);
	}
	check_declared(check);
}
