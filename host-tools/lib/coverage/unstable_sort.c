/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unstable_sort.c - the sort of libstdc++, with the same comparisons and moves in the same order. It is a quicksort
 * that takes the median of three items as pivot. Parts of at most 16 items are left unsorted, and one insertion sort at
 * the end sorts them. If quicksort divides badly too often, a part is sorted with a heap instead.
 *
 * All indexes below are indexes in sort->items. A part is the items from index @first to before index @end.
 */
#include "unstable_sort.h"

#define PART_MIN 16 /* Parts with more items than this are divided. */

static inline bool is_below(const struct unstable_sort *sort, uint32_t left, uint32_t right)
{
	return sort->below(sort->context, left, right);
}

static inline void swap(uint32_t *items, size_t a, size_t b)
{
	uint32_t item = items[a];

	items[a] = items[b];
	items[b] = item;
}

/*
 * Moves the item at index @at to its place among the items before it. These items are sorted. One of them must not be
 * above the moved item, because otherwise the loop would not end.
 */
static void insert_unguarded(const struct unstable_sort *sort, size_t at)
{
	uint32_t *items = sort->items;
	uint32_t item = items[at];

	for (; is_below(sort, item, items[at - 1]); at--)
		items[at] = items[at - 1];
	items[at] = item;
}

/* Sorts the items from @first to before @end with an insertion sort. */
static void insert_all(const struct unstable_sort *sort, size_t first, size_t end)
{
	uint32_t *items = sort->items;
	size_t at;

	for (at = first + 1; at < end; at++) {
		uint32_t item = items[at];
		size_t to;

		if (!is_below(sort, item, items[first])) {
			insert_unguarded(sort, at);
			continue;
		}
		for (to = at; to > first; to--)
			items[to] = items[to - 1];
		items[first] = item;
	}
}

/*
 * Puts @item into the heap of @size items at @heap, whose place @hole is free. First the hole goes down to the bottom,
 * along the larger children. Then the item goes up from there, at most to the place where the hole was.
 */
static void heap_put(const struct unstable_sort *sort, uint32_t *heap, size_t hole, size_t size, uint32_t item)
{
	size_t top = hole;
	size_t child = hole;

	while (child < (size - 1) / 2) {
		child = 2 * child + 2;
		child -= is_below(sort, heap[child], heap[child - 1]);
		heap[hole] = heap[child];
		hole = child;
	}
	/* The last inner place of a heap of even size has only a left child. */
	if (size % 2 == 0 && child == (size - 2) / 2) {
		child = 2 * child + 1;
		heap[hole] = heap[child];
		hole = child;
	}
	while (hole > top && is_below(sort, heap[(hole - 1) / 2], item)) {
		heap[hole] = heap[(hole - 1) / 2];
		hole = (hole - 1) / 2;
	}
	heap[hole] = item;
}

static void sort_by_heap(const struct unstable_sort *sort, size_t first, size_t end)
{
	uint32_t *heap = sort->items + first;
	size_t size = end - first;
	size_t parent;

	for (parent = (size - 2) / 2 + 1; parent--;)
		heap_put(sort, heap, parent, size, heap[parent]);
	while (size > 1) {
		uint32_t last = heap[--size];

		heap[size] = heap[0];
		heap_put(sort, heap, 0, size, last);
	}
}

/* Swaps the median of the second, the middle and the last item with the first item of the part. */
static void choose_pivot(const struct unstable_sort *sort, size_t first, size_t end)
{
	uint32_t *items = sort->items;
	size_t low = first + 1;
	size_t middle = first + (end - first) / 2;
	size_t high = end - 1;
	size_t median;

	if (is_below(sort, items[low], items[middle])) {
		median = is_below(sort, items[middle], items[high]) ? middle
		         : is_below(sort, items[low], items[high])  ? high
		                                                    : low;
	} else {
		median = is_below(sort, items[low], items[high])      ? low
		         : is_below(sort, items[middle], items[high]) ? high
		                                                      : middle;
	}
	swap(items, first, median);
}

/* Divides the part after its pivot. Returns the index from which on no item is below the pivot. */
static size_t divide(const struct unstable_sort *sort, size_t first, size_t end)
{
	uint32_t *items = sort->items;
	uint32_t pivot = items[first];
	size_t low = first + 1;
	size_t high = end;

	for (;;) {
		while (is_below(sort, items[low], pivot))
			low++;
		do
			high--;
		while (is_below(sort, pivot, items[high]));
		if (low >= high)
			return low;
		swap(items, low, high);
		low++;
	}
}

/* Divides a part until its parts are small. After @depth divisions, the rest is sorted with a heap. */
static void sort_roughly(const struct unstable_sort *sort, size_t first, size_t end, unsigned int depth)
{
	while (end - first > PART_MIN) {
		size_t cut;

		if (!depth--) {
			sort_by_heap(sort, first, end);
			return;
		}
		choose_pivot(sort, first, end);
		cut = divide(sort, first, end);
		sort_roughly(sort, cut, end, depth);
		end = cut;
	}
}

void unstable_sort(const struct unstable_sort *sort)
{
	size_t at;

	if (sort->count < 2)
		return;
	sort_roughly(sort, 0, sort->count, 2 * (63 - (unsigned int)__builtin_clzll(sort->count)));
	if (sort->count <= PART_MIN) {
		insert_all(sort, 0, sort->count);
		return;
	}
	/* The smallest item is among the first ones now. */
	insert_all(sort, 0, PART_MIN);
	for (at = PART_MIN; at < sort->count; at++)
		insert_unguarded(sort, at);
}
