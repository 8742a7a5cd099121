/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside_values.c - walks the lists of values in the memory of a target. A record points to the heads of its lists, one
 * for each value site, and a node has a value, a count and the address of the next node (include/bareprof/values.h).
 */
#include "outside_capture.h"

#include "record_table.h"

#include <bareprof/layout.h>
#include <inttypes.h>
#include <stdlib.h>

/* A list has at most this many nodes, because a profile has one byte for their number. */
#define NODES_MAX 255u

/* A walk over all lists of a program, and where their values go. */
struct walk {
	const struct placed *placed;
	unsigned int version;
	unsigned int width;
	bool big;
	uint64_t sites; /* sites of the ELF file that were not walked yet */
	struct buffer *counts; /* NULL: set the counts of all values to 0 */
	struct buffer *pairs;
	struct error *error;
};

/* The runtime does the same: a list keeps its nodes, because other code may walk it. */
static enum status clear_count(const struct walk *walk, uint64_t node)
{
	static const uint8_t zero[8];
	const struct placed *placed = walk->placed;

	return placed_write(placed, node + 8 - placed->slide, zero, sizeof(zero), walk->error);
}

static enum status walk_list(const struct walk *walk, uint64_t node)
{
	/* Two numbers of 8 bytes and a pointer; with 4-byte pointers, the alignment of 8 may add 4 bytes. */
	uint8_t content[24];
	uint64_t length = 0;

	while (node) {
		enum status status = placed_follow(walk->placed, node, content, 16 + walk->width, walk->error);

		if (status != STATUS_OK)
			return status;
		if (length == NODES_MAX)
			return error_set(walk->error, STATUS_INVALID_INPUT,
				"has a list of more than %u values, or a list that never ends, at 0x%" PRIx64
				": the memory was overwritten, or it changed while it was read",
				NODES_MAX, node);
		if (walk->counts)
			buffer_add(walk->pairs, content, 16);
		else
			status = clear_count(walk, node);
		if (status != STATUS_OK)
			return status;
		length++;
		node = load_uint(content + 16, walk->width, walk->big);
	}
	if (walk->counts)
		buffer_add(walk->counts, &(uint8_t){(uint8_t)length}, 1);
	return STATUS_OK;
}

/* Walks the lists of the record at @record. */
static enum status walk_record(struct walk *walk, const uint8_t *record)
{
	const uint8_t *sites = record + BAREPROF_RECORD_VALUE_SITES(walk->version, walk->width);
	uint64_t heads =
		load_uint(record + BAREPROF_RECORD_VALUES_PTR(walk->version, walk->width), walk->width, walk->big);
	enum status status = STATUS_OK;
	uint8_t *list;
	size_t count = 0;
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < BAREPROF_VALUE_KINDS_OF(walk->version); kind++)
		count += load_uint(sites + 2 * kind, 2, walk->big);
	if (!count)
		return STATUS_OK;
	/* The records in memory are not those of the ELF file if they were overwritten. */
	if (count > walk->sites)
		return error_set(walk->error, STATUS_INVALID_INPUT,
			"has records with more value sites than the ELF file %s: the memory was overwritten, or the "
			"file is not that of the program",
			walk->placed->program->path);
	walk->sites -= count;
	/* Before clang 18, the runtime makes the heads only when the image starts to record values. */
	list = allocate(count, walk->width);
	if (heads)
		status = placed_follow(walk->placed, heads, list, count * walk->width, walk->error);
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = walk_list(walk, load_uint(list + i * walk->width, walk->width, walk->big));
	free(list);
	return status;
}

static enum status walk_records(
	const struct placed *placed, struct buffer *counts, struct buffer *pairs, struct error *error)
{
	struct program *program = placed->program;
	const struct elf_section_copy *section = &program->section[BAREPROF_DATA];
	const struct record_table *table;
	struct walk walk = {.placed = placed,
		.width = program->image.width,
		.big = program->image.big,
		.counts = counts,
		.pairs = pairs,
		.error = error};
	enum status status = program_records(program, 0, &table, error);
	uint8_t *records;
	size_t size;
	size_t i;

	if (status != STATUS_OK || !table->sites || !section->moves)
		return status;
	if (section->size > program->image.size)
		return error_set(error, STATUS_INVALID_INPUT,
			"cannot be read: the ELF file %s claims %" PRIu64 " bytes of records, more than the file has",
			program->path, section->size);
	walk.sites = table->sites;
	walk.version = (unsigned int)(table->version_word & BAREPROF_VERSION_NUMBER);
	size = BAREPROF_RECORD_SIZE(walk.version, walk.width);
	records = allocate(1, section->size);
	status = placed_read(placed, section->address, records, section->size, error);
	for (i = 0; i < section->size / size && status == STATUS_OK; i++)
		status = walk_record(&walk, records + i * size);
	free(records);
	return status;
}

enum status outside_values(
	const struct placed *placed, struct buffer *counts, struct buffer *pairs, struct error *error)
{
	return walk_records(placed, counts, pairs, error);
}

enum status outside_values_reset(const struct placed *placed, struct error *error)
{
	return walk_records(placed, NULL, NULL, error);
}
