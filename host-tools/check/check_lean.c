/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_lean.c - sections of a profile that are in the ELF file, but in no memory:
 * the runtime has to see nothing where they would be.
 */
#include "check.h"

#include <inttypes.h>

static void loaded_only(struct check *check, enum profile_section section)
{
	fix_section(check_add(check, FINDING_COUNTERS_AWAY,
			    "%s is not in memory: code counts at addresses that belong to others, or to nothing",
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
		return; /* told with the others that are not defined */
	else if (start->value != stop->value)
		fix_section(check_add(check, FINDING_BOUNDS_OF_NOTHING,
				    "%s is in the ELF file only, but its bounds have %" PRIu64
				    " bytes, which the runtime would read: %s is 0x%" PRIx64 ", %s is 0x%" PRIx64,
				    section_name[section], stop->value - start->value, start->name, start->value,
				    stop->name, stop->value),
			section);
	else if (section == SECTION_RECORDS && start->value % 8)
		fix_section(
			check_add(check, FINDING_MISALIGNED,
				"%s is 0x%" PRIx64
				", which is no multiple of 8: the runtime refuses that also where there are no records",
				start->name, start->value),
			section);
}
