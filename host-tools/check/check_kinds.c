/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_kinds.c - checks that all objects of one compiler have the same kind of profile. The linker keeps the version
 * word of only one object. So tools would read the counters of all objects as counters of the kind that this word
 * declares.
 */
#include "culprits.h"

#include <stdlib.h>

/* The counters of one record. */
struct record_counters {
	uint64_t at; /* offset of the first counter in the section of counters */
	uint64_t count;
	size_t index; /* index of the record */
};

static int compare_counters(const void *left, const void *right)
{
	const struct record_counters *a = left;
	const struct record_counters *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return compare_uint(a->index, b->index);
}

/* The size of each counter of a record. */
enum counter_width {
	WIDTH_NEITHER,
	WIDTH_ONE, /* one byte */
	WIDTH_EIGHT,
	WIDTH_EITHER,
};

/*
 * Returns the width of the counters of a record. @count is the number of counters. @room is the number of bytes from
 * these counters to the counters of the next record. Counters of eight bytes are aligned. So if the next record has
 * counters of eight bytes (@before_wide), up to 7 bytes of @room may be padding.
 */
static enum counter_width find_width(uint64_t count, uint64_t room, bool before_wide)
{
	const uint64_t padding_max = before_wide ? 7 : 0;
	bool eight = room == 8 * count;
	bool one = room >= count && room - count <= padding_max;

	if (eight && one)
		return WIDTH_EITHER;
	if (eight)
		return WIDTH_EIGHT;
	return one ? WIDTH_ONE : WIDTH_NEITHER;
}

/*
 * Returns true if some records have counters of eight bytes, and other records have counters of one byte. Marks the
 * records whose counters have eight bytes.
 *
 * A record does not store the width of its counters. The width follows from the room of the record, which is the number
 * of bytes from its counters to the counters of the next record. The walk begins at the last record, because the
 * padding after the counters of a record depends on the width of the next counters.
 *
 * For example, a section of 28 bytes has the counters of three records. Record c has 4 counters at offset 24. Its room
 * is 28 - 24 = 4 bytes, so each counter has one byte. Record b has 2 counters at offset 8. Its room is 24 - 8 = 16
 * bytes, so each counter has eight bytes. Record a has 3 counters at offset 0. Its room is 8 - 0 = 8 bytes: 3 counters
 * of one byte, and 5 bytes of padding before the wide counters of b.
 *
 * If the room of a record fits neither width, the image has a fault of another kind, and the function returns false.
 */
static bool mark_by_room(const struct record_counters *counters, size_t count, uint64_t end, bool *marks)
{
	bool before_wide = false;
	size_t narrow = 0;
	size_t wide = 0;
	size_t i;

	for (i = count; i--; end = counters[i].at) {
		enum counter_width width = find_width(counters[i].count, end - counters[i].at, before_wide);

		if (width == WIDTH_NEITHER)
			return false;
		narrow += width == WIDTH_ONE;
		wide += width == WIDTH_EIGHT;
		before_wide = width != WIDTH_ONE;
		marks[counters[i].index] = before_wide;
	}
	return wide && narrow;
}

/* Reads the @count records and marks them as mark_by_room() does. Also returns false if a record cannot be read. */
static bool mark_wide(const struct records *records, size_t count, bool *marks)
{
	struct record_counters *counters = allocate(count, sizeof(*counters));
	struct record record;
	bool mixed = false;
	size_t i;

	for (i = 0; i < count && records_get(records, records->version, i, &record); i++)
		counters[i] = (struct record_counters){record.counters.address, record.counter_count, i};
	if (i == count) {
		qsort(counters, count, sizeof(*counters), compare_counters);
		mixed = mark_by_room(counters, count, records->counters.size, marks);
	}
	free(counters);
	return mixed;
}

/*
 * Returns whether the record's function has front-end counters. A function with a coverage mapping has them. If the
 * function has no mapping, its structural hash decides. The front end gives a small function a small number as its
 * hash. IR PGO hashes the control flow graph, and this hash has a checksum in bits 28 and above.
 */
static bool is_front_end(const struct record *record, const struct units *units)
{
	return units_function(units, record->name) || record->hash < 1u << 28;
}

/*
 * Returns whether the record has no timestamp. The timestamp takes the space of one counter, or of eight one-byte
 * counters. A function with a timestamp has at least one counter in addition to the timestamp, so a record with only
 * one counter has no timestamp.
 */
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

/* The kinds of profile. For each kind, a function recognizes a record that cannot be of this kind. */
static const struct kind {
	uint64_t bit; /* the bit of the version word that declares the kind */
	bool (*is_other)(const struct record *record, const struct units *units);
	const char *other; /* text for a finding: the property that only records of another kind have */
	const char *declared; /* text for a finding: the property that all records of this kind have */
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
		"the image has objects of two kinds of profile: %zu record%s (of %s) with %s, and %zu with %s; the "
		"runtime and the tools would read all of them as one kind",
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
