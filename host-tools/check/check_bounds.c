/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_bounds.c - checks that the symbols which the runtime uses as bounds are where the sections
 * of the profile start and end.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns whether the contents of one section were linked as several sections. The runtime would then miss some of the
 * contents. The function recognizes two cases. In the first case, the image has several sections with this name. In the
 * second case, the image is a module, and the bounds are equal although a section with this name has contents.
 *
 * Linkers can put contents with different flags into separate sections. With -r, GNU ld also puts members of COMDAT
 * groups into separate sections. For example, a.o has 16 bytes of counters outside of any group, and b.o has 8 bytes of
 * counters in a group. A module of a.o and b.o has two sections. A module of b.o alone has one section with 8 bytes,
 * but its bounds enclose 0 bytes. In both modules, the section is split. A module of a.o alone has one section with 16
 * bytes, which the bounds enclose, so it is not split.
 */
static bool is_split(const struct check *check, const struct same_name *sections, const struct image_symbol *start,
	const struct image_symbol *stop)
{
	if (sections->count > 1)
		return true;
	if (!sections->count || !check->image.module || !start || !stop)
		return false;
	return start->value == stop->value;
}

/* Returns false, and adds a finding, if the section was linked as several sections. */
static bool check_split(struct check *check, enum profile_section i)
{
	struct same_name sections = sections_named(check, section_name[i]);
	const struct image_symbol *start = check_bound(check, BOUNDS_OURS, i, false);
	const struct image_symbol *stop = check_bound(check, BOUNDS_OURS, i, true);
	struct finding *finding;

	if (!is_split(check, &sections, start, stop))
		return true;
	finding = check_add(check, FINDING_SECTION_SPLIT,
		"the image has %zu section%s %s with %" PRIu64 " bytes in all, but the runtime would see only %" PRIu64
		" of these bytes%s",
		sections.count, sections.count == 1 ? "" : "s", section_name[i], sections.size,
		start && stop && stop->value > start->value ? stop->value - start->value : 0,
		check->image.module ? ": GNU ld -r keeps members of COMDAT groups in sections of their own" : "");
	if (check->image.module)
		fix_add(finding, FIX_PARTIAL, "--force-group-allocation");
	else
		fix_section(finding, i);
	return false;
}

/*
 * The bounds that are undefined or have Linux's names. They are collected from all sections, so that one finding can
 * list them.
 */
struct bound_report {
	struct buffer undefined; /* names of symbols, separated by commas */
	struct buffer foreign; /* names of symbols in Linux's style, separated by commas */
	bool sections[SECTIONS]; /* for each section: one of its bounds is undefined */
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
		buffer_printf(wrong, "%s%s is 0x%" PRIx64 ", but the section %s at 0x%" PRIx64, wrong->size ? "; " : "",
			found->name, found->value, stop ? "ends" : "starts", wanted);
}

static void check_section_bounds(struct check *check, enum profile_section i, struct bound_report *report)
{
	struct buffer wrong = {0};

	compare_bound(check, i, false, report, &wrong);
	compare_bound(check, i, true, report, &wrong);
	if (wrong.size)
		fix_section(check_add(check, FINDING_BOUND_WRONG, "the runtime would read the wrong bytes: %s",
				    buffer_string(&wrong)),
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
			"the link does not define symbols that the runtime needs: %s; if your linker script does not "
			"place the profile's sections yet, put -T bareprof.ld before the script, because bareprof.ld "
			"defines all of these symbols",
			buffer_string(&report->undefined));
		for (i = 0; i < SECTIONS; i++)
			if (report->sections[i])
				fix_section(finding, i);
	}
	if (report->foreign.size) {
		finding = check_add(check, FINDING_BOUNDS_LINUX_NAMES,
			"the symbols that bound the sections have the names that Linux uses (%s); bareprof's runtime "
			"needs symbols that begin with __start_ and __stop_",
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
			"the image has no symbols: check can examine neither the bounds of its sections nor the "
			"addresses of its functions, and other findings may be wrong for that reason; give check the "
			"image as it was before strip or objcopy");
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
