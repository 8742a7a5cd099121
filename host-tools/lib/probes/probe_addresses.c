/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_addresses.c - computes the addresses of probes. */
#include "probe_addresses.h"

#include <stdlib.h>

struct setter {
	struct probes *probes;
	const struct probe_record *records;
	size_t count;
	bool mixed; /* the image has records of both kinds */
	bool chained; /* distances count from the previous record */
	/*
	 * In a chain of a mixed image: the records before @sure belong to the chain, and those from @limit on don't. The
	 * indexes count from the first record of the image.
	 */
	size_t sure;
	size_t limit;
	uint64_t address; /* of the previous probe */
	bool lost; /* the function is not known, so the addresses of its probes are not known either */
	/* The function at whose symbol the addresses start, and the GUID of the previous record of this function. */
	uint64_t function;
	uint64_t previous;
	const struct probe_extent *extent;
	/* For each extent that is the first with its GUID: the number of extents with this GUID that were used. */
	uint32_t *taken;
};

static size_t record_end(const struct setter *setter, size_t record)
{
	return record + 1 < setter->count ? setter->records[record + 1].first : setter->probes->count;
}

static const struct probe *first_probe(const struct setter *setter, size_t record)
{
	return &setter->probes->probes[setter->records[record].first];
}

/* Returns whether the record begins with an address. Only clang up to 15 writes such records. */
static bool is_anchored(const struct setter *setter, size_t record)
{
	return first_probe(setter, record)->attributes & PROBE_ATTRIBUTE_ANCHOR;
}

/* Returns whether the record has something that only clang from 16 on writes. */
static bool is_modern(const struct setter *setter, size_t record)
{
	size_t i;

	for (i = setter->records[record].first; i < record_end(setter, record); i++)
		if (setter->probes->probes[i].attributes & (PROBE_ATTRIBUTE_SENTINEL | PROBE_ATTRIBUTE_DISCRIMINATOR))
			return true;
	return false;
}

/* Returns whether the record cannot follow the previous one in a chain. The GUIDs of a chain ascend. */
static bool ends_chain(const struct setter *setter, size_t record)
{
	return setter->records[record].starts_section || is_anchored(setter, record) ||
	       setter->records[record].guid <= setter->records[record - 1].guid || is_modern(setter, record);
}

/*
 * Finds out whether objects of clang up to 15 are linked together with objects of clang from 16 on. They are if a chain
 * goes on with a record that cannot belong to it, or if a section has a record without an address before its first
 * chain.
 */
static bool is_mixed(const struct setter *setter)
{
	bool chained = false;
	bool anchors = false;
	bool others = false;
	size_t i;

	for (i = 0; i < setter->count; i++) {
		if (setter->records[i].starts_section)
			chained = false;
		if (is_anchored(setter, i))
			chained = anchors = true;
		else if (!chained || ends_chain(setter, i))
			others = true;
	}
	return anchors && others;
}

static bool contains(const struct probe_extent *extent, uint64_t address)
{
	return address >= extent->start && (address < extent->end || extent->start == extent->end);
}

/* Returns whether all probes of the record are in its function, if the address before the first one is @from. */
static bool is_within(const struct setter *setter, size_t record, const struct probe_extent *extent, uint64_t from)
{
	size_t i;

	for (i = setter->records[record].first; i < record_end(setter, record); i++) {
		from += setter->probes->probes[i].address;
		if (!contains(extent, from))
			return false;
	}
	return true;
}

/* Returns whether clang from 16 on can have written the record: its probes are in the function, from its symbol on. */
static bool fits_symbol(const struct setter *setter, size_t record)
{
	const struct probe_extent *extent = probe_extent(&setter->probes->functions, setter->records[record].guid);

	return extent && is_within(setter, record, extent, extent->start);
}

/*
 * At the first record of a chain: sets the bounds of the chain. All records from the first one of clang 16 on must fit
 * their symbols, so a record that doesn't fit belongs to the chain, and so do those before it.
 */
static void start_chain(struct setter *setter, size_t record)
{
	setter->sure = record + 1;
	for (setter->limit = record + 1; setter->limit < setter->count; setter->limit++) {
		if (ends_chain(setter, setter->limit))
			break;
		if (!fits_symbol(setter, setter->limit))
			setter->sure = setter->limit + 1;
	}
}

/* Returns whether @record, which follows a record of a chain, belongs to the chain too. */
static bool is_chained(const struct setter *setter, size_t record)
{
	const struct probe_extent *extent = probe_extent(&setter->probes->functions, setter->records[record].guid);

	if (!setter->mixed || record < setter->sure)
		return true;
	return record < setter->limit && extent && is_within(setter, record, extent, setter->address);
}

