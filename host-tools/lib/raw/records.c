/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * records.c - every known layout is tried on all records, as the runtime does;
 * but here there is room to look up names, compare all with all, and say where
 * two layouts meet.
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

/* What a layout makes of the records. */
struct layout_match {
	size_t reach; /* offset of the first that does not fit */
	size_t count; /* of those that do */
	bool whole; /* all do */
	bool exact; /* and make up the other sections */
	uint64_t counters;
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
	/* Byte counters with timestamps are aligned, and leave gaps. */
	match.exact = match.bitmaps == records->bitmaps.size &&
	              (match.counters == records->counters.size || records->declared & BAREPROF_VARIANT_TEMPORAL);
	return match;
}

/* What the image says that it is of, or its compiler writes; 0: neither is known. */
static unsigned int expected_version(const struct records *records)
{
	unsigned int declared = (unsigned int)(records->declared & BAREPROF_VERSION_NUMBER);

	if (declared == BAREPROF_RAW_V6)
		return BAREPROF_RAW_V7;
	return declared ? declared : raw_version_of_release(records->clang);
}

/* Between versions that read the same: the one that is expected, or else the newest. */
static bool preferred(const struct records *records, unsigned int newer, unsigned int older)
{
	unsigned int expected = expected_version(records);

	return newer == expected || older != expected;
}

struct claimed {
	struct extent extent;
	size_t record;
};

static int compare_claimed(const void *left, const void *right)
{
	const struct claimed *a = left;
	const struct claimed *b = right;

	if (a->extent.address != b->extent.address)
		return a->extent.address < b->extent.address ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

/* Compare the counters, or the bitmaps, of all records. */
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

/* Is it only that functions are defined weak more than once? */
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

/* One layout reads them all. With @by_name every name must be known too. */
static bool learn_single_layout(struct records *records, bool by_name, bool exact)
{
	unsigned int chosen = 0;
	struct layout_match best = {0};
	size_t i;

	for (i = 0; i < VERSIONS; i++) {
		struct layout_match match = match_layout(records, versions[i], by_name);

		if (!match.whole || (exact && !match.exact))
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
 * How many of the records from @at on do not fit; 0 if that is no evidence: if
 * not all of them have a name that is known.
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

/* Does another version go on where this one ends? The newest that does. */
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

/* No layout reads them all: one ends where another goes on, or some records are bad, or who knows. */
static void explain_failure(struct records *records, bool by_name)
{
	size_t score = 0;
	size_t i;

	records->state = RECORDS_STRANGE;
	for (i = 0; i < VERSIONS; i++) {
		struct layout_match match = match_layout(records, versions[i], by_name);
		unsigned int other = match.count ? other_at(records, match.reach, by_name) : 0;
		bool unset;
		size_t bad = count_bad(records, versions[i], match.reach, &unset);
		size_t now = match.reach;

		/* Each is better evidence than any reach without it. */
		if (other)
			now += 2 * records->bytes.size;
		else if (bad)
			now += records->bytes.size;
		if (!now || now < score || (now == score && !preferred(records, versions[i], records->version)))
			continue;
		score = now;
		records->state = other ? RECORDS_MIXED : bad ? RECORDS_OUTSIDE : RECORDS_STRANGE;
		records->version = versions[i];
		records->other = other;
		records->bad = bad;
		records->unset = unset;
		records->first = match.count;
		records->first_at = match.reach;
	}
}

void records_detect_layout(struct records *records)
{
	bool by_name = records->names && records->names->count;

	if ((by_name && learn_single_layout(records, true, true)) || learn_single_layout(records, false, true) ||
		(by_name && learn_single_layout(records, true, false)))
		return;
	if (!by_name && learn_single_layout(records, false, false))
		return;
	explain_failure(records, by_name);
}

void records_free(struct records *records)
{
	weak_duplicates_free(&records->weak_duplicates);
}
