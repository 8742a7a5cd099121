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

/* Reads a number below 2^32-1 with any number of bytes. */
static uint32_t take_any_word(struct cursor *cursor)
{
	uint64_t number = take_uleb(cursor);

	if (number < UINT32_MAX)
		return (uint32_t)number;
	cursor->failed = true;
	return UINT32_MAX;
}

/*
 * Reads a number with at most 32 bits. Nearly all numbers have one or two bytes. Other functions get only a copy of the
 * cursor, so that the compiler can keep the cursor in registers.
 */
static inline uint32_t take_word(struct cursor *cursor)
{
	const uint8_t *at = cursor->at;
	struct cursor copy;
	uint32_t number;

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
	copy = *cursor;
	number = take_any_word(&copy);
	*cursor = copy;
	return number;
}

/* Reads an end column. The end column of a gap has GAP_BIT, so it takes five bytes. */
static inline uint32_t take_end_column(struct cursor *cursor)
{
	const uint8_t *at = cursor->at;

	if (cursor->end - at < 5 || at[0] < 0x80 || at[1] < 0x80 || at[2] != 0x80 || at[3] != 0x80 || at[4] != 8)
		return take_word(cursor);
	cursor->at += 5;
	return (at[0] & 0x7fu) | (at[1] & 0x7fu) << 7 | GAP_BIT;
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
	regions->files = array_renew(regions->files, (size_t)count, &regions->file_room, sizeof(*regions->files));
	for (i = 0; i < count; i++) {
		uint32_t index = take_word(cursor);

		if (cursor->failed || index >= list_count)
			return "it refers to a file that its list does not have";
		regions->files[i] = (struct function_file){.name = list_files[index]};
	}
	regions->file_count = (size_t)count;
	return NULL;
}

/* Notes to which counter @operand refers. */
static inline void note_counter(uint32_t *counters, uint32_t operand)
{
	uint32_t needed = (operand & TAG_MASK) == TAG_COUNTER ? (operand >> TAG_BITS) + 1 : 0;

	if (needed > *counters)
		*counters = needed;
}

static const char *read_expressions(struct function_regions *regions, struct cursor *cursor)
{
	uint64_t count = take_uleb(cursor);
	struct cursor at = *cursor;
	uint32_t counters = 0;
	uint64_t i;

	regions->expression_count = 0;
	/* Each expression takes at least two bytes, because each operand takes at least one byte. */
	if (cursor->failed || count > (size_t)(cursor->end - cursor->at) / 2)
		return "its number of expressions is too large";
	regions->expressions = array_renew(
		regions->expressions, (size_t)count, &regions->expression_room, sizeof(*regions->expressions));
	regions->expression_count = (size_t)count;
	for (i = 0; i < count; i++) {
		struct expression *expression = &regions->expressions[i];

		expression->operand[0] = take_word(&at);
		expression->operand[1] = take_word(&at);
		note_counter(&counters, expression->operand[0]);
		note_counter(&counters, expression->operand[1]);
		if (!operand_exists(regions, expression->operand[0]) ||
			!operand_exists(regions, expression->operand[1]))
			return at.failed ? "its expressions are cut short"
			                 : "an expression refers to an expression that does not exist";
	}
	*cursor = at;
	regions->counters = counters;
	return at.failed ? "its expressions are cut short" : NULL;
}

/* Reads the numbers after the kind of a region of MC/DC. Returns false if they are out of range. */
static inline bool read_condition(struct region *region, struct cursor *cursor)
{
	uint32_t number[3];
	unsigned int i;

	/* Each number is 1 more than the number of the condition, so 0 is none. */
	for (i = 0; i < 3; i++) {
		number[i] = take_word(cursor);
		if (number[i] >= INT16_MAX)
			return false;
	}
	region->condition = (int16_t)((int)number[0] - 1);
	region->next[1] = (int16_t)((int)number[1] - 1);
	region->next[0] = (int16_t)((int)number[2] - 1);
	return number[0];
}

static inline bool read_decision(struct region *region, struct cursor *cursor)
{
	uint32_t conditions;

	region->bitmap_end = take_word(cursor);
	conditions = take_word(cursor);
	region->condition_count = (uint16_t)conditions;
	return conditions < INT16_MAX;
}

/* Reads what a region counts, and its kind. */
static inline const char *read_kind(struct region *region, struct cursor *cursor, size_t file_count)
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

/*
 * Reads four numbers. Most locations are four numbers below 128, so four bytes that all lack the highest bit are read at
 * once.
 */
