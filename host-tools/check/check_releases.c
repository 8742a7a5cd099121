/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_releases.c - finds objects of two releases of clang that use the same record layout, so that the record layout
 * does not show the difference. If the section .comment lists two releases, this proves nothing, because one of the
 * releases may have made only objects without counters. The structural hashes are a proof, because the hashes of clang
 * 22 differ from the hashes of earlier releases.
 */
#include "culprits.h"

#include <stdlib.h>
#include <string.h>

/* The first release that makes structural hashes of the new kind. */
#define NEW_HASHES 22u
/*
 * The front-end hash of a small function has ten fields of 6 bits. Each field is below 32, so its highest bit is 0.
 * MIXED is the highest bits of the ten fields. The hash of a larger function is an MD5, whose four highest bits are
 * TOP. Releases before NEW_HASHES keep these four bits of the MD5. Later releases clear these four bits.
 */
#define MIXED 0x820820820820820ull
#define TOP   0xf000000000000000ull
/*
 * By chance, one MD5 in 16 has no bit of TOP, even if an old release made it. So an object counts as new only if it has
 * at least this many large functions, and none of their hashes has a bit of TOP.
 */
#define ENOUGH 3u

struct releases {
	unsigned int list[8];
	size_t count;
};

static void add_release(struct releases *releases, unsigned int release)
{
	size_t i;

	for (i = 0; i < releases->count; i++)
		if (releases->list[i] == release)
			return;
	if (releases->count < sizeof(releases->list) / sizeof(*releases->list))
		releases->list[releases->count++] = release;
}

static struct releases read_releases(struct check *check)
{
	static const char word[] = "clang version ";
	struct releases releases = {.count = 0};
	const char *at = buffer_string(&check->compilers);

	while ((at = strstr(at, word))) {
		at += strlen(word);
		add_release(&releases, (unsigned int)strtoul(at, NULL, 10));
	}
	return releases;
}

/* A large function. @object is the reference to the list of source files of the object that contains the function. */
struct large {
	uint64_t object;
	size_t record;
	bool is_old; /* its hash has a bit that only old releases set */
};

static int compare_objects(const void *left, const void *right)
{
	return compare_uint(((const struct large *)left)->object, ((const struct large *)right)->object);
}

/*
 * Adds to @culprits the functions of all objects whose hashes show a new release. Returns false if there are no such
 * objects, or if no function comes from an old release.
 */
static bool find_new(const struct check *check, struct culprits *culprits)
{
	const struct records *records = &check->records;
	struct large *list = allocate(records->count + 1, sizeof(*list));
	struct record record;
	bool any_old = false;
	size_t count = 0;
	size_t first;
	size_t last;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		const struct unit_function *unit = units_function(&culprits->units, record.name);

		if (!unit || !(record.hash & (MIXED | TOP)))
			continue;
		list[count++] = (struct large){unit->files, i, record.hash & TOP};
		any_old = any_old || record.hash & TOP;
	}
	qsort(list, count, sizeof(*list), compare_objects);
	for (first = 0; first < count; first = last) {
		bool is_old = false;

		for (last = first; last < count && list[last].object == list[first].object; last++)
			is_old = is_old || list[last].is_old;
		for (i = first; !is_old && last - first >= ENOUGH && i < last; i++)
			if (records_get(records, records->version, list[i].record, &record))
				culprits_add(culprits, &record);
	}
	free(list);
	return any_old && culprits->functions.count;
}

static void add_proven(struct check *check, const struct culprits *culprits)
{
	struct buffer text = {0};

	culprits_text(culprits, &text);
	culprits_add_fix(culprits,
		check_add(check, FINDING_TWO_RELEASES,
			"the image has objects of clang 22 or later (functions %s), and objects of an earlier release; "
			"reports need llvm-cov of the later release; in PGO, each clang finds only the functions of "
			"the profile that have its own kind of hash; compilers: %s",
			buffer_string(&text), buffer_string(&check->compilers)));
	buffer_free(&text);
}

void check_releases(struct check *check)
{
	struct releases releases = read_releases(check);
	struct culprits culprits;
	bool is_old = false;
	bool is_new = false;
	size_t i;

	if (releases.count < 2 || check->records.state == RECORDS_MIXED || !check->layout_known)
		return;
	for (i = 0; i < releases.count; i++) {
		is_old = is_old || releases.list[i] < NEW_HASHES;
		is_new = is_new || releases.list[i] >= NEW_HASHES;
	}
	culprits_start(&culprits, check);
	if (is_old && is_new && !(check->version_word & BAREPROF_VARIANT_IR) && find_new(check, &culprits))
		add_proven(check, &culprits);
	else
		check_add_as(check, SEVERITY_NOTE, FINDING_TWO_RELEASES,
			"the image has objects of %zu releases of clang (%s); compile all instrumented objects with "
			"one release; only objects without counters may come from another release",
			releases.count, buffer_string(&check->compilers));
	culprits_end(&culprits);
}
