/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_order.c - sorts functions for the linker, and writes the lists that linkers read. Functions that did not run are
 * not in these lists. Both linkers place them behind the functions of the list, in the order of the input files.
 */
#include "mip_order.h"
#include "mip_show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* qsort() passes no context to the functions that compare. */
static const struct mip_function *functions;
static enum mip_order_key sort_key;

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct mip_function *a, const struct mip_function *b)
{
	double first = mip_mean_order(a);
	double second = mip_mean_order(b);

	if (sort_key == MIP_ORDER_CALLS)
		return compare_numbers(b->calls, a->calls);
	if (!a->orders || !b->orders)
		return compare_numbers(!a->orders, !b->orders);
	return first < second ? -1 : first > second;
}

static int compare_order(const void *left, const void *right)
{
	size_t a = *(const size_t *)left;
	size_t b = *(const size_t *)right;
	int order = compare_keys(&functions[a], &functions[b]);

	if (!order)
		order = compare_numbers(functions[a].address, functions[b].address);
	return order ? order : compare_numbers(a, b);
}

static int compare_addresses(const void *left, const void *right)
{
	return compare_numbers(functions[*(const size_t *)left].address, functions[*(const size_t *)right].address);
}

/* A function with its position in the order. */
struct named {
	struct bytes name;
	size_t position;
};

static int compare_names(const void *left, const void *right)
{
	const struct named *a = left;
	const struct named *b = right;
	int order = strcmp((const char *)a->name.data, (const char *)b->name.data);

	return order ? order : compare_numbers(a->position, b->position);
}

/* Linkers find a function by its name, so only the first of several functions with one name stays in the list. */
static void drop_repeated(struct mip_order *order)
{
	struct named *names = allocate(order->count, sizeof(*names));
	size_t kept = 0;
	size_t i;

	for (i = 0; i < order->count; i++)
		names[i] = (struct named){functions[order->list[i]].name, i};
	qsort(names, order->count, sizeof(*names), compare_names);
	for (i = 1; i < order->count; i++)
		if (!strcmp((const char *)names[i - 1].name.data, (const char *)names[i].name.data))
			order->list[names[i].position] = SIZE_MAX;
	for (i = 0; i < order->count; i++)
		if (order->list[i] != SIZE_MAX)
			order->list[kept++] = order->list[i];
	order->count = kept;
	free(names);
}

/* Each line of a list is a name. lld takes a line that begins with '#' for a comment. */
static bool is_writable(struct bytes name)
{
	size_t i;

	for (i = 0; i < name.size; i++)
		if (name.data[i] <= ' ' || name.data[i] == 0x7f)
			return false;
	return name.data[0] != '#';
}

void mip_order_make(
	struct mip_order *order, const struct mip_profile *profile, const struct image *image, enum mip_order_key key)
{
	size_t i;

	*order = (struct mip_order){.profile = profile, .list = allocate(profile->count, sizeof(*order->list))};
	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];

		if (!function->kinds || !mip_ran(function))
			continue;
		if (!is_writable(function->name))
			order->unnamed++;
		else if (image && !image_symbol(image, (const char *)function->name.data))
			order->absent++;
		else
			order->list[order->count++] = i;
	}
	functions = profile->functions;
	sort_key = key;
	qsort(order->list, order->count, sizeof(*order->list), compare_order);
	drop_repeated(order);
}

void mip_order_free(struct mip_order *order)
{
	free(order->list);
	*order = (struct mip_order){0};
}

void mip_order_lld(const struct mip_order *order, struct buffer *out)
{
	size_t i;

	buffer_printf(out, "# made by 'bareprof mip order' for ld.lld --symbol-ordering-file\n");
	for (i = 0; i < order->count; i++)
		buffer_printf(out, "%s\n", (const char *)order->profile->functions[order->list[i]].name.data);
}

/* A '?' stands for each character that has a meaning in linker scripts. */
static void add_section(struct buffer *out, const char *prefix, struct bytes name)
{
	size_t i;

	buffer_printf(out, "%s", prefix);
	for (i = 0; i < name.size; i++) {
		bool plain = isalnum(name.data[i]) || strchr("_.$", name.data[i]);

		buffer_add(out, plain ? (const void *)&name.data[i] : "?", 1);
	}
	buffer_printf(out, ")");
}

void mip_order_ld(const struct mip_order *order, struct buffer *out)
{
	/* gcc and clang give functions with some attributes a section with a longer name. */
	static const char *const prefixes[] = {"*(.text.", " *(.text.hot.", " *(.text.startup.", " *(.text.unlikely."};
	size_t i;
	size_t k;

	buffer_printf(out, "/* made by 'bareprof mip order'; include it at the start of the output section .text */\n");
	for (i = 0; i < order->count; i++) {
		for (k = 0; k < sizeof(prefixes) / sizeof(*prefixes); k++)
			add_section(out, prefixes[k], order->profile->functions[order->list[i]].name);
		buffer_printf(out, "\n");
	}
}

struct mip_order_size mip_order_measure(const struct mip_order *order)
{
	struct mip_order_size size = {0};
	size_t *list = allocate(order->count, sizeof(*list));
	uint64_t next = 0; /* the first page that was not counted yet */
	size_t i;

	memcpy(list, order->list, order->count * sizeof(*list));
	functions = order->profile->functions;
	qsort(list, order->count, sizeof(*list), compare_addresses);
	for (i = 0; i < order->count; i++) {
		const struct mip_function *function = &functions[list[i]];
		uint64_t first = function->address / MIP_ORDER_PAGE;
		uint64_t last = mip_saturating_add(function->address, function->size) / MIP_ORDER_PAGE;

		if (function->size && last > first && (function->address + function->size) % MIP_ORDER_PAGE == 0)
			last--;
		first = first > next ? first : next;
		if (last >= first)
			size.pages += last - first + 1;
		next = last >= next ? last + 1 : next;
		size.bytes += function->size;
	}
	free(list);
	return size;
}
