/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * name_sort.c - quicksort by eight bytes of the names at a time.
 *
 * Names of one program begin alike for long, so comparing whole names costs the
 * same bytes again and again. Here the eight bytes at hand lie as a number
 * beside each index; those with equal numbers go on with the next eight.
 */
#include "name_sort.h"

#include <stdlib.h>
#include <string.h>

#define STEP 8u /* bytes of a name in a key */
/* Fewer than this are compared as a whole. */
#define FEW 12u

struct item {
	uint64_t key;
	uint32_t index;
};

static int compare(const struct function *a, const struct function *b)
{
	size_t common = a->name.size < b->name.size ? a->name.size : b->name.size;
	int order = common ? memcmp(a->name.data, b->name.data, common) : 0;

	if (!order)
		order = (a->name.size > b->name.size) - (a->name.size < b->name.size);
	return order ? order : (a->hash > b->hash) - (a->hash < b->hash);
}

/* The bytes from @depth on as a number that sorts as they do, zeros behind the end. */
static uint64_t key_at(struct bytes name, size_t depth)
{
	uint8_t bytes[STEP] = {0};
	size_t left = name.size > depth ? name.size - depth : 0;

	if (left)
		memcpy(bytes, name.data + depth, left < STEP ? left : STEP);
	return load(bytes, STEP, true);
}

/* qsort() gives its function no context. */
static int compare_items(const void *left, const void *right, void *functions)
{
	const struct function *function = functions;

	return compare(&function[((const struct item *)left)->index], &function[((const struct item *)right)->index]);
}

static void sort_whole(const struct function *functions, struct item *items, size_t count)
{
	size_t i;

	if (count >= FEW) {
		qsort_r(items, count, sizeof(*items), compare_items, (void *)(uintptr_t)functions);
		return;
	}
	for (i = 1; i < count; i++) {
		struct item item = items[i];
		size_t at = i;

		while (at && compare(&functions[item.index], &functions[items[at - 1].index]) < 0) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = item;
	}
}

static void swap(struct item *a, struct item *b)
{
	struct item old = *a;

	*a = *b;
	*b = old;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b;
	uint64_t high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* Take the next bytes of all; false if a name ends before them. */
static bool deepen(const struct function *functions, struct item *items, size_t count, size_t depth)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (functions[items[i].index].name.size < depth)
			return false;
	for (i = 0; i < count; i++)
		items[i].key = key_at(functions[items[i].index].name, depth);
	return true;
}

/* @patience: after so many rounds what is left is compared as a whole, so that no input takes long. */
static void sort(
	const struct function *functions, struct item *items, size_t count, size_t depth, unsigned int patience)
{
	while (count >= FEW && patience) {
		uint64_t pivot = middle_of(items[0].key, items[count / 2].key, items[count - 1].key);
		size_t less = 0; /* those before are smaller */
		size_t more = count; /* those from here on are larger */
		size_t i = 0;

		while (i < more) {
			if (items[i].key < pivot)
				swap(&items[less++], &items[i++]);
			else if (items[i].key > pivot)
				swap(&items[--more], &items[i]);
			else
				i++;
		}
		patience--;
		sort(functions, items, less, depth, patience);
		sort(functions, items + more, count - more, depth, patience);
		/* The equal ones go on here, with their next bytes. */
		items += less;
		count = more - less;
		depth += STEP;
		if (!deepen(functions, items, count, depth))
			break;
	}
	if (count > 1)
		sort_whole(functions, items, count);
}

void name_sort(struct function *functions, size_t count)
{
	struct item *items;
	struct function *sorted;
	size_t i = 1;

	/* Indexed and text profiles may come in order already. */
	while (i < count && compare(&functions[i - 1], &functions[i]) < 0)
		i++;
	if (i >= count)
		return;
	items = allocate(count, sizeof(*items));
	sorted = allocate(count, sizeof(*sorted));
	for (i = 0; i < count; i++)
		items[i] = (struct item){key_at(functions[i].name, 0), (uint32_t)i};
	sort(functions, items, count, 0, 64);
	for (i = 0; i < count; i++)
		sorted[i] = functions[items[i].index];
	memcpy(functions, sorted, count * sizeof(*sorted));
	free(sorted);
	free(items);
}
