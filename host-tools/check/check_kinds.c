/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_kinds.c - objects of one compiler, but of two kinds of profile. The linker keeps
 * the version word of one of them, and all counters are then read as those of that one.
 */
#include "culprits.h"

#include <stdlib.h>

/* A record, by its index, and where its counters are. */
struct record_counters {
	uint64_t at;
	uint64_t count;
	size_t index;
};

static int compare_counters(const void *left, const void *right)
{
	const struct record_counters *a = left;
	const struct record_counters *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * mark_wide - mark the records whose counters have eight bytes, if others have one: the
 * room up to those of the next record tells, the last first. Only in front of wide ones
 * up to 7 bytes are left free. No verdict if a single record has any other room: then
 * something else is wrong.
 */
static bool mark_wide(const struct records *records, size_t count, bool *marks)
{
	struct record_counters *counters = allocate(count, sizeof(*counters));
	uint64_t end = records->counters.size;
	size_t narrow = 0;
	size_t wide = 0;
	bool before_wide = false;
	bool fits;
	struct record record;
	size_t i;

	for (i = 0; i < count && records_get(records, records->version, i, &record); i++)
		counters[i] = (struct record_counters){record.counters.address, record.counter_count, i};
	fits = i == count;
	qsort(counters, i, sizeof(*counters), compare_counters);
	for (; fits && i--; end = counters[i].at) {
		uint64_t room = end - counters[i].at;
		bool eight = room == 8 * counters[i].count;
		bool one = room >= counters[i].count && room - counters[i].count < (before_wide ? 8u : 1u);

		fits = eight || one;
		before_wide = marks[counters[i].index] = eight;
		wide += eight && !one;
		narrow += one && !eight;
	}
	free(counters);
	return fits && wide && narrow;
}

/*
 * Only what the front end counts has a mapping. If it was compiled without one the hash
 * tells: that of a small function is small, but a checksum fills that of a control flow
 * graph from bit 28 up.
 */
static bool is_front_end(const struct record *record, const struct units *units)
{
	return units_function(units, record->name) || record->hash < 1u << 28;
}

/* A timestamp takes one counter, or eight of one byte, and is never alone. */
static bool lacks_timestamp(const struct record *record, const struct units *units)
{
	(void)units;
	return record->counter_count == 1;
}

static bool counts_blocks(const struct record *record, const struct units *units)
{
	(void)units;
	return record->counter_count > 1;
}

/* What the version word cannot mean, by a bit of it. */
static const struct kind {
	uint64_t bit;
	bool (*is_other)(const struct record *record, const struct units *units);
	const char *other;
	const char *declared;
} kinds[] = {
	{BAREPROF_VARIANT_IR, is_front_end, "front-end counters", "IR PGO"},
	{BAREPROF_VARIANT_ENTRY_ONLY, counts_blocks, "more than function entries", "function entries only"},
	{BAREPROF_VARIANT_TEMPORAL, lacks_timestamp, "no timestamps", "timestamps"},
};
static const struct kind sizes = {0, NULL, "counters of eight bytes", "counters of one byte"};

static bool mark_other(
	const struct records *records, size_t count, const struct kind *kind, const struct units *units, bool *marks)
{
	struct record record;
	bool any = false;
	size_t i;

	for (i = 0; i < count && records_get(records, records->version, i, &record); i++) {
		marks[i] = kind->is_other(&record, units);
		any |= marks[i];
	}
	return any;
}

static const struct kind *find_kind(const struct check *check, size_t count, const struct units *units, bool *marks)
{
	const struct records *records = &check->records;
	size_t i;

	if (mark_wide(records, count, marks))
		return &sizes;
	for (i = 0; check->layout_known && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (check->version_word & kinds[i].bit && mark_other(records, count, &kinds[i], units, marks))
			return &kinds[i];
	return NULL;
}

static void add_finding(
	struct check *check, struct culprits *culprits, const struct kind *kind, size_t count, const bool *marks)
{
	const struct records *records = &check->records;
	struct buffer text = {0};
	struct finding *finding;
	struct record record;
	size_t others = 0;
	size_t few;
	size_t i;
	bool mark;

	for (i = 0; i < count; i++)
		others += marks[i];
	mark = others == count || others <= count - others;
	few = mark ? others : count - others;
	for (i = 0; i < count; i++)
		if (marks[i] == mark && records_get(records, records->version, i, &record))
			culprits_add(culprits, &record);
	culprits_text(culprits, &text);
	finding = check_add(check, FINDING_TWO_KINDS,
		"the image has objects of two kinds of profile: %zu record%s (%s) with %s, %zu with %s; all would be "
		"read as one kind",
		few, few == 1 ? "" : "s", buffer_string(&text), mark ? kind->other : kind->declared, count - few,
		mark ? kind->declared : kind->other);
	culprits_add_fix(culprits, finding);
	buffer_free(&text);
}

bool check_kinds(struct check *check)
{
	const struct records *records = &check->records;
	size_t size = records->version ? BAREPROF_RECORD_SIZE(records->version, records->width) : 0;
	size_t count = size ? records->bytes.size / size : 0;
	const struct kind *kind;
	struct culprits culprits;
	bool *marks;

	if (!count || records->bytes.size % size || records->state == RECORDS_MIXED)
		return false;
	marks = allocate(count, sizeof(*marks));
	culprits_start(&culprits, check);
	kind = find_kind(check, count, &culprits.units, marks);
	if (kind)
		add_finding(check, &culprits, kind, count, marks);
	culprits_end(&culprits);
	free(marks);
	return kind;
}
