/* SPDX-License-Identifier: BSD-2-Clause */
/* probes.c - decodes the section .pseudo_probe. */
#include "probes.h"
#include "probe_addresses.h"

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
	size_t record_room;
	struct probe_record *records; /* the records at the top; probes->records is their number */
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

/* Reads a probe of the node @node. Its address is a field of the file until probe_addresses_set() replaces it. */
static enum status read_probe(struct reader *reader, uint32_t node, struct error *error)
{
	const uint8_t *start = reader->cursor.at;
	struct probes *probes = reader->probes;
	struct probe probe = {.node = node};
	uint64_t index = take_uleb(&reader->cursor);
	unsigned int flags = (unsigned int)take_number(reader, 1);
	uint64_t discriminator = 0;
	bool sentinel = index == PROBE_SENTINEL_INDEX;

	probe.type = flags & PROBE_TYPE_MASK;
	probe.attributes = flags >> PROBE_ATTRIBUTE_SHIFT & PROBE_ATTRIBUTE_MASK;
	if (!reader->cursor.failed &&
		(sentinel != !!(probe.attributes & PROBE_ATTRIBUTE_SENTINEL) || (sentinel && flags & PROBE_DISTANCE)))
		return damaged(reader, start,
			"a probe has either the index or the attribute of a sentinel, but not both", error);
	if (flags & PROBE_DISTANCE)
		probe.address = (uint64_t)take_sleb(&reader->cursor);
	else
		probe.address = take_number(reader, sentinel ? 8 : reader->image->width);
	if (!sentinel && !(flags & PROBE_DISTANCE))
		probe.attributes |= PROBE_ATTRIBUTE_ANCHOR;
	if (probe.attributes & PROBE_ATTRIBUTE_DISCRIMINATOR)
		discriminator = take_uleb(&reader->cursor);
	if (reader->cursor.failed)
		return damaged(reader, start, "the section ends within a probe", error);
	if (index > UINT32_MAX || discriminator > UINT32_MAX)
		return damaged(reader, start, "the number of a probe is above 2^32-1", error);
	if (probe.type >= PROBE_TYPES)
		return damaged(reader, start, "a probe has a type that is not known", error);
	probe.index = (uint32_t)index;
	probe.discriminator = (uint32_t)discriminator;
	probes->probes = array_grow(probes->probes, probes->count, &reader->probe_room, sizeof(probe));
	probes->probes[probes->count++] = probe;
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

static void add_record(struct reader *reader, uint64_t guid, bool starts_section)
{
	struct probes *probes = reader->probes;
	struct probe_record record = {guid, probes->count, starts_section};

	reader->records = array_grow(reader->records, probes->records, &reader->record_room, sizeof(record));
	reader->records[probes->records++] = record;
}

/* Reads the next record: its head and its own probes. The records that were inlined into it follow. */
static enum status read_record(struct reader *reader, struct error *error)
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
	if (!reader->depth)
		add_record(reader, node.guid, start == reader->content.data);
	open_record(reader, &node, inlined);
	while (count-- && status == STATUS_OK)
		status = read_probe(reader, number, error);
	while (reader->depth && !reader->open[reader->depth - 1].inlined)
		reader->depth--;
	return status;
}

/* Reads one section. */
static enum status read_content(struct reader *reader, struct bytes content, struct error *error)
{
	enum status status = STATUS_OK;

	reader->content = content;
	reader->cursor = cursor_of(content);
	reader->depth = 0;
	while ((reader->depth || reader->cursor.at < reader->cursor.end) && status == STATUS_OK)
		status = read_record(reader, error);
	return status;
}

static int compare_probes(const void *left, const void *right)
{
	const struct probe *a = left;
	const struct probe *b = right;

	return compare_uint(a->address, b->address);
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
	probe_addresses_set(probes, reader.records, status == STATUS_OK ? probes->records : 0);
	free(reader.records);
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
	const struct probe_extent *extent;

	if (descriptor)
		return descriptor->name;
	extent = probe_extent(&probes->functions, guid);
	if (extent && !extent->suffixed)
		return (struct bytes){(const uint8_t *)extent->name, strlen(extent->name)};
	return (struct bytes){NULL, 0};
}

size_t probes_at(const struct probes *probes, uint64_t address)
{
	struct probe key = {.address = address};

	return lower_bound(&key, probes->probes, probes->count, sizeof(key), compare_probes);
}
