/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_filled.c - finds counters that have no content in the file (NOLOAD, .bss) and that nothing fills before the
 * first count. In such counters, the first counts are added to the values that the memory had at power-on.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>

/* The names that linker scripts give to the start and end of the memory that start-up code clears. */
static const char *const cleared[][2] = {
	{"__bss_start", "__bss_end"},
	{"__bss_start", "__bss_stop"},
	{"__bss_start", "_end"},
	{"__bss_start", "end"},
	{"__bss_start__", "__bss_end__"},
	{"_bss_start", "_bss_end"},
	{"bss_start", "bss_end"},
	{"_sbss", "_ebss"},
	{"__sbss", "__ebss"},
	{"__bss_begin", "__bss_end"},
	{"_bss", "_ebss"},
};

/* The functions of the runtime that fill the counters when the target starts. */
static const char *const fillers[] = {"bareprof_start", "bareprof_small_start", "bareprof_keep_start"};

static bool has_filler(const struct check *check)
{
	size_t i;

	for (i = 0; i < sizeof(fillers) / sizeof(*fillers); i++)
		if (image_symbol(&check->image, fillers[i]))
			return true;
	return false;
}

/*
 * Returns whether start-up code clears @extent. If start-up code clears only other memory, *@text is set to a clause
 * that names this other memory, and the caller frees *@text. In all other cases, *@text is set to NULL.
 */
static bool is_cleared(const struct check *check, struct extent extent, char **text)
{
	size_t i;

	*text = NULL;
	for (i = 0; i < sizeof(cleared) / sizeof(*cleared); i++) {
		const struct image_symbol *start = image_symbol(&check->image, cleared[i][0]);
		const struct image_symbol *stop = image_symbol(&check->image, cleared[i][1]);

		if (!start || !stop || stop->value <= start->value)
			continue;
		if (extent_within(extent, start->value, stop->value)) {
			free(*text);
			*text = NULL;
			return true;
		}
		if (!*text)
			*text = format(", and outside of %s (0x%" PRIx64 ") to %s (0x%" PRIx64
				       "), which start-up code clears",
				start->name, start->value, stop->name, stop->value);
	}
	return false;
}

static void add_finding(struct check *check, enum profile_section section, const char *why, const char *effect)
{
	const struct extent *extent = &check->extent[section];
	struct finding *finding = check_add(check, FINDING_COUNTERS_NOT_FILLED,
		"%s has no content in the file (NOLOAD, or merged into .bss) at 0x%" PRIx64
		"%s; the image has neither bareprof_start() nor bareprof_small_start(), so %s",
		section_name[section], extent->address, why ? why : "", effect);

	/*
	 * bareprof_start() is in bareprof.c only with -DBAREPROF_NOLOAD, but this function always is, and needs no
	 * state.
	 */
	fix_add(finding, FIX_CALL, "bareprof_small_start();");
}

void check_filled(struct check *check)
{
	static const enum profile_section written[] = {SECTION_COUNTERS, SECTION_BITMAPS};
	size_t i;

	for (i = 0; i < sizeof(written) / sizeof(*written); i++) {
		const struct extent *extent = &check->extent[written[i]];
		const struct image_section *section = image_where(&check->image, extent->address, extent->size);
		char *why;

		if (!check->present[written[i]] || check->not_loaded[written[i]] || !section || section->filled ||
			has_filler(check) || !check->image.symbol_count)
			continue;
		if (!is_cleared(check, *extent, &why)) {
			add_finding(check, written[i], why,
				"the counts start from the old content of this memory, unless the loader or your "
				"start-up code clears it");
			free(why);
			return;
		}
		if (check->version_word & BAREPROF_VARIANT_BYTE_COVERAGE && written[i] == SECTION_COUNTERS) {
			add_finding(check, written[i],
				"; byte counters must start as 0xff, but start-up code clears this memory",
				"reports would show that all code ran");
			return;
		}
	}
}
