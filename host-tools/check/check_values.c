/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_values.c - an image with value sites: is there what notes the values, and can
 * it be written to what it keeps them in?
 */
#include "check.h"

#include <inttypes.h>

/*
 * What notes values is known by a function of it; or, where that became part of another, by
 * what is kept between calls, if it is not there for timestamps.
 */
static bool is_served(const struct check *check)
{
	return image_symbol(&check->image, "bareprof_values_start") ||
	       (image_symbol(&check->image, "bareprof_state_is_missing_write_BAREPROF_STATE") &&
		       !(check->version_word & BAREPROF_VARIANT_TEMPORAL));
}

/* The section of list heads or nodes, or that which it was put into; NULL: there is none. */
static const struct image_section *section_of(const struct check *check, const char *name)
{
	const struct image_symbol *start = image_bound(&check->image, BOUNDS_OURS, name, false);
	const struct image_symbol *stop = image_bound(&check->image, BOUNDS_OURS, name, true);
	const struct image_section *section = image_section(&check->image, name);

	if (section && section->size)
		return section;
	if (!start || !stop || stop->value <= start->value)
		return NULL;
	return image_where(&check->image, start->value, stop->value - start->value);
}

static bool is_fixed(const struct check *check, const struct image_section *section)
{
	return check->image.protects && section && !section->writable;
}

/* Without room for list heads, which clang leaves for bare metal since 18, the runtime puts pointers into the records. */
static void check_records_written(struct check *check)
{
	const struct extent *records = &check->extent[SECTION_RECORDS];
	const struct image_section *section = image_where(&check->image, records->address, records->size);
	struct finding *finding;

	if (!is_fixed(check, section))
		return;
	finding = check_add(check, FINDING_VALUE_RECORDS_FIXED,
		"the records have %" PRIu64 " value sites, but clang before 18 leaves no __llvm_prf_vals for bare "
		"metal: bareprof_values_start() writes into the records instead, which are in a segment that cannot "
		"be written to, with section %s",
		check->sites, section->name);
	fix_section(finding, SECTION_RECORDS);
}

static void check_lists_written(struct check *check, const char *name)
{
	const struct image_section *section = section_of(check, name);

	if (is_fixed(check, section))
		fix_value_lists(check_add(check, FINDING_VALUES_FIXED,
			"%s is in a segment that cannot be written to, with section %s: bareprof_values_start() would "
			"fault",
			name, section->name));
}

void check_values(struct check *check)
{
	if (!check->sites)
		return;
	if (check->lean) {
		fix_add(check_add(check, FINDING_VALUE_SITES_LEAN,
				"the image is lean, but its records have %" PRIu64
				" value sites: values are noted by way of records, and no record is in memory",
				check->sites),
			FIX_COMPILE, "-mllvm -disable-vp=true");
	} else if (!is_served(check)) {
		fix_add(check_add(check, FINDING_VALUE_SITES,
				"the records have %" PRIu64
				" value sites, but nothing in the image notes values, so that the runtime refuses "
				"it: do without, or compile the runtime with -DBAREPROF_VALUES and call "
				"bareprof_values_start()",
				check->sites),
			FIX_COMPILE, "-mllvm -disable-vp=true");
	} else {
		if (!section_of(check, "__llvm_prf_vals"))
			check_records_written(check);
		check_lists_written(check, "__llvm_prf_vals");
		check_lists_written(check, "__llvm_prf_vnds");
	}
}
