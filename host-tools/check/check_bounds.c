/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_bounds.c - whether the symbols that a runtime uses as bounds are where the
 * sections of the profile start and end.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Linkers leave the members of groups apart with -r, and what has other flags. */
static bool check_split(struct check *check, enum profile_section i)
{
	struct same_name sections = sections_named(check, section_name[i]);
	const struct image_symbol *start = check_bound(check, BOUNDS_OURS, i, false);
	const struct image_symbol *stop = check_bound(check, BOUNDS_OURS, i, true);
	struct finding *finding;

	if (!check->image.module
			? sections.count < 2
			: sections.count < 2 && (!start || !stop || stop->value != start->value || !sections.count))
		return true;
	finding = check_add(check, FINDING_SECTION_SPLIT,
		"%s is in %zu section%s of that name, of %" PRIu64 " bytes together, and the runtime would see %" PRIu64
		" bytes of it%s",
		section_name[i], sections.count, sections.count == 1 ? "" : "s", sections.size,
		start && stop && stop->value > start->value ? stop->value - start->value : 0,
		check->image.module ? ": GNU ld -r leaves the members of COMDAT groups out of other sections" : "");
	if (check->image.module)
		fix_add(finding, FIX_PARTIAL, "--force-group-allocation");
	else
		fix_section(finding, i);
	return false;
}

/* What the bounds of all sections come to. */
struct bound_report {
	struct buffer undefined;
	struct buffer foreign;
	bool sections[SECTIONS]; /* that are undefined */
	bool foreign_sections[SECTIONS];
};

static void compare_bound(
	struct check *check, enum profile_section i, bool stop, struct bound_report *report, struct buffer *wrong)
{
	uint64_t wanted = check->extent[i].address + (stop ? check->extent[i].size : 0);
	const struct image_symbol *found = check_bound(check, BOUNDS_OURS, i, stop);
	const struct image_symbol *foreign = check_bound(check, BOUNDS_LINUX, i, stop);

	if (!found && !foreign) {
		buffer_printf(&report->undefined, "%s%s%s", report->undefined.size ? ", " : "",
			stop ? "__stop_" : "__start_", section_name[i]);
		report->sections[i] = true;
		return;
	}
	if (!found) {
		buffer_printf(&report->foreign, "%s%s", report->foreign.size ? ", " : "", foreign->name);
		report->foreign_sections[i] = true;
		found = foreign;
	}
	if (found->value != wanted && !check->not_loaded[i])
		buffer_printf(wrong, "%s%s is 0x%" PRIx64 ", but that bound of the section is 0x%" PRIx64,
			wrong->size ? "; " : "", found->name, found->value, wanted);
}

static void check_section_bounds(struct check *check, enum profile_section i, struct bound_report *report)
{
	struct buffer wrong = {0};

	compare_bound(check, i, false, report, &wrong);
	compare_bound(check, i, true, report, &wrong);
	if (wrong.size)
		fix_section(check_add(check, FINDING_BOUND_WRONG,
				    "the runtime would see other bytes than were linked: %s", buffer_string(&wrong)),
			i);
	buffer_free(&wrong);
	if (check->not_loaded[i])
		check_not_loaded(check, i);
}

static void add_bound_findings(struct check *check, struct bound_report *report)
{
	struct finding *finding;
	enum profile_section i;

	if (report->undefined.size) {
		finding = check_add(check, FINDING_BOUNDS_UNDEFINED,
			"bounds that the runtime goes by are not defined: %s (bareprof.ld has all of them, for "
			"scripts that say nothing of the profile yet: -T bareprof.ld before your own)",
			buffer_string(&report->undefined));
		for (i = 0; i < SECTIONS; i++)
			if (report->sections[i])
				fix_section(finding, i);
	}
	if (report->foreign.size) {
		finding = check_add(check, FINDING_BOUNDS_FOREIGN,
			"the sections are bounded by names that Linux has for them (%s); bareprof's runtime looks for "
			"others",
			buffer_string(&report->foreign));
		for (i = 0; i < SECTIONS; i++)
			if (report->foreign_sections[i])
				fix_add(finding, FIX_LINK, "--defsym=__start_%s=%s_start --defsym=__stop_%s=%s_end",
					section_name[i], section_name[i], section_name[i], section_name[i]);
	}
}

bool check_bounds(struct check *check)
{
	struct bound_report report = {0};
	bool whole = true;
	enum profile_section i;

	if (!check->image.symbol_count) {
		check_add(check, FINDING_STRIPPED,
			"the image has no symbols: whether the bounds of the sections are right, and what is static "
			"in it, cannot be known; check it before strip or objcopy");
		return true;
	}
	for (i = 0; i < SECTIONS; i++)
		whole = check_split(check, i) && whole;
	if (!whole)
		return false;
	for (i = 0; i < SECTIONS; i++)
		if (check->present[i])
			check_section_bounds(check, i, &report);
	add_bound_findings(check, &report);
	buffer_free(&report.undefined);
	buffer_free(&report.foreign);
	return true;
}
