/* SPDX-License-Identifier: BSD-2-Clause */
/* probes.c - decodes the section .pseudo_probe. */
#include "probes.h"

#include <inttypes.h>
#include <stdlib.h>

/* A record that was begun but whose inlined records are not all read yet. */
struct open_record {
	uint32_t node;
	uint64_t inlined; /* number of inlined records that are still to come */
};

struct reader {
	struct probes *probes;
	const struct image *image;
	struct bytes content;
	struct cursor cursor;
	size_t node_room;
	size_t probe_room;
	uint64_t address; /* of the previous probe */
	/*
	 * Clang up to 15 writes the address of the first probe of each object file. All later probes of the object have
	 * the distance to the previous probe, even in other records. So their addresses do not depend on symbols.
	 */
	bool chained;
	uint64_t guid; /* of this function */
	bool lost; /* the function is not known, so the addresses of its probes are not known either */
	size_t depth;
	struct open_record open[PROBE_DEPTH_MAX];
};

static enum status damaged(const struct reader *reader, const uint8_t *at, const char *reason, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has damaged pseudo probes at offset 0x%zx of its section '" PROBE_SECTION
		"': %s; link the image again",
		(size_t)(at - reader->content.data), reason);
}

/* LLVM writes an address with the width of a pointer, but a GUID always with 8 bytes. */
static uint64_t take_number(struct reader *reader, unsigned int width)
{
	struct bytes bytes = take_bytes(&reader->cursor, width);

	return reader->cursor.failed ? 0 : load_uint(bytes.data, width, reader->image->big);
}

static bool contains(const struct probe_extent *extent, uint64_t address)
{
	return address >= extent->start && (address < extent->end || extent->start == extent->end);
}

/* A record of clang from 16 on: the code is in the function with @guid, and addresses start at its symbol. */
static void start_at_symbol(struct reader *reader, uint64_t guid)
{
	const struct probe_extent *extent = probe_extent(&reader->probes->functions, guid);

	reader->chained = false;
	reader->guid = guid;
	reader->lost = !extent;
	reader->address = extent ? extent->start : 0;
}

/*
 * Sets the address of the next probe, which is @distance from the previous one. If objects of several releases of clang
 * are linked together, only the first probe of a record tells which rule applies to the record: @first is true for it.
 * The chain is right if it leads into the function. It is wrong if only the distance from the symbol does.
 */
static void move(struct reader *reader, int64_t distance, bool first)
{
	uint64_t next = reader->address + (uint64_t)distance;
	uint64_t guid = reader->probes->nodes[reader->open[0].node].guid;

	if (first && !reader->chained) {
		reader->probes->distances = true;
	} else if (first) {
		const struct probe_extent *extent = probe_extent(&reader->probes->functions, guid);

		if (extent && !contains(extent, next) && contains(extent, extent->start + (uint64_t)distance)) {
			start_at_symbol(reader, guid);
			reader->probes->distances = true;
			next = reader->address + (uint64_t)distance;
		}
	}
	reader->address = next;
}

static void add_probe(struct reader *reader, const struct probe *probe)
{
	struct probes *probes = reader->probes;

	if (reader->lost) {
		if (!probes->lost_probes++)
			probes->lost_guid = reader->guid;
		return;
	}
	probes->probes = array_grow(probes->probes, probes->count, &reader->probe_room, sizeof(*probes->probes));
	probes->probes[probes->count++] = *probe;
}

/* Reads a probe of the node @node. @first: it is the first probe of the record at the top that has an address. */
static enum status read_probe(struct reader *reader, uint32_t node, bool *first, struct error *error)
{
	const uint8_t *start = reader->cursor.at;
	struct probe probe = {.node = node};
	uint64_t index = take_uleb(&reader->cursor);
	unsigned int flags = (unsigned int)take_number(reader, 1);
	uint64_t discriminator = 0;

