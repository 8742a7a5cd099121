/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.c - tries every known record layout on all records, as the runtime does. In addition, this file looks up
 * names, compares all records with each other, and finds the record at which one layout ends and another layout begins.
 */
#include "records.h"
#include "raw_release.h"

#include <stdlib.h>

static const unsigned int versions[] = {
#define VERSION(version, ...) version,
	BAREPROF_RAW_RELEASES(VERSION)
#undef VERSION
};
#define VERSIONS (sizeof(versions) / sizeof(*versions))

static unsigned int counter_size(const struct records *records)
{
	return records->declared & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
}

static bool within(const struct extent *part, uint64_t size)
{
	return part->address <= size && part->size <= size - part->address;
}

bool record_at(const struct records *records, unsigned int v, size_t at, struct record *record)
{
	unsigned int w = records->width;
	uint64_t mask = w == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t base = BAREPROF_RECORD_RELATIVE(v) && !records->absolute ? records->address + at : 0;
	struct bytes bytes;
	unsigned int kind;
	const uint8_t *p;

	if (!bytes_slice(records->bytes, at, BAREPROF_RECORD_END(v, w), &bytes))
		return false;
	p = bytes.data;
	*record = (struct record){0};
	record->name = load_uint(p + BAREPROF_RECORD_NAME_REF, 8, records->big);
	record->hash = load_uint(p + BAREPROF_RECORD_FUNC_HASH, 8, records->big);
	record->function = load_uint(p + BAREPROF_RECORD_FUNCTION_PTR(v, w), w, records->big);
	record->unset = !load_uint(p + BAREPROF_RECORD_COUNTER_PTR, w, records->big);
	record->counters.address =
		(base + load_uint(p + BAREPROF_RECORD_COUNTER_PTR, w, records->big) - records->counters.address) & mask;
	record->counter_count = load_uint(p + BAREPROF_RECORD_NUM_COUNTERS(v, w), 4, records->big);
	record->counters.size = record->counter_count * counter_size(records);
	for (kind = 0; kind < BAREPROF_VALUE_KINDS_OF(v); kind++) {
		uint64_t sites = load_uint(p + BAREPROF_RECORD_VALUE_SITES(v, w) + 2 * kind, 2, records->big);

		record->sites += (unsigned int)sites;
		record->value_data += sites ? BAREPROF_VALUE_HEAD + sites + BAREPROF_PAD8(sites) : 0;
	}
	record->value_data += record->sites ? BAREPROF_VALUE_HEAD : 0;
	if (BAREPROF_RECORD_BITMAP_BYTES(v, w)) {
		record->bitmap.size = load_uint(p + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, records->big);
		record->bitmap.address = (base + load_uint(p + BAREPROF_RECORD_BITMAP_PTR(v, w), w, records->big) -
						 records->bitmaps.address) &
		                         mask;
	}
	return true;
}

bool records_get(const struct records *records, unsigned int version, size_t index, struct record *record)
{
	size_t size = BAREPROF_RECORD_SIZE(version, records->width);

	return index < records->bytes.size / size + 1 && record_at(records, version, index * size, record);
}

bool record_fits(const struct records *records, const struct record *record)
{
	return record->counters.size && record->counters.address % counter_size(records) == 0 &&
	       within(&record->counters, records->counters.size) &&
	       (!record->bitmap.size || within(&record->bitmap, records->bitmaps.size));
}

bool record_known(const struct records *records, const struct record *record)
{
	return records->names && names_find(records->names, record->name);
}

/* The result of reading the records by one layout. */
struct layout_match {
	size_t reach; /* offset of the first record that does not fit the layout */
	size_t count; /* number of records before the first record that does not fit */
	bool whole; /* all records fit */
	bool exact; /* all records fit, and together their counters and bitmaps fill both sections exactly */
	uint64_t counters; /* total size in bytes of the counters of these @count records */
	uint64_t bitmaps;
};

static struct layout_match match_layout(const struct records *records, unsigned int version, bool by_name)
{
	size_t size = BAREPROF_RECORD_SIZE(version, records->width);
	struct layout_match match = {0};
	struct record record;

	for (; match.reach < records->bytes.size; match.reach += size, match.count++) {
		if (!record_at(records, version, match.reach, &record) || !record_fits(records, &record) ||
			(by_name && !record_known(records, &record)))
			return match;
		match.counters += record.counters.size;
		match.bitmaps += record.bitmap.size;
	}
	match.whole = true;
	/*
	 * In temporal profiles, the counters do not have to fill the section. Timestamps lie between the byte counters
	 * of the functions and are aligned, so there are gaps that no record claims.
	 */
	match.exact = match.bitmaps == records->bitmaps.size &&
	              (match.counters == records->counters.size || records->declared & BAREPROF_VARIANT_TEMPORAL);
	return match;
}

