/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_names.c - compares the names of functions with the records that refer to them.
 */
#include "check.h"
#include "units.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * There are two reasons why a name has no record. The first reason is that clang made no code for the function, for
 * example because no code uses an inline function of a header. The function's mapping then has the structural hash 0.
 * The second reason is that the linker dropped the record. Without a mapping, the two cases look alike.
 *
 * A name that occurs more than once is counted once, for example the name of an inline function in two objects.
 */
struct unused check_unused(const struct check *check, struct buffer *text)
{
	const struct image *image = &check->image;
	const struct records *records = &check->records;
	uint64_t *used = allocate(records->count + 1, sizeof(*used));
	struct unused unused = {0, 0, 0};
	struct units units = {0};
	struct record record;
	size_t i;

	units_read(&units, image_content(image, image_section(image, "__llvm_covmap")),
		image_content(image, image_section(image, "__llvm_covfun")), image->big);
	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		used[i] = record.name;
	qsort(used, records->count, sizeof(*used), compare_numbers);
	for (i = 0; i < check->names.count; i++) {
		const struct name *name = &check->names.list[i];

		if ((i && name->reference == name[-1].reference) ||
			bsearch(&name->reference, used, records->count, sizeof(*used), compare_numbers))
			continue;
		if (units_is_unused(&units, name->reference)) {
			unused.without_code++;
			unused.bytes += name->text.size + 1;
			continue;
		}
		if (++unused.dropped == 4)
			buffer_add_text(text, ", and more");
		else if (unused.dropped < 4)
			buffer_printf(text, "%s%.*s", unused.dropped > 1 ? ", " : "", (int)(name->text.size & 0xff),
				(const char *)name->text.data);
	}
	units_free(&units);
	free(used);
	return unused;
}

static void check_unnamed(struct check *check)
{
	const struct records *records = &check->records;
	struct record record;
	size_t unknown = 0;
	uint64_t first = 0;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		if (!record_known(records, &record) && !unknown++)
			first = record.name;
	if (unknown)
		fix_section(
			check_add(check, FINDING_NAMES_MISSING,
				"%zu of %zu records belong to functions whose names are not in __llvm_prf_names (the "
				"first has the name hash %016" PRIx64 "): the linker dropped names of some objects",
				unknown, records->count, first),
			SECTION_NAMES);
}

/*
 * Returns whether functions without code can be distinguished from dropped records. In objects with front-end counters
 * and without a mapping, they cannot be distinguished.
 */
static bool has_mapping(const struct check *check)
{
	return sections_named(check, "__llvm_covfun").size || check->version_word & BAREPROF_VARIANT_IR;
}

static void add_dropped(struct check *check, size_t count, const char *names)
{
	const char *which = count == 1 ? " is" : "s are";
	const char *have = count == 1 ? "has" : "have";

	/*
	 * If the image has __llvm_covmap only, the linker dropped __llvm_covfun, and check_mapping() reports that. The
	 * finding below would only report a consequence of this fault.
	 */
	if (!has_mapping(check) && sections_named(check, "__llvm_covmap").size)
		return;
	if (has_mapping(check))
		fix_records(check_add(check, FINDING_NAMES_UNUSED,
			"%zu function%s in __llvm_prf_names but %s no record (%s): the linker dropped the records, "
			"because the linker script has no KEEP for them and the link has --gc-sections; reports will "
			"lack these functions",
			count, which, have, names));
	else
		fix_records(check_add_as(check, SEVERITY_NOTE, FINDING_NAMES_UNUSED,
			"%zu function%s in __llvm_prf_names but %s no record (%s): the linker dropped the records "
			"(--gc-sections without KEEP), or clang made no code for these functions; check cannot tell "
			"which of the two, because the image has no coverage mapping",
			count, which, have, names));
}

void check_names(struct check *check)
{
	struct buffer names = {0};

	if (!check->present[SECTION_NAMES]) {
		fix_records(check_add(check, FINDING_NO_NAMES,
			"there are records but no names: the linker dropped __llvm_prf_names, so no tool can read "
			"the profile, and check cannot tell whether the linker dropped records as well"));
		return;
	}
	if (check->names.count)
		check_unnamed(check);
	check->unused = check_unused(check, &names);
	if (check->unused.dropped && check->records.state == RECORDS_FIT)
		add_dropped(check, check->unused.dropped, buffer_string(&names));
	buffer_free(&names);
}