	probe.type = flags & PROBE_TYPE_MASK;
	probe.attributes = flags >> PROBE_ATTRIBUTE_SHIFT & PROBE_ATTRIBUTE_MASK;
	if (!reader->cursor.failed && index == PROBE_SENTINEL_INDEX) {
		uint64_t guid = take_number(reader, 8);

		if (flags & PROBE_DISTANCE || !(probe.attributes & PROBE_ATTRIBUTE_SENTINEL))
			return damaged(reader, start, "a probe has the index 0, but is no sentinel", error);
		if (reader->cursor.failed)
			return damaged(reader, start, "the section ends within a sentinel", error);
		reader->probes->sentinels++;
		start_at_symbol(reader, guid);
		return STATUS_OK;
	}
	if (flags & PROBE_DISTANCE) {
		move(reader, take_sleb(&reader->cursor), *first);
	} else {
		reader->address = take_number(reader, reader->image->width);
		reader->chained = true;
		reader->lost = false;
		reader->probes->addresses = true;
	}
	if (probe.attributes & PROBE_ATTRIBUTE_DISCRIMINATOR)
		discriminator = take_uleb(&reader->cursor);
	if (reader->cursor.failed)
		return damaged(reader, start, "the section ends within a probe", error);
	if (index > UINT32_MAX || discriminator > UINT32_MAX)
		return damaged(reader, start, "the number of a probe is above 2^32-1", error);
	if (probe.type >= PROBE_TYPES)
		return damaged(reader, start, "a probe has a type that is not known", error);
	*first = false;
	probe.index = (uint32_t)index;
	probe.discriminator = (uint32_t)discriminator;
	probe.address = reader->address;
	add_probe(reader, &probe);
	return STATUS_OK;
}

static void open_record(struct reader *reader, const struct probe_node *node, uint64_t inlined)
{
	struct probes *probes = reader->probes;

	probes->nodes = array_grow(probes->nodes, probes->node_count, &reader->node_room, sizeof(*probes->nodes));
	reader->open[reader->depth].node = (uint32_t)probes->node_count;
	reader->open[reader->depth++].inlined = inlined;
	probes->nodes[probes->node_count++] = *node;
}

/*
 * Reads the next record: its head and its own probes. The records that were inlined into it follow. A record at the top
 * starts at the symbol of its function, if the addresses are not chained.
 */
static enum status read_record(struct reader *reader, bool *first, struct error *error)
{
	const uint8_t *start = reader->cursor.at;
	struct probe_node node = {.parent = PROBE_NO_PARENT};
	struct cursor *cursor = &reader->cursor;
	enum status status = STATUS_OK;
	uint64_t call = 0;
	uint64_t count;
	uint64_t inlined;
	uint32_t number = (uint32_t)reader->probes->node_count;

	if (reader->depth) {
		node.parent = reader->open[reader->depth - 1].node;
		reader->open[reader->depth - 1].inlined--;
		call = take_uleb(cursor);
	}
	node.call = (uint32_t)call;
	node.guid = take_number(reader, 8);
	count = take_uleb(cursor);
	inlined = take_uleb(cursor);
	if (cursor->failed)
		return damaged(reader, start, "the section ends within a function record", error);
	if (call > UINT32_MAX || number == PROBE_NO_PARENT)
		return damaged(reader, start, "the number of a call is above 2^32-1", error);
	if (count > (uint64_t)(cursor->end - cursor->at) / PROBE_MIN ||
		inlined > (uint64_t)(cursor->end - cursor->at) / PROBE_RECORD_MIN)
		return damaged(reader, start, "a function record has more probes than the section", error);
	if (reader->depth == PROBE_DEPTH_MAX)
		return damaged(reader, start, "more than 1000 functions are inlined into each other", error);
	if (!reader->depth) {
		*first = true;
		reader->probes->records++;
		if (!reader->chained)
			start_at_symbol(reader, node.guid);
	}
	open_record(reader, &node, inlined);
	while (count-- && status == STATUS_OK)
		status = read_probe(reader, number, first, error);
	while (reader->depth && !reader->open[reader->depth - 1].inlined)
		reader->depth--;
	return status;
}

