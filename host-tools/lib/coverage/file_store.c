/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_store.c - writes and reads the areas and branches that a function has in a file. All numbers are ULEB128 numbers.
 * The memory is our own, so the reader checks nothing.
 */
#include "file_store.h"

#define KIND_BITS 3

/* The maximum number of bytes of a number. */
#define NUMBER_MAX 10

/* Writes @number at @at, and returns the end of its bytes. */
static inline uint8_t *put_number(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

/* Appends a single number. */
static void add_number(struct buffer *out, uint64_t number)
{
	buffer_reserve(out, NUMBER_MAX);
	out->size = (size_t)(put_number(out->data + out->size, number) - out->data);
}

static inline uint64_t take_number(const uint8_t **at)
{
	uint64_t number = *(*at)++;
	unsigned int shift;

	if (number < 0x80)
		return number;
	number &= 0x7f;
	for (shift = 7; **at >= 0x80; shift += 7)
		number |= (uint64_t)(*(*at)++ & 0x7f) << shift;
	return number | (uint64_t) * (*at)++ << shift;
}

/*
 * In place of a line, its distance from the line before is stored, which can be negative. An end column of 2^32-1
 * stands for the end of the line. All end columns are stored plus 1, so that this one becomes 0.
 */
static inline uint8_t *put_location(uint8_t *at, const struct region *region, uint32_t *line)
{
	int64_t distance = (int64_t)region->line - *line;

	at = put_number(at, distance < 0 ? (uint64_t)-distance << 1 | 1 : (uint64_t)distance << 1);
	at = put_number(at, region->column);
	at = put_number(at, region->end_line - region->line);
	at = put_number(at, (uint32_t)(region->end_column + 1));
	*line = region->line;
	return at;
}

static inline void take_location(const uint8_t **at, struct region *region, uint32_t *line)
{
	uint64_t distance = take_number(at);

	region->line = *line + (uint32_t)(distance & 1 ? -(distance >> 1) : distance >> 1);
	region->column = (uint32_t)take_number(at);
	region->end_line = region->line + (uint32_t)take_number(at);
	region->end_column = (uint32_t)take_number(at) - 1;
	*line = region->line;
}

static void add_areas(struct buffer *out, const struct areas *areas)
{
	uint32_t line = 0;
	uint8_t *at;
	size_t i;

	add_number(out, areas->count);
	buffer_reserve(out, areas->count * 6 * NUMBER_MAX);
	at = out->data + out->size;
	for (i = 0; i < areas->count; i++) {
		const struct area *area = &areas->list[i];
		const struct region region = {.line = (uint32_t)(area->start >> 32),
			.column = (uint32_t)area->start,
			.end_line = (uint32_t)(area->end >> 32),
			.end_column = (uint32_t)area->end};

		at = put_number(at, (uint64_t)area->kind);
		at = put_location(at, &region, &line);
		at = put_number(at, area->count);
	}
	out->size = (size_t)(at - out->data);
}

static void take_areas(const uint8_t **at, struct areas *areas)
{
	uint64_t count = take_number(at);
	const uint8_t *from = *at;
	struct region region = {.line = 0};
	uint32_t line = 0;

	areas_reserve(areas, (size_t)count);
	for (; count; count--) {
		struct area area = {.kind = (enum region_kind)take_number(&from)};

		take_location(&from, &region, &line);
		area.start = location(region.line, region.column);
		area.end = location(region.end_line, region.end_column);
		area.count = take_number(&from);
		areas_put(areas, &area);
	}
	*at = from;
}

static void add_condition(struct buffer *out, const struct region *region, uint32_t *line)
{
	unsigned int flags = region->folded[0] | (unsigned int)region->folded[1] << 1 |
	                     (unsigned int)region_is_difference(region, 0) << 2 |
	                     (unsigned int)region_is_difference(region, 1) << 3;
	uint8_t *at;

	buffer_reserve(out, 8 * NUMBER_MAX);
	at = put_number(out->data + out->size, (unsigned int)region->kind | flags << KIND_BITS);
	at = put_number(at, region->file);
	at = put_location(at, region, line);
	at = put_number(at, region->count);
	at = put_number(at, region->false_count);
	out->size = (size_t)(at - out->data);
}

static struct region take_condition(const uint8_t **at, uint32_t *line)
{
	uint64_t kind = take_number(at);
	struct region region = {.kind = (enum region_kind)(kind & ((1u << KIND_BITS) - 1)),
		.folded = {kind >> KIND_BITS & 1, kind >> (KIND_BITS + 1) & 1}};

	/* Only the kind of an operand is needed after its count was computed. */
	region.operand[0] = kind >> (KIND_BITS + 2) & 1 ? REGION_OPERAND_DIFFERENCE : 0;
	region.operand[1] = kind >> (KIND_BITS + 3) & 1 ? REGION_OPERAND_DIFFERENCE : 0;
	region.file = (uint32_t)take_number(at);
	take_location(at, &region, line);
	region.count = take_number(at);
	region.false_count = take_number(at);
	return region;
}

void file_store_write(const struct file_coverage *file, bool has_decisions, struct buffer *out)
{
	uint32_t line = 0;
	size_t i;
	size_t k;

	add_number(out, has_decisions);
	add_areas(out, &file->segments.areas);
	add_number(out, file->branch_count);
	for (i = 0; i < file->branch_count; i++)
		add_condition(out, &file->branches[i].region, &line);
	add_number(out, file->nested_count);
	for (i = 0; i < file->nested_count; i++) {
		const struct file_branch *branch = &file->nested[i];
		bool new_path = !i || branch->path != branch[-1].path;

		add_condition(out, &branch->region, &line);
		add_number(out, new_path ? branch->path_count : 0);
		if (new_path)
			add_number(out, branch->name);
		for (k = 0; k < branch->path_count && new_path; k++)
			add_number(out, file->paths[branch->path + k]);
	}
}

bool file_store_read(struct file_coverage *file, struct bytes stored)
{
	const uint8_t *at = stored.data;
	bool has_decisions = take_number(&at);
	struct file_branch branch = {.path = 0};
	uint32_t line = 0;
	uint64_t count;

	take_areas(&at, &file->segments.areas);
	for (count = take_number(&at); count; count--) {
		struct region region = take_condition(&at, &line);

		file_coverage_add_branch(file, &region);
	}
	for (count = take_number(&at); count; count--) {
		uint64_t path_count;

		branch.region = take_condition(&at, &line);
		path_count = take_number(&at);
		if (path_count) {
			branch.path = (uint32_t)file->path_count;
			branch.path_count = (uint32_t)path_count;
			branch.name = (uint32_t)take_number(&at);
		}
		for (; path_count; path_count--)
			file_coverage_add_path(file, take_number(&at));
		branch.root_line = (uint32_t)(file->paths[branch.path] >> 32);
		branch.root_column = (uint32_t)file->paths[branch.path];
		file_coverage_add_nested(file, &branch);
	}
	return has_decisions;
}
