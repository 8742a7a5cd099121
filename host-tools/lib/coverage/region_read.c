/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_read.c - reads the regions of a function. Their bytes have three parts, in this order:
 *
 * - The first part has the number of files, and for each file its index in the list of files.
 * - The second part has the number of expressions, and for each expression its two operands.
 * - The third part has, for each file, the number of its regions and then the regions. Each region has its count or
 *   kind, and four numbers for its location.
 *
 * All of these numbers are ULEB128 numbers.
 */
#include "expression.h"
#include "region.h"

#include <stdlib.h>

#define EXPANSION_BIT 4u /* with TAG_ZERO, this bit tells that the region is an expansion */
#define KIND_SHIFT    3

/* In an end column, this bit tells that the region is a gap. */
#define GAP_BIT (1u << 31)

/*
 * No file of source has more lines. A wrong line number would otherwise lead to a report of billions of lines.
 */
#define LINE_MAX (1u << 24)

/* The states of struct function_file while the counts of expansions are looked for. */
enum {
	STATE_UNKNOWN,
	STATE_OPEN,
	STATE_KNOWN,
};

/* A number with at most 32 bits. Nearly all numbers have one or two bytes. */
static inline uint32_t take_word(struct cursor *cursor)
{
	const uint8_t *at = cursor->at;
	uint64_t number;

	if (cursor->end - at >= 2) {
		if (at[0] < 0x80) {
			cursor->at++;
			return at[0];
		}
		if (at[1] < 0x80) {
			cursor->at += 2;
			return (at[0] & 0x7fu) | (uint32_t)at[1] << 7;
		}
	}
	number = take_uleb(cursor);
	if (number >= UINT32_MAX)
		cursor->failed = true;
	return (uint32_t)number;
}

/*
 * Makes room for @count elements of @size bytes in @array, whose content may be lost. The caller has compared @count with
 * the size of the input.
 */
static void *make_room(void *array, size_t *room, size_t count, size_t size)
{
	if (*room >= count)
		return array;
	free(array);
	*room = count + count / 4;
	return allocate(*room, size);
}

static const char *read_files(
	struct function_regions *regions, struct cursor *cursor, const uint32_t *list_files, size_t list_count)
{
	uint64_t count = take_uleb(cursor);
	uint64_t i;

	regions->file_count = 0;
	/* Each file takes at least one byte. */
	if (cursor->failed || count > (size_t)(cursor->end - cursor->at))
		return "its number of files is too large";
	regions->files = make_room(regions->files, &regions->file_room, (size_t)count, sizeof(*regions->files));
	for (i = 0; i < count; i++) {
		uint32_t index = take_word(cursor);

		if (cursor->failed || index >= list_count)
			return "it refers to a file that its list does not have";
		regions->files[i] = (struct function_file){.name = list_files[index]};
	}
	regions->file_count = (size_t)count;
	return NULL;
}

static const char *read_expressions(struct function_regions *regions, struct cursor *cursor)
{
	uint64_t count = take_uleb(cursor);
	uint64_t i;

	regions->expression_count = 0;
	/* Each expression takes at least two bytes, because each operand takes at least one byte. */
	if (cursor->failed || count > (size_t)(cursor->end - cursor->at) / 2)
		return "its number of expressions is too large";
	regions->expressions = make_room(
		regions->expressions, &regions->expression_room, (size_t)count, sizeof(*regions->expressions));
	regions->expression_count = (size_t)count;
	for (i = 0; i < count; i++) {
		struct expression *expression = &regions->expressions[i];

		expression->operand[0] = take_word(cursor);
		expression->operand[1] = take_word(cursor);
		if (!operand_exists(regions, expression->operand[0]) ||
			!operand_exists(regions, expression->operand[1]))
			return "an expression refers to an expression that does not exist";
	}
	return cursor->failed ? "its expressions are cut short" : NULL;
}

