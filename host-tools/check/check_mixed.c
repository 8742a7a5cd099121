/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_mixed.c - objects of two compilers in one image: whose they are. What
 * fewer records are of is what to compile again.
 */
#include "culprits.h"
#include "raw_release.h"

/* The records of each version, where every record is told to be of the one that the last was of, if it can. */
struct tally {
	size_t first; /* records of the version that comes first */
	size_t other;
	size_t unknown;
};

typedef void each_record(void *context, const struct record *record, bool other);

static struct tally walk(const struct records *records, each_record *each, void *context)
{
	const unsigned int versions[2] = {records->version, records->other};
	struct tally tally = {0, 0, 0};
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
			tally.unknown = records->bytes.size - at;
			return tally;
		}
		if (each)
			each(context, &record, other);
		tally.first += !other;
		tally.other += other;
		at += BAREPROF_RECORD_SIZE(versions[other], records->width);
	}
	return tally;
}

struct search {
	bool other; /* whose records are looked for */
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
	struct tally tally = walk(records, NULL, NULL);
	struct search search = {.other = tally.other <= tally.first};
	struct buffer text = {0};
	size_t few = search.other ? tally.other : tally.first;
	unsigned int version = search.other ? records->other : records->version;
	unsigned int rest = search.other ? records->version : records->other;
	struct finding *finding;

	culprits_start(&search.culprits, check);
	walk(records, collect, &search);
	culprits_text(&search.culprits, &text);
	finding = check_add(check, FINDING_TWO_COMPILERS,
		"the image has objects of two compilers: %zu record%s (%s%s) of raw version %u (LLVM %s), %zu of %u "
		"(LLVM %s)%s; it was "
		"compiled by: %s",
		few, few == 1 ? " is" : "s are", buffer_string(&text), tally.unknown ? ", and what follows" : "",
		version, raw_release(version)->words, search.other ? tally.first : tally.other, rest,
		raw_release(rest)->words, tally.unknown ? ", the rest of neither" : "",
		check->compilers.size ? buffer_string(&check->compilers) : "(.comment was dropped)");
	culprits_add_fix(&search.culprits, finding);
	buffer_free(&text);
	culprits_end(&search.culprits);
}
