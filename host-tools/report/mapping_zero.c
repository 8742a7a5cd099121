/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping_zero.c - writes the regions of a function in the format that region_read.c reads. It adds an expression that
 * subtracts counter 0 from itself, so the value of this expression is always 0. Operands with impossible values refer
 * to this expression. The operand for the count 0 would be wrong, because llvm-cov leaves out a branch with this
 * operand.
 */
#include "mapping_zero.h"
#include "expression.h"

#define EXPANSION_BIT 4u
#define KIND_SHIFT    3
#define GAP_BIT       (1u << 31)

/* What is needed to write a region. */
struct writing {
	const struct function_regions *regions;
	const uint64_t *counters;
	size_t count;
	struct buffer *output;
};

static void add_operand(const struct writing *writing, uint32_t operand)
{
	uint32_t zero = (uint32_t)writing->regions->expression_count << TAG_BITS | TAG_SUBTRACT;
	bool possible = operand_value(writing->regions, operand, writing->counters, writing->count) < COUNT_IMPOSSIBLE;

	buffer_add_uleb(writing->output, possible ? operand : zero);
}

/* Appends the files as they are in @bytes, the regions of the record. */
static void add_files(const struct writing *writing, struct bytes bytes)
{
	struct cursor cursor = cursor_of(bytes);
	uint64_t count = take_uleb(&cursor);

	while (count--)
		take_uleb(&cursor);
	buffer_add(writing->output, bytes.data, (size_t)(cursor.at - bytes.data));
}

static void add_expressions(const struct writing *writing)
{
	size_t i;

	buffer_add_uleb(writing->output, writing->regions->expression_count + 1);
	for (i = 0; i < writing->regions->expression_count; i++) {
		buffer_add_uleb(writing->output, writing->regions->expressions[i].operand[0]);
		buffer_add_uleb(writing->output, writing->regions->expressions[i].operand[1]);
	}
	buffer_add_uleb(writing->output, TAG_COUNTER);
	buffer_add_uleb(writing->output, TAG_COUNTER);
}

static void add_kind(const struct writing *writing, const struct region *region)
{
	struct buffer *output = writing->output;

	switch (region->kind) {
	case REGION_CODE:
	case REGION_GAP:
		add_operand(writing, region->operand[0]);
		return;
	case REGION_EXPANSION:
		buffer_add_uleb(output, region->expanded << KIND_SHIFT | EXPANSION_BIT);
		return;
	case REGION_SKIPPED:
		buffer_add_uleb(output, REGION_SKIPPED << KIND_SHIFT);
		return;
	case REGION_DECISION:
		buffer_add_uleb(output, REGION_DECISION << KIND_SHIFT);
		buffer_add_uleb(output, region->bitmap_end);
		buffer_add_uleb(output, region->condition_count);
		return;
	case REGION_BRANCH:
	case REGION_CONDITION:
		buffer_add_uleb(output, (unsigned int)region->kind << KIND_SHIFT);
		add_operand(writing, region->operand[0]);
		add_operand(writing, region->operand[1]);
	}
	if (region->kind != REGION_CONDITION)
		return;
	buffer_add_uleb(output, (uint64_t)(region->condition + 1));
	buffer_add_uleb(output, (uint64_t)(region->next[1] + 1));
	buffer_add_uleb(output, (uint64_t)(region->next[0] + 1));
}

static void add_location(const struct writing *writing, const struct region *region, uint32_t line_before)
{
	bool whole_lines = region->column == 1 && region->end_column == UINT32_MAX;
	uint32_t gap = region->kind == REGION_GAP ? GAP_BIT : 0;

	buffer_add_uleb(writing->output, region->line - line_before);
	buffer_add_uleb(writing->output, whole_lines ? 0 : region->column);
	buffer_add_uleb(writing->output, region->end_line - region->line);
	buffer_add_uleb(writing->output, whole_lines ? gap : region->end_column | gap);
}

void mapping_zero(const struct mapping_record *record, const struct function_regions *regions, const uint64_t *counters,
	size_t count, struct buffer *output)
{
	const struct writing writing = {regions, counters, count, output};
	size_t file;

	add_files(&writing, record->regions);
	add_expressions(&writing);
	for (file = 0; file < regions->file_count; file++) {
		const struct region *region = regions->list + regions->files[file].first;
		uint32_t left = regions->files[file].count;
		uint32_t line = 0;

		buffer_add_uleb(output, left);
		for (; left; left--, region++) {
			add_kind(&writing, region);
			add_location(&writing, region, line);
			line = region->line;
		}
	}
}