/* Reads the numbers after the kind of a region of MC/DC. Returns false if they are out of range. */
static bool read_condition(struct region *region, struct cursor *cursor)
{
	uint64_t number[3];
	unsigned int i;

	/* Each number is 1 more than the number of the condition, so 0 is none. */
	for (i = 0; i < 3; i++) {
		number[i] = take_uleb(cursor);
		if (number[i] >= INT16_MAX)
			return false;
	}
	region->condition = (int16_t)((int)number[0] - 1);
	region->next[1] = (int16_t)((int)number[1] - 1);
	region->next[0] = (int16_t)((int)number[2] - 1);
	return number[0];
}

static bool read_decision(struct region *region, struct cursor *cursor)
{
	uint64_t conditions;

	region->bitmap_end = take_word(cursor);
	conditions = take_uleb(cursor);
	region->condition_count = (uint16_t)conditions;
	return conditions < INT16_MAX;
}

/* Reads what a region counts, and its kind. */
static const char *read_kind(struct region *region, struct cursor *cursor, size_t file_count)
{
	uint32_t what = take_word(cursor);

	if (cursor->failed)
		return "its regions are cut short";
	if ((what & TAG_MASK) != TAG_ZERO) {
		region->operand[0] = what;
		return NULL;
	}
	if (what & EXPANSION_BIT) {
		region->kind = REGION_EXPANSION;
		region->expanded = what >> KIND_SHIFT;
		return region->expanded < file_count ? NULL : "an expansion refers to a file that does not exist";
	}
	if (what >> KIND_SHIFT > REGION_CONDITION || what >> KIND_SHIFT == REGION_EXPANSION ||
		what >> KIND_SHIFT == REGION_GAP)
		return "it has a region of an unknown kind";
	region->kind = (enum region_kind)(what >> KIND_SHIFT);
	if (region->kind == REGION_BRANCH || region->kind == REGION_CONDITION) {
		region->operand[0] = take_word(cursor);
		region->operand[1] = take_word(cursor);
		region->folded[0] = (region->operand[0] & TAG_MASK) == TAG_ZERO;
		region->folded[1] = (region->operand[1] & TAG_MASK) == TAG_ZERO;
	}
	if ((region->kind == REGION_CONDITION && !read_condition(region, cursor)) ||
		(region->kind == REGION_DECISION && !read_decision(region, cursor)))
		return "it has a condition of MC/DC with an impossible number";
	return NULL;
}

/* Reads the location of a region. *@line is the first line of the region before it. */
static const char *read_location(struct region *region, struct cursor *cursor, uint64_t *line)
{
	uint64_t end;

	*line += take_word(cursor);
	region->column = take_word(cursor);
	end = *line + take_word(cursor);
	region->end_column = take_word(cursor);
	if (cursor->failed)
		return "its regions are cut short";
	if (end > LINE_MAX)
		return "it has a region at a line that no file of source has";
	region->line = (uint32_t)*line;
	region->end_line = (uint32_t)end;
	if (region->end_column & GAP_BIT) {
		region->kind = REGION_GAP;
		region->end_column &= ~GAP_BIT;
	}
	/* Columns of 0 stand for whole lines. */
	if (!region->column && !region->end_column) {
		region->column = 1;
		region->end_column = UINT32_MAX;
	}
	if (region->line > region->end_line ||
		(region->line == region->end_line && region->column > region->end_column))
		return "it has a region that ends before it begins";
	return NULL;
}

static const char *read_regions(struct function_regions *regions, struct cursor *cursor, uint32_t file, uint64_t count)
{
	uint64_t line = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		struct region *region = &regions->list[regions->count++];
		const char *wrong;

		*region = (struct region){.file = file};
		wrong = read_kind(region, cursor, regions->file_count);
		if (!wrong)
			wrong = read_location(region, cursor, &line);
		if (!wrong &&
			(!operand_exists(regions, region->operand[0]) || !operand_exists(regions, region->operand[1])))
			wrong = "it has a region that refers to an expression that does not exist";
		if (wrong)
			return wrong;
	}
	regions->files[file].count = (uint32_t)count;
	return NULL;
}