/*
 * Returns the raw version that the image declares. If the image declares version 6, returns 7,
 * because version 6 was never released and has the same record layout. If the image declares no
 * version, returns the version that its compiler writes. Returns 0 if neither version is known.
 */
static unsigned int expected_version(const struct records *records)
{
	unsigned int declared = (unsigned int)(records->declared & BAREPROF_VERSION_NUMBER);

	if (declared == BAREPROF_RAW_V6)
		return BAREPROF_RAW_V7;
	return declared ? declared : raw_version_of_release(records->clang);
}

/*
 * Chooses between two versions that fit equally well. Returns whether @newer is preferred to @older. The expected
 * version is preferred. If neither version is the expected version, the newer version is preferred.
 */
static bool preferred(const struct records *records, unsigned int newer, unsigned int older)
{
	unsigned int expected = expected_version(records);

	return newer == expected || older != expected;
}

/* The bytes that one record claims in a section: its counters or its bitmap. */
struct claimed {
	struct extent extent;
	size_t record; /* index of the record */
};

static int compare_claimed(const void *left, const void *right)
{
	const struct claimed *a = left;
	const struct claimed *b = right;

	if (a->extent.address != b->extent.address)
		return a->extent.address < b->extent.address ? -1 : 1;
	return compare_uint(a->record, b->record);
}

/*
 * Returns whether the counters of two records overlap. If @bitmaps is true, returns whether the
 * bitmaps of two records overlap. Stores the first two overlapping records in records->first and
 * records->second.
 */
static bool overlap(struct records *records, bool bitmaps)
{
	struct claimed *claimed = allocate(records->count, sizeof(*claimed));
	struct record record;
	bool found = false;
	size_t n = 0;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		if (!bitmaps || record.bitmap.size)
			claimed[n++] = (struct claimed){bitmaps ? record.bitmap : record.counters, i};
	qsort(claimed, n, sizeof(*claimed), compare_claimed);
	for (i = 1; i < n && !found; i++) {
		const struct claimed *before = &claimed[i - 1];

		found = before->extent.address + before->extent.size > claimed[i].extent.address;
		if (found) {
			records->first = before->record;
			records->second = claimed[i].record;
		}
	}
	free(claimed);
	return found;
}

/* Returns whether all overlaps come from weak duplicates. If so, stores the list of weak duplicates in @records. */
static bool only_weak_duplicates(struct records *records)
{
	struct record_extents *extents = allocate(records->count, sizeof(*extents));
	struct record record;
	bool found;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		extents[i] = (struct record_extents){record.name, record.counters, record.bitmap, record.sites};
	found = weak_duplicates_find(
		&records->weak_duplicates, extents, records->count, records->counters.size, records->bitmaps.size);
	free(extents);
	return found;
}

static void accept_layout(struct records *records, unsigned int version, const struct layout_match *match)
{
	records->version = version;
	records->count = match->count;
	records->unowned = records->counters.size - match->counters + records->bitmaps.size - match->bitmaps;
	records->state = match->exact ? RECORDS_FIT : RECORDS_MORE;
	if ((overlap(records, false) || overlap(records, true)) && !only_weak_duplicates(records))
		records->state = RECORDS_OVERLAP;
}

/* The way in which an attempt to find a record layout uses the names of the image. */
enum name_rule {
	NAMES_CHECKED, /* this attempt needs names: every record must have a known name */
	NAMES_IGNORED,
	NAMES_ABSENT, /* this attempt is left out if the image has names */
};

/*
 * The attempts to find one layout for all records. The strictest attempt comes first. In each attempt, the counters and
 * the bitmap of every record must be inside their sections.
 * If @exact is true, the counters and bitmaps of all records together must also fill both sections
 * exactly.
 */
static const struct attempt {
	enum name_rule names;
	bool exact;
} attempts[] = {
	{NAMES_CHECKED, true},
	/*
	 * This attempt is for images in which the linker dropped names. If the records fill both sections exactly, the
	 * layout is certain enough without names.
	 */
	{NAMES_IGNORED, true},
	/*
	 * This attempt is for images in which the linker dropped records and kept their counters. If every record has a
	 * known name, the layout is certain enough, although the counters of dropped records are left over.
	 */
	{NAMES_CHECKED, false},
	/*
	 * If there are names, this attempt is not made, because it would accept records whose name
	 * is missing. explain_failure() reports such records.
	 */
	{NAMES_ABSENT, false},
};

static bool has_names(const struct records *records)
{
	return records->names && records->names->count;
}

/*
 * Looks for a layout that reads all records under the conditions of @attempt. If there is one,
 * accepts it and returns true.
 */