/* Reads one section, or the part of it that one object file contributed. */
static enum status read_content(struct reader *reader, struct bytes content, struct error *error)
{
	enum status status = STATUS_OK;
	bool first = true;

	reader->content = content;
	reader->cursor = cursor_of(content);
	reader->chained = false;
	reader->depth = 0;
	while (reader->cursor.at < reader->cursor.end && status == STATUS_OK) {
		size_t lost = reader->probes->lost_probes;

		do
			status = read_record(reader, &first, error);
		while (reader->depth && status == STATUS_OK);
		if (reader->probes->lost_probes > lost)
			reader->probes->lost_records++;
	}
	return status;
}

static int compare_probes(const void *left, const void *right)
{
	const struct probe *a = left;
	const struct probe *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Merges the sorted arrays @left and @right into @to. Of two probes with one address, the one of @left comes first. */
static void merge(
	struct probe *to, const struct probe *left, size_t left_count, const struct probe *right, size_t right_count)
{
	while (left_count && right_count)
		if (right->address < left->address) {
			*to++ = *right++;
			right_count--;
		} else {
			*to++ = *left++;
			left_count--;
		}
	memcpy(to, left, left_count * sizeof(*to));
	memcpy(to + left_count, right, right_count * sizeof(*to));
}

/* Returns the number of probes from @from on that are sorted already. @count is at least 1. */
static size_t sorted_run(const struct probe *from, size_t count)
{
	size_t n = 1;

	while (n < count && from[n - 1].address <= from[n].address)
		n++;
	return n;
}

/*
 * Sorts the probes by address. The order of probes with the same address must not change, which qsort() does not
 * promise. Compilers write most probes in the order of addresses, so merging the sorted runs takes few passes.
 */
static void sort_probes(struct probes *probes)
{
	struct probe *from = probes->probes;
	struct probe *to = allocate(probes->count + 1, sizeof(*to));
	size_t runs;

	do {
		size_t at = 0;

		runs = 0;
		while (at < probes->count) {
			size_t left = sorted_run(from + at, probes->count - at);
			size_t rest = probes->count - at - left;
			size_t right = rest ? sorted_run(from + at + left, rest) : 0;

			merge(to + at, from + at, left, from + at + left, right);
			at += left + right;
			runs++;
		}
		probes->probes = to;
		to = from;
		from = probes->probes;
	} while (runs > 1);
	free(to);
}

enum status probes_read(struct probes *probes, const struct image *image, struct error *error)
{
	struct reader reader = {.probes = probes, .image = image};
	enum status status;
	size_t i;

	memset(probes, 0, sizeof(*probes));
	status = probe_functions_read(&probes->functions, image, error);
	for (i = 0; i < image->section_count && status == STATUS_OK; i++) {
		struct buffer content = {0};

		if (strcmp(image->sections[i].name, PROBE_SECTION) != 0)
			continue;
		image_relocate_section(image, &image->sections[i], &content);
		status = read_content(&reader, (struct bytes){content.data, content.size}, error);
		buffer_free(&content);
	}
	sort_probes(probes);
	return status;
}

void probes_free(struct probes *probes)
{
	probe_functions_free(&probes->functions);
	free(probes->nodes);
	free(probes->probes);
}

size_t probe_chain(const struct probes *probes, uint32_t node, uint32_t chain[PROBE_DEPTH_MAX])
{
	uint32_t at = node;
	size_t count = 1;
	size_t i;

	while (probes->nodes[at].parent != PROBE_NO_PARENT) {
		at = probes->nodes[at].parent;
		count++;
	}
	for (i = count; i--; node = probes->nodes[node].parent)
		chain[i] = node;
	return count;
}

struct bytes probe_name(const struct probes *probes, uint64_t guid)
{
	const struct probe_descriptor *descriptor = probe_descriptor(&probes->functions, guid);

	return descriptor ? descriptor->name : (struct bytes){NULL, 0};
}

size_t probes_at(const struct probes *probes, uint64_t address)
{
	struct probe key = {.address = address};

	return lower_bound(&key, probes->probes, probes->count, sizeof(key), compare_probes);
}