static inline void take_four(struct cursor *cursor, uint32_t number[4])
{
	const uint8_t *at = cursor->at;
	uint32_t bytes;

	if (cursor->end - at >= 4) {
		memcpy(&bytes, at, 4);
		if (!(bytes & 0x80808080u)) {
			number[0] = at[0];
			number[1] = at[1];
			number[2] = at[2];
			number[3] = at[3];
			cursor->at += 4;
			return;
		}
	}
	number[0] = take_word(cursor);
	number[1] = take_word(cursor);
	number[2] = take_word(cursor);
	number[3] = take_end_column(cursor);
}

/* Reads the location of a region. *@line is the first line of the region before it. */
static inline const char *read_location(struct region *region, struct cursor *cursor, uint64_t *line)
{
	uint32_t number[4]; /* lines since the region before, column, lines to its end, end column */
	uint64_t end;

	take_four(cursor, number);
	if (cursor->failed)
		return "its regions are cut short";
	*line += number[0];
	end = *line + number[2];
	if (end > LINE_MAX)
		return "it has a region at a line that no file of source has";
	region->line = (uint32_t)*line;
	region->column = number[1];
	region->end_line = (uint32_t)end;
	region->end_column = number[3];
	if (region->end_column & GAP_BIT) {
		region->kind = REGION_GAP;
		region->end_column &= ~GAP_BIT;
	}
	/* Columns of 0 stand for whole lines. */
	if (!region->column && !region->end_column) {
		region->column = 1;
		region->end_column = UINT32_MAX;
	}
	if (location(region->line, region->column) > location(region->end_line, region->end_column))
		return "it has a region that ends before it begins";
	return NULL;
}

/* Notes what kinds of regions the function has. */
static inline void note_region(struct function_regions *regions, const struct region *region)
{
	/* The second operand is 0 if the region is no condition. */
	note_counter(&regions->counters, region->operand[0]);
	note_counter(&regions->counters, region->operand[1]);
	switch (region->kind) {
	case REGION_EXPANSION:
		regions->has_expansions = true;
		/* clang numbers the files in the order of their expansions. */
		regions->in_order &= region->expanded > region->file;
		break;
	case REGION_BRANCH:
	case REGION_CONDITION:
		regions->has_conditions = true;
		break;
	case REGION_DECISION:
		regions->has_decisions = true;
		break;
	case REGION_GAP:
		regions->has_blank_gaps |= !(region->operand[0] & TAG_MASK);
		break;
	default:
		break;
	}
}

static const char *read_regions(struct function_regions *regions, struct cursor *cursor, uint32_t file, uint64_t count)
{
	struct region *region = &regions->list[regions->count];
	const struct region *end = region + count;
	struct cursor at = *cursor;
	uint64_t line = 0;

	for (; region < end; region++) {
		const char *wrong;

		*region = (struct region){.file = file};
		wrong = read_kind(region, &at, regions->file_count);
		if (!wrong)
			wrong = read_location(region, &at, &line);
		if (!wrong &&
			(!operand_exists(regions, region->operand[0]) || !operand_exists(regions, region->operand[1])))
			wrong = "it has a region that refers to an expression that does not exist";
		if (wrong)
			return wrong;
		note_region(regions, region);
	}
	*cursor = at;
	regions->count += (size_t)count;
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
	size_t reached = 1; /* the first file, and those of expansions */
	size_t i;

	for (i = 0; i < regions->count && regions->has_expansions; i++) {
		struct region *region = &regions->list[i];

		if (region->kind != REGION_EXPANSION)
			continue;
		reached += !regions->files[region->expanded].expansion;
		regions->files[region->expanded].expansion = true;
		region->operand[0] = find_operand(regions, region->expanded);
	}
	regions->connected = regions->in_order && reached == regions->file_count;
}

const char *regions_read(
	struct function_regions *regions, struct bytes bytes, const uint32_t *list_files, size_t list_count)
{
	struct cursor cursor = cursor_of(bytes);
	const char *wrong = read_files(regions, &cursor, list_files, list_count);
	uint32_t file;

	regions->count = 0;
	regions->has_expansions = false;
	regions->has_conditions = false;
	regions->has_decisions = false;
	regions->has_blank_gaps = false;
	regions->has_counts = false;
	regions->has_impossible = false;
	regions->in_order = true;
	regions->connected = false;
	regions->counters = 0;
	if (!wrong)
		wrong = read_expressions(regions, &cursor);
	if (wrong)
		return wrong;
	regions->list = array_renew(
		regions->list, (size_t)(cursor.end - cursor.at) / 5 + 1, &regions->room, sizeof(*regions->list));
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

void function_regions_free(struct function_regions *regions)
{
	free(regions->list);
	free(regions->files);
	free(regions->expressions);
	free(regions->stack);
	*regions = (struct function_regions){0};
}