static const char *read_file(struct function_regions *regions, struct cursor *cursor, uint32_t file)
{
	uint64_t count = take_word(cursor);

	regions->files[file].first = (uint32_t)regions->count;
	/* There is room for a region in every five bytes, because each region takes at least five bytes. */
	if (cursor->failed || count > (size_t)(cursor->end - cursor->at) / 5)
		return "its number of regions is too large";
	return read_regions(regions, cursor, file, count);
}

/* Returns the first region of the file @file, or NULL. */
static const struct region *first_region(const struct function_regions *regions, uint32_t file)
{
	return regions->files[file].count ? &regions->list[regions->files[file].first] : NULL;
}

/*
 * Finds the count of the code in the file @file: that of its first region. If this region is an expansion, it is the
 * count of the file of the expansion, and so on. Files that expand to each other have the count 0.
 */
static uint32_t find_operand(struct function_regions *regions, uint32_t file)
{
	const struct region *first = first_region(regions, file);
	uint32_t operand = 0;
	uint32_t at = file;

	while (regions->files[at].state == STATE_UNKNOWN && first && first->kind == REGION_EXPANSION) {
		regions->files[at].state = STATE_OPEN;
		at = first->expanded;
		first = first_region(regions, at);
	}
	if (regions->files[at].state == STATE_KNOWN)
		operand = regions->files[at].operand;
	else if (first && first->kind != REGION_EXPANSION)
		operand = first->operand[0];
	/* All files on the way have the same count. */
	for (;;) {
		regions->files[at].operand = operand;
		regions->files[at].state = STATE_KNOWN;
		first = first_region(regions, file);
		if (file == at || regions->files[file].state != STATE_OPEN)
			return operand;
		regions->files[file].operand = operand;
		regions->files[file].state = STATE_KNOWN;
		file = first->expanded;
	}
}

/* The file has no counts for expansions. An expansion has the count of the first region in its file. */
static void count_expansions(struct function_regions *regions)
{
	size_t i;

	for (i = 0; i < regions->count; i++) {
		struct region *region = &regions->list[i];

		if (region->kind != REGION_EXPANSION)
			continue;
		regions->files[region->expanded].expansion = true;
		region->operand[0] = find_operand(regions, region->expanded);
	}
}

const char *regions_read(
	struct function_regions *regions, struct bytes bytes, const uint32_t *list_files, size_t list_count)
{
	struct cursor cursor = cursor_of(bytes);
	const char *wrong = read_files(regions, &cursor, list_files, list_count);
	uint32_t file;

	regions->count = 0;
	if (!wrong)
		wrong = read_expressions(regions, &cursor);
	if (wrong)
		return wrong;
	regions->list = make_room(
		regions->list, &regions->room, (size_t)(cursor.end - cursor.at) / 5 + 1, sizeof(*regions->list));
	for (file = 0; file < regions->file_count && !wrong; file++)
		wrong = read_file(regions, &cursor, file);
	if (!wrong)
		count_expansions(regions);
	return wrong;
}

size_t regions_main_file(const struct function_regions *regions)
{
	size_t file = 0;

	while (file < regions->file_count && regions->files[file].expansion)
		file++;
	return file;
}

bool regions_are_dummy(struct bytes bytes)
{
	struct cursor cursor = cursor_of(bytes);
	bool one_file = take_uleb(&cursor) == 1;
	bool no_expression = (take_uleb(&cursor), take_uleb(&cursor) == 0);
	bool one_region = take_uleb(&cursor) == 1;
	bool no_count = (take_uleb(&cursor) & TAG_MASK) == TAG_ZERO;

	return one_file && no_expression && one_region && no_count && !cursor.failed;
}

bool regions_have_decisions(const struct function_regions *regions)
{
	size_t i;

	for (i = 0; i < regions->count; i++)
		if (regions->list[i].kind == REGION_DECISION)
			return true;
	return false;
}

void function_regions_free(struct function_regions *regions)
{
	free(regions->list);
	free(regions->files);
	free(regions->expressions);
	free(regions->stack);
	*regions = (struct function_regions){0};
}
