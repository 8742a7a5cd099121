/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_functions.c - finds instrumented functions in sections whose code must not touch counters. Such code runs
 * before memory is mapped, or in states that must not be traced.
 */
#include "culprits.h"

#include <stdlib.h>
#include <string.h>

/*
 * Linker scripts merge these sections into .text. The symbols at the start and the end of a section still show where
 * its code is.
 */
static const struct {
	const char *section;
	const char *start;
	const char *stop;
} merged[] = {
	{".noinstr.text", "__noinstr_text_start", "__noinstr_text_end"},
	{".entry.text", "__entry_text_start", "__entry_text_end"},
	{".cpuidle.text", "__cpuidle_text_start", "__cpuidle_text_end"},
	{".init.text", "_sinittext", "_einittext"},
};

static struct extent find_code(const struct check *check, const char *name)
{
	const struct image_section *section = image_section(&check->image, name);
	size_t i;

	if (section)
		return (struct extent){section->address, section->size};
	for (i = 0; i < sizeof(merged) / sizeof(*merged); i++) {
		const struct image_symbol *start = image_symbol(&check->image, merged[i].start);
		const struct image_symbol *stop = image_symbol(&check->image, merged[i].stop);

		if (!strcmp(merged[i].section, name) && start && stop && stop->value > start->value)
			return (struct extent){start->value, stop->value - start->value};
	}
	return (struct extent){0, 0};
}

bool check_has_code(const struct check *check, const char *name)
{
	return find_code(check, name).size;
}

/*
 * Returns the address of the record's function, or 0 if the address is unknown. The address is that of the function's
 * symbol. If there is no symbol, the address comes from the record. A record has an address only if value profiling can
 * see the function as the target of an indirect call.
 */
uint64_t check_address(const struct check *check, const struct record *record)
{
	char *name = record_function(check, record);
	char *bare = name + strlen(name);
	const struct image_symbol *symbol;

	/* Static functions are called "file.c:name" or "file.c;name". */
	while (bare > name && bare[-1] != ':' && bare[-1] != ';')
		bare--;
	if (bare > name)
		bare[-1] = '\0';
	symbol = image_function(&check->image, bare, bare > name ? name : "");
	free(name);
	return symbol ? symbol->value : record->function;
}

static void check_forbidden(struct check *check, const char *name, const uint64_t *addresses)
{
	const struct records *records = &check->records;
	struct extent extent = find_code(check, name);
	struct record record;
	size_t count = 0;
	char *first = NULL;
	size_t i;

	for (i = 0; i < records->count; i++) {
		if (!addresses[i] || addresses[i] - extent.address >= extent.size)
			continue;
		if (!count++ && records_get(records, records->version, i, &record))
			first = record_function(check, &record);
	}
	if (count) {
		struct finding *finding = check_add(check, FINDING_FORBIDDEN,
			"%zu instrumented function%s in the section %s, whose code must not change counters: %s%s; "
			"instead of the attribute below, you can compile the file without instrumentation, or "
			"everything with -fprofile-list=FILE",
			count, count == 1 ? " is" : "s are", name, first ? first : "", count > 1 ? " and others" : "");

		fix_add(finding, FIX_SOURCE, "__attribute__((no_profile_instrument_function))");
		finding->function = first;
	} else {
		free(first);
	}
}

/*
 * Finds functions in forbidden sections by their addresses. A function that was inlined everywhere has no address. Its
 * code is now in other functions, where it still increments its counters. If one of these other functions is in a
 * forbidden section, the inlined code is there too, but the addresses do not show it. So a finding tells the user how
 * many functions have no address.
 */
void check_functions(struct check *check)
{
	const struct records *records = &check->records;
	const char *const *name = check->forbidden;
	uint64_t *addresses;
	struct record record;
	size_t unknown = 0;
	bool any = false;
	size_t i;

	if (!records->count || !name)
		return;
	addresses = allocate(records->count, sizeof(*addresses));
	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		addresses[i] = check_address(check, &record);
		unknown += !addresses[i];
	}
	for (; *name; name++) {
		any = any || find_code(check, *name).size;
		check_forbidden(check, *name, addresses);
	}
	if (any && unknown)
		check_add(check, FINDING_FORBIDDEN_UNKNOWN,
			"%zu instrumented function%s no address (inlined everywhere, or the image is stripped), so "
			"check cannot tell whether their code is in sections where it must not be",
			unknown, unknown == 1 ? " has" : "s have");
	free(addresses);
}
