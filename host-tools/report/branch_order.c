/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_order.c - sorts the conditions of a file in the order of llvm-cov. This order depends on the release:
 *
 * - Up to LLVM 19, conditions are sorted by line and column, and a condition in a macro has the column at which it is
 *   in the definition of the macro. Conditions with the same key have an order that depends on the sort, see
 *   unstable_sort.h.
 * - From LLVM 20 on, conditions are sorted by their path, which is the locations of the macros around a condition. The
 *   path of a condition outside of macros is its own location. If several conditions have the same path, as in the
 *   instantiations of a template, their counts are added.
 */
#include "branch_order.h"
#include "unstable_sort.h"

#include <stdlib.h>

/* The conditions of a file have numbers: first those outside of expansions, then those inside. */
struct numbered {
	const struct file_coverage *file;
	const uint32_t *positions;
};

static const struct file_branch *branch_of(const struct file_coverage *file, size_t number)
{
	return number < file->branch_count ? &file->branches[number] : &file->nested[number - file->branch_count];
}

static bool is_constant(const struct file_branch *branch)
{
	return branch->region.folded[0] && branch->region.folded[1];
}

static bool key_is_below(const void *context, uint32_t left, uint32_t right)
{
	const uint64_t *keys = context;

	return keys[left] < keys[right];
}

/* Returns a location of the path of @branch: the line in the upper 32 bits, the column in the lower ones. */
static uint64_t path_at(const struct file_coverage *file, const struct file_branch *branch, uint32_t at)
{
	return at ? file->paths[(size_t)branch->path + at] : location(branch->root_line, branch->root_column);
}

static uint32_t path_length(const struct file_branch *branch)
{
	return branch->path_count ? branch->path_count : 1;
}

static int compare_paths(
	const struct file_coverage *file, const struct file_branch *left, const struct file_branch *right)
{
	uint32_t left_length = path_length(left);
	uint32_t right_length = path_length(right);
	uint32_t i;

	for (i = 0; i < left_length && i < right_length; i++) {
		int order = compare_uint(path_at(file, left, i), path_at(file, right, i));

		if (order)
			return order;
	}
	return compare_uint(left_length, right_length);
}

/* Compares two conditions by their paths, and by their positions if these are equal. */
static int compare_conditions(const void *left, const void *right, void *context)
{
	const struct numbered *numbered = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int order = compare_paths(numbered->file, branch_of(numbered->file, a), branch_of(numbered->file, b));

	return order ? order : compare_uint(numbered->positions[a], numbered->positions[b]);
}

static void add(struct branch_order *order, const struct file_branch *branch)
{
	order->list = array_grow(order->list, order->count, &order->room, sizeof(*order->list));
	order->list[order->count++] =
		(struct branch_counts){branch->root_line, branch->region.count, branch->region.false_count};
}

/* Up to LLVM 19, constant conditions take part in the sort, so they have an influence on the order of the others. */
static void order_by_line(struct branch_order *order, const struct file_coverage *file, size_t count)
{
	struct unstable_sort sort = {order->items, count, key_is_below, order->keys};
	size_t i;

	for (i = 0; i < count; i++) {
		const struct file_branch *branch = branch_of(file, i);

		order->items[i] = (uint32_t)i;
		order->keys[i] = location(branch->root_line, branch->region.column);
	}
	unstable_sort(&sort);
	for (i = 0; i < count; i++)
		if (!is_constant(branch_of(file, order->items[i])))
			add(order, branch_of(file, order->items[i]));
}

/*
 * Conditions with equal paths are sorted by position. Positions start at 0 both outside and inside of expansions. They
 * do not count constant conditions outside, but do count those inside.
 */
static void order_by_path(struct branch_order *order, const struct file_coverage *file, size_t count)
{
	struct numbered numbered = {file, order->positions};
	const struct file_branch *last = NULL;
	size_t sorted = 0; /* number of conditions that are not constant */
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_constant(branch_of(file, i)))
			continue;
		order->keys[i] = path_at(file, branch_of(file, i), 0);
		order->positions[i] = (uint32_t)(i < file->branch_count ? sorted : i - file->branch_count);
		order->items[sorted++] = (uint32_t)i;
	}
	/* Most paths differ in their first locations. The conditions in one macro are sorted already. */
	radix_sort(&order->radix, order->keys, order->items, sorted);
	radix_sort_equal(order->keys, order->items, sorted, compare_conditions, &numbered);
	for (i = 0; i < sorted; i++) {
		const struct file_branch *branch = branch_of(file, order->items[i]);

		if (last && !compare_paths(file, last, branch)) {
			order->list[order->count - 1].true_count += branch->region.count;
			order->list[order->count - 1].false_count += branch->region.false_count;
			continue;
		}
		add(order, branch);
		last = branch;
	}
}

void branch_order_make(struct branch_order *order, const struct file_coverage *file, const struct coverage_rules *rules)
{
	size_t count = file->branch_count + file->nested_count;

	order->count = 0;
	if (count > order->item_room) {
		free(order->items);
		free(order->keys);
		free(order->positions);
		order->items = allocate(count, sizeof(*order->items));
		order->keys = allocate(count, sizeof(*order->keys));
		order->positions = allocate(count, sizeof(*order->positions));
		order->item_room = count;
	}
	if (rules->nested_branches)
		order_by_path(order, file, count);
	else
		order_by_line(order, file, count);
}

void branch_order_free(struct branch_order *order)
{
	free(order->list);
	free(order->items);
	free(order->keys);
	free(order->positions);
	radix_free(&order->radix);
	*order = (struct branch_order){0};
}
