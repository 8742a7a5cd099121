/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_mixed.c - finds functions and files of two compilers in one image. The fix lists the files to compile again.
 * These are the files of the compiler that made fewer records.
 */
#include "culprits.h"
#include "raw_release.h"

/*
 * The numbers of records of two versions. A record that fits both versions counts for the
 * version of the record before it.
 */
struct version_counts {
	size_t first; /* number of records with the version records->version */
	size_t other;
	size_t unknown;
};

typedef void each_record(void *context, const struct record *record, bool other);

static struct version_counts walk_records(const struct records *records, each_record *each, void *context)
{
	const unsigned int versions[2] = {records->version, records->other};
	struct version_counts counts = {0, 0, 0};
	bool other = false;
	size_t at = 0;

	while (at < records->bytes.size) {
		struct record record;
		size_t tries;

		for (tries = 0; tries < 2; tries++, other = !other)
			if (record_at(records, versions[other], at, &record) && record_fits(records, &record) &&
				record_known(records, &record))
				break;
		if (tries == 2) {
			counts.unknown = records->bytes.size - at;
			return counts;
		}
		if (each)
			each(context, &record, other);
		counts.first += !other;
		counts.other += other;
		at += BAREPROF_RECORD_SIZE(versions[other], records->width);
	}
	return counts;
}

struct search {
	bool other; /* true: collect records of raw version records->other; false: of records->version */
	struct culprits culprits;
};

static void collect(void *context, const struct record *record, bool other)
{
	struct search *search = context;

	if (other == search->other)
		culprits_add(&search->culprits, record);
}

void check_mixed(struct check *check)
{
	const struct records *records = &check->records;
	struct version_counts counts = walk_records(records, NULL, NULL);
	struct search search = {.other = counts.other <= counts.first};
	struct buffer text = {0};
	struct buffer rest_text = {0};
	size_t few = search.other ? counts.other : counts.first;
	unsigned int version = search.other ? records->other : records->version;
	unsigned int rest = search.other ? records->version : records->other;
	struct finding *finding;

	culprits_start(&search.culprits, check);
	walk_records(records, collect, &search);
	culprits_text(&search.culprits, &text);
	if (counts.unknown)
		buffer_printf(&rest_text, ", and the last %zu bytes of records fit neither version", counts.unknown);
	finding = check_add(check, FINDING_TWO_COMPILERS,
		"the image has objects of two compilers: %zu record%s (of %s) of raw version %u (LLVM %s), %zu of raw "
		"version %u (LLVM %s)%s; its compilers: %s",
		few, few == 1 ? "" : "s", buffer_string(&text), version, raw_release(version)->words,
		search.other ? counts.first : counts.other, rest, raw_release(rest)->words, buffer_string(&rest_text),
		check->compilers.size ? buffer_string(&check->compilers) : "unknown, as .comment was dropped");
	culprits_add_fix(&search.culprits, finding);
	buffer_free(&rest_text);
	buffer_free(&text);
	culprits_end(&search.culprits);
}