static bool detect_by(struct records *records, const struct attempt *attempt)
{
	unsigned int chosen = 0;
	struct layout_match best = {0};
	size_t i;

	for (i = 0; i < VERSIONS; i++) {
		struct layout_match match = match_layout(records, versions[i], attempt->names == NAMES_CHECKED);

		if (!match.whole || (attempt->exact && !match.exact))
			continue;
		if (!chosen || preferred(records, versions[i], chosen)) {
			chosen = versions[i];
			best = match;
		}
	}
	if (chosen)
		accept_layout(records, chosen, &best);
	return chosen;
}

/*
 * Counts the records from offset @at on for which record_fits() returns false. @version determines
 * the record layout. Returns the number of these records. Sets *@unset to true if the pointers to
 * the counters are 0 in all of them. Returns 0 if any record from @at on has an unknown name,
 * because then the layout itself may be wrong.
 */
static size_t count_bad(const struct records *records, unsigned int version, size_t at, bool *unset)
{
	size_t size = BAREPROF_RECORD_SIZE(version, records->width);
	struct record record;
	size_t bad = 0;

	*unset = true;
	for (; at < records->bytes.size; at += size) {
		if (!record_at(records, version, at, &record) || !record_known(records, &record))
			return 0;
		if (record_fits(records, &record))
			continue;
		*unset = *unset && record.unset;
		bad++;
	}
	return bad;
}

/* Returns the newest version whose layout fits the record at offset @at, or 0 if no layout fits it. */
static unsigned int other_at(const struct records *records, size_t at, bool by_name)
{
	struct record record;
	unsigned int other = 0;
	size_t i;

	for (i = 0; i < VERSIONS; i++)
		if (record_at(records, versions[i], at, &record) && record_fits(records, &record) &&
			(!by_name || record_known(records, &record)))
			other = versions[i];
	return other;
}

/* The reason why the layout of one version does not read all records. */
struct failure {
	enum records_state state; /* RECORDS_MIXED, RECORDS_OUTSIDE or RECORDS_STRANGE */
	unsigned int version;
	unsigned int other; /* for RECORDS_MIXED: version of the first record that does not fit */
	size_t bad; /* number of records whose counters or bitmap are outside of their section */
	bool unset; /* in all @bad records, the pointer to the counters is 0 */
	size_t count; /* number of records before the first one that does not fit */
	size_t reach; /* offset of the first record that does not fit */
};

static struct failure failure_of(const struct records *records, unsigned int version, bool by_name)
{
	struct layout_match match = match_layout(records, version, by_name);
	struct failure failure = {
		.state = RECORDS_STRANGE, .version = version, .count = match.count, .reach = match.reach};

	failure.bad = count_bad(records, version, match.reach, &failure.unset);
	failure.other = match.count ? other_at(records, match.reach, by_name) : 0;
	if (failure.other)
		failure.state = RECORDS_MIXED;
	else if (failure.bad)
		failure.state = RECORDS_OUTSIDE;
	return failure;
}

/*
 * Returns whether failure @a explains the records better than failure @b. The best explanation is RECORDS_MIXED, which
 * means that records of a second version follow. The next best is RECORDS_OUTSIDE, which means that the names are
 * known, but pointers are wrong. If both failures have the same state, the failure whose version reads more records is
 * the better explanation. If both versions read the same number of records, preferred() decides.
 */
static bool explains_more(const struct records *records, const struct failure *a, const struct failure *b)
{
	if (a->state != b->state)
		return a->state == RECORDS_MIXED || b->state == RECORDS_STRANGE;
	if (a->reach != b->reach)
		return a->reach > b->reach;
	return preferred(records, a->version, b->version);
}

/* Stores in @records the failure that best explains the records. Called if no layout reads all records. */
static void explain_failure(struct records *records)
{
	struct failure best = {.state = RECORDS_STRANGE};
	size_t i;

	for (i = 0; i < VERSIONS; i++) {
		struct failure failure = failure_of(records, versions[i], has_names(records));

		/*
		 * If even the first record does not fit the layout of a version, the records do not have this version.
		 * So the failure of this version does not explain anything.
		 */
		if (failure.state == RECORDS_STRANGE && !failure.reach)
			continue;
		if (!best.version || explains_more(records, &failure, &best))
			best = failure;
	}
	records->state = best.state;
	records->version = best.version;
	records->other = best.other;
	records->bad = best.bad;
	records->unset = best.unset;
	records->first = best.count;
	records->first_at = best.reach;
}

void records_detect_layout(struct records *records)
{
	size_t i;

	for (i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		if (attempts[i].names == (has_names(records) ? NAMES_ABSENT : NAMES_CHECKED))
			continue;
		if (detect_by(records, &attempts[i]))
			return;
	}
	explain_failure(records);
}

void records_free(struct records *records)
{
	weak_duplicates_free(&records->weak_duplicates);
}
