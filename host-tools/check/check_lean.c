/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_lean.c - checks sections of a profile that are in the ELF file only. The two bounds of such a section must be
 * equal, so that the runtime reads nothing.
 */
#include "check.h"

#include <inttypes.h>

static void loaded_only(struct check *check, enum profile_section section)
{
	fix_section(check_add(check, FINDING_COUNTERS_NOT_LOADED,
			    "%s is not loaded: instrumented code would write its counts over other memory",
			    section_name[section]),
		section);
}

void check_not_loaded(struct check *check, enum profile_section section)
{
	const struct image_symbol *start = check_bound(check, BOUNDS_OURS, section, false);
	const struct image_symbol *stop = check_bound(check, BOUNDS_OURS, section, true);

	if (section == SECTION_COUNTERS || section == SECTION_BITMAPS)
		loaded_only(check, section);
	else if (!start || !stop)
		return; /* check_bounds() reports undefined bounds */
	else if (start->value != stop->value)
		fix_section(check_add(check, FINDING_BOUNDS_NOT_LOADED,
				    "%s is in the ELF file only, but its bounds enclose %" PRIu64
				    " bytes, which the runtime would read: %s is 0x%" PRIx64 ", %s is 0x%" PRIx64,
				    section_name[section], stop->value - start->value, start->name, start->value,
				    stop->name, stop->value),
			section);
	else if (section == SECTION_RECORDS && start->value % 8)
		fix_section(check_add(check, FINDING_MISALIGNED,
				    "%s is 0x%" PRIx64 ", which is not a multiple of 8: the runtime refuses such an "
				    "image, even if no records are loaded",
				    start->name, start->value),
			section);
}
