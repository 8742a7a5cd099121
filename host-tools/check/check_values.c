/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_values.c - checks an image with value sites. Such an image must have the part of the runtime that records
 * values, and the memory for values must be writable.
 */
#include "check.h"

#include <inttypes.h>

/*
 * Returns whether the image has the part of the runtime that records values. The function bareprof_values_start() shows
 * that the image has this part. If the compiler inlined this function, the variable with the state of the runtime shows
 * the same. In an image with timestamps, the variable is no sign, because timestamps need the variable too.
 */
static bool is_served(const struct check *check)
{
	return image_symbol(&check->image, "bareprof_values_start") ||
	       (image_symbol(&check->image, "bareprof_state_is_missing_write_BAREPROF_STATE") &&
		       !(check->version_word & BAREPROF_VARIANT_TEMPORAL));
}

/*
 * Returns section @name (list heads or nodes), or the section into which a linker script merged it. Returns NULL if
 * there is neither.
 */
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

/*
 * Clang before 18 makes no list heads for bare metal. Without list heads, the runtime writes pointers into the records.
 */
static void check_records_written(struct check *check)
{
	const struct extent *records = &check->extent[SECTION_RECORDS];
	const struct image_section *section = image_where(&check->image, records->address, records->size);
	struct finding *finding;

	if (!is_fixed(check, section))
		return;
	finding = check_add(check, FINDING_VALUE_RECORDS_READ_ONLY,
		"the records have %" PRIu64 " value sites, but clang before 18 makes no __llvm_prf_vals for bare "
		"metal: bareprof_values_start() therefore writes into the records, but the records are in a read-only "
		"segment (section %s)",
		check->sites, section->name);
	fix_section(finding, SECTION_RECORDS);
}

static void check_lists_written(struct check *check, const char *name)
{
	const struct image_section *section = section_of(check, name);

	if (is_fixed(check, section))
		fix_value_lists(check_add(check, FINDING_VALUES_READ_ONLY,
			"%s is in a read-only segment (section %s): bareprof_values_start() would fault", name,
			section->name));
}

void check_values(struct check *check)
{
	if (!check->sites)
		return;
	if (check->lean) {
		fix_add(check_add(check, FINDING_VALUE_SITES_LEAN,
				"the image is lean, but its records have %" PRIu64
				" value sites: the runtime finds value sites through records, and no record is in "
				"memory",
				check->sites),
			FIX_COMPILE, "-mllvm -disable-vp=true");
	} else if (check->image.symbol_count && !is_served(check)) {
		fix_add(check_add(check, FINDING_VALUE_SITES,
				"the records have %" PRIu64
				" value sites, but nothing in the image records values, so the runtime refuses it: "
				"compile without value sites, or compile the runtime with -DBAREPROF_VALUES and call "
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
