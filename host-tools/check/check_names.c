/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_names.c - compares the names of functions with the records that refer to them.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>

static int compare_words(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* A name that occurs more than once, as of an inline function in two objects, counts once. */
size_t check_unused(const struct check *check, struct buffer *text)
{
	const struct records *records = &check->records;
	uint64_t *used = allocate(records->count + 1, sizeof(*used));
	struct record record;
	size_t unused = 0;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		used[i] = record.name;
	qsort(used, records->count, sizeof(*used), compare_words);
	for (i = 0; i < check->names.count; i++) {
		const struct name *name = &check->names.list[i];

		if ((i && name->reference == name[-1].reference) ||
			bsearch(&name->reference, used, records->count, sizeof(*used), compare_words))
			continue;
		if (++unused == 4)
			buffer_add_text(text, ", and more");
		else if (unused < 4)
			buffer_printf(text, "%s%.*s", unused > 1 ? ", " : "", (int)(name->text.size & 0xff),
				(const char *)name->text.data);
	}
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

void check_names(struct check *check)
{
	struct buffer names = {0};
	size_t unused;

	if (!check->present[SECTION_NAMES]) {
		fix_records(check_add(check, FINDING_NO_NAMES,
			"there are records but no names: the linker dropped __llvm_prf_names, so no tool can read "
			"the profile, and check cannot tell whether the linker dropped records as well"));
		return;
	}
	if (check->names.count)
		check_unnamed(check);
	unused = check_unused(check, &names);
	if (unused && check->records.state == RECORDS_FIT)
		fix_records(check_add(check, FINDING_NAMES_UNUSED,
			"%zu function%s in __llvm_prf_names but ha%s no record (%s): clang left them out because "
			"nothing uses them, or the linker dropped them (--gc-sections)",
			unused, unused == 1 ? " is" : "s are", unused == 1 ? "s" : "ve", buffer_string(&names)));
	buffer_free(&names);
}
