/* SPDX-License-Identifier: BSD-2-Clause */
/* conditions.c - sorts the conditions in a file, and adds up the counts of instantiations. */
#include "conditions.h"

#include <stdlib.h>

static int compare_pair(uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column)
{
	return compare_uint(location(line, column), location(other_line, other_column));
}

static int compare_conditions(const void *left, const void *right)
{
	const struct condition *a = left;
	const struct condition *b = right;
	int order = compare_pair(a->line, a->column, b->line, b->column);

	if (!order)
		order = compare_uint(a->nested, b->nested);
	if (!order)
		order = compare_uint(a->own_file, b->own_file);
	if (!order)
		order = compare_pair(a->own_line, a->own_column, b->own_line, b->own_column);
	return order ? order : compare_pair(a->end_line, a->end_column, b->end_line, b->end_column);
}

static struct condition condition_of(const struct file_branch *branch, bool nested)
{
	const struct region *region = &branch->region;

	return (struct condition){
		.line = nested ? branch->root_line : region->line,
		.column = nested ? branch->root_column : region->column,
		.own_line = region->line,
		.own_column = region->column,
		.end_line = region->end_line,
		.end_column = region->end_column,
		.own_file = nested ? branch->name : 0,
		.nested = nested,
		.taken = {region->count, region->false_count},
		.folded = {region->folded[0], region->folded[1]},
		.difference = {region_is_difference(region, 0), region_is_difference(region, 1)},
	};
}

static void add_counts(struct condition *to, const struct condition *from, bool byte_counters)
{
	unsigned int side;

	for (side = 0; side < 2; side++) {
		to->taken[side] = byte_counters ? to->taken[side] | from->taken[side]
		                                : add_saturating(to->taken[side], from->taken[side]);
		to->folded[side] &= from->folded[side];
	}
}

struct condition *conditions_of(const struct file_coverage *file, bool byte_counters, size_t *count)
{
	struct condition *list = allocate(file->branch_count + file->nested_count, sizeof(*list));
	size_t n = 0;
	size_t i;

	for (i = 0; i < file->branch_count; i++)
		list[n++] = condition_of(&file->branches[i], false);
	for (i = 0; i < file->nested_count; i++)
		list[n++] = condition_of(&file->nested[i], true);
	if (n)
		qsort(list, n, sizeof(*list), compare_conditions);
	*count = 0;
	for (i = 0; i < n; i++) {
		if (*count && !compare_conditions(&list[*count - 1], &list[i]))
			add_counts(&list[*count - 1], &list[i], byte_counters);
		else
			list[(*count)++] = list[i];
	}
	return list;
}

static int compare_to_location(const void *left, const void *right)
{
	const struct condition *a = left;
	const struct condition *b = right;

	return compare_pair(a->line, a->column, b->line, b->column);
}

const struct condition *conditions_at(const struct condition *list, size_t count, uint32_t line, uint32_t column)
{
	struct condition key = {.line = line, .column = column};
	size_t at = lower_bound(&key, list, count, sizeof(*list), compare_to_location);

	if (at == count || list[at].line != line || (column && (list[at].column != column || list[at].nested)))
		return NULL;
	return &list[at];
}
