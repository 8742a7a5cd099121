/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_order.c - sorts functions for the linker, and writes the lists that linkers read. Functions that did not run are
 * not in these lists. Both linkers place them after the functions of the list, in the order of the input files.
 */
#include "mip_order.h"
#include "mip_show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* qsort() passes no context to the functions that compare. */
static enum mip_order_key sort_key;

static int compare_keys(const struct mip_function *a, const struct mip_function *b)
{
	return sort_key == MIP_ORDER_CALLS ? compare_uint(b->calls, a->calls) : mip_compare_orders(a, b);
}

static int compare_addresses(const void *left, const void *right)
{
	const struct mip_function *a = ((const struct mip_order_entry *)left)->function;
	const struct mip_function *b = ((const struct mip_order_entry *)right)->function;
	int order = compare_uint(a->address, b->address);

	return order ? order : compare_uint((uintptr_t)a, (uintptr_t)b);
}

static int compare_order(const void *left, const void *right)
{
	int order = compare_keys(
		((const struct mip_order_entry *)left)->function, ((const struct mip_order_entry *)right)->function);

	return order ? order : compare_addresses(left, right);
}

/* A function with its position in the order. */
struct named {
	const char *name;
	size_t position;
};

static int compare_names(const void *left, const void *right)
{
	const struct named *a = left;
	const struct named *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : compare_uint(a->position, b->position);
}

void mip_order_drop_repeated(struct mip_order *order)
{
	struct named *names = allocate(order->count, sizeof(*names));
	size_t kept = 0;
	size_t i;

	for (i = 0; i < order->count; i++)
		names[i] = (struct named){order->list[i].name, i};
	qsort(names, order->count, sizeof(*names), compare_names);
	for (i = 1; i < order->count; i++)
		if (!strcmp(names[i - 1].name, names[i].name))
			order->list[names[i].position].name = NULL;
	for (i = 0; i < order->count; i++)
		if (order->list[i].name)
			order->list[kept++] = order->list[i];
	order->count = kept;
	free(names);
}

/* Each line of a list is a name. lld takes a line that begins with '#' for a comment. */
bool mip_order_writable(const char *name)
{
	const char *at;

	for (at = name; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f)
			return false;
	return *name != '#';
}

void mip_order_make(
	struct mip_order *order, const struct mip_profile *profile, const struct image *image, enum mip_order_key key)
{
	size_t i;

	*order = (struct mip_order){.profile = profile, .list = allocate(profile->count, sizeof(*order->list))};
	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];
		const char *name = (const char *)function->name.data;

		if (!function->kinds || !mip_ran(function))
			continue;
		if (!mip_order_writable(name))
			order->unnamed++;
		else if (image && !image_symbol(image, name))
			order->absent++;
		else
			order->list[order->count++] = (struct mip_order_entry){name, function};
	}
	sort_key = key;
	qsort(order->list, order->count, sizeof(*order->list), compare_order);
	mip_order_drop_repeated(order);
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
		buffer_printf(out, "%s\n", order->list[i].name);
}

/* A '?' stands for each character that has a meaning in linker scripts. */
static void add_section(struct buffer *out, const char *prefix, const char *name)
{
	buffer_printf(out, "%s", prefix);
	for (; *name; name++) {
		bool plain = isalnum((unsigned char)*name) || strchr("_.$", *name);

		buffer_add(out, plain ? name : "?", 1);
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
			add_section(out, prefixes[k], order->list[i].name);
		buffer_printf(out, "\n");
	}
}

struct mip_order_size mip_order_measure(const struct mip_order *order)
{
	struct mip_order_size size = {0};
	struct mip_order_entry *list = allocate(order->count, sizeof(*list));
	size_t count = 0;
	uint64_t next = 0; /* the first page that was not counted yet */
	size_t i;

	for (i = 0; i < order->count; i++)
		if (order->list[i].function)
			list[count++] = order->list[i];
	qsort(list, count, sizeof(*list), compare_addresses);
	for (i = 0; i < count; i++) {
		const struct mip_function *function = list[i].function;
		uint64_t first = function->address / MIP_ORDER_PAGE;
		uint64_t last = add_saturating(function->address, function->size) / MIP_ORDER_PAGE;

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