/*
 * Returns the extent of the next function with the GUID @function, or NULL. If several functions have this GUID,
 * because static functions have the same name, their records are in the order of their addresses.
 */
static const struct probe_extent *take_extent(struct setter *setter, uint64_t function)
{
	const struct probe_functions *functions = &setter->probes->functions;
	const struct probe_extent *first = probe_extent(functions, function);
	const struct probe_extent *next;
	uint32_t *taken;

	if (!first)
		return NULL;
	taken = &setter->taken[first - functions->extents];
	if (!*taken) {
		*taken = 1;
		return first;
	}
	next = probe_extent_next(functions, first + *taken - 1);
	if (next)
		++*taken;
	return first + *taken - 1;
}

/* Starts at the symbol of @function. All records of one function follow each other, and their GUIDs ascend. */
static void start_at_symbol(struct setter *setter, uint64_t function, uint64_t record)
{
	if (setter->function != function || record <= setter->previous) {
		setter->extent = take_extent(setter, function);
		setter->function = function;
	}
	setter->previous = record;
	setter->chained = false;
	setter->lost = !setter->extent;
	setter->address = setter->extent ? setter->extent->start : 0;
}

static void drop(struct setter *setter, bool first)
{
	struct probes *probes = setter->probes;

	if (!probes->lost_probes++)
		probes->lost_guid = setter->function;
	probes->lost_records += first;
}

/* Sets the addresses of the probes of @record, from the index @to on. Returns the index after the last of them. */
static size_t set_record(struct setter *setter, size_t record, size_t to)
{
	struct probes *probes = setter->probes;
	uint64_t guid = setter->records[record].guid;
	size_t end = record_end(setter, record);
	bool lost = false;
	size_t i;

	for (i = setter->records[record].first; i < end; i++) {
		struct probe probe = probes->probes[i];

		if (probe.attributes & PROBE_ATTRIBUTE_SENTINEL) {
			start_at_symbol(setter, probe.address, guid);
			continue;
		}
		if (probe.attributes & PROBE_ATTRIBUTE_ANCHOR) {
			probe.attributes &= (uint8_t)~PROBE_ATTRIBUTE_ANCHOR;
			setter->address = probe.address;
			setter->chained = true;
			setter->lost = false;
		} else {
			setter->address += probe.address;
		}
		probe.address = setter->address;
		if (setter->lost) {
			drop(setter, !lost);
			lost = true;
		} else {
			probes->probes[to++] = probe;
		}
	}
	return to;
}

static void begin_record(struct setter *setter, size_t record)
{
	const struct probe *probe = first_probe(setter, record);

	if (setter->records[record].starts_section) {
		setter->chained = false;
		setter->function = 0;
	}
	if (probe->attributes & PROBE_ATTRIBUTE_ANCHOR) {
		setter->probes->addresses = true;
		setter->function = 0; /* what follows the chain is from another object */
		if (setter->mixed)
			start_chain(setter, record);
		return;
	}
	if (setter->chained && is_chained(setter, record))
		return;
	setter->probes->distances = true;
	if (!(probe->attributes & PROBE_ATTRIBUTE_SENTINEL))
		start_at_symbol(setter, setter->records[record].guid, setter->records[record].guid);
}

/* Copies the records that have probes. The others have no part in chains and groups. Returns their number. */
static size_t keep_records(struct probe_record *kept, const struct probe_record *records, size_t count, size_t probes)
{
	bool starts_section = false;
	size_t to = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		size_t end = i + 1 < count ? records[i + 1].first : probes;

		starts_section = starts_section || records[i].starts_section;
		if (records[i].first == end)
			continue;
		kept[to] = records[i];
		kept[to++].starts_section = starts_section;
		starts_section = false;
	}
	return to;
}

void probe_addresses_set(struct probes *probes, const struct probe_record *records, size_t count)
{
	struct probe_record *kept = allocate(count + 1, sizeof(*kept));
	struct setter setter = {.probes = probes, .records = kept};
	size_t to = 0;
	size_t i;

	setter.count = keep_records(kept, records, count, probes->count);
	setter.taken = allocate(probes->functions.extent_count + 1, sizeof(*setter.taken));
	setter.mixed = is_mixed(&setter);
	for (i = 0; i < setter.count; i++) {
		begin_record(&setter, i);
		to = set_record(&setter, i, to);
	}
	probes->count = to;
	free(setter.taken);
	free(kept);
}
