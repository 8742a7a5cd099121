/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_order_callees.c - adds functions to an order that do not record, for example start-up code and drivers. A machine
 * profile does not say whether they ran, so their callers decide. Only direct calls are followed: most functions whose
 * address is stored somewhere are called rarely.
 */
#include "code.h"
#include "mip_order.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct search {
	struct code code;
	struct mip_order *order;
	struct mip_order_entry *list; /* the new list */
	size_t count;
	const char **recorded; /* names of the functions that record, sorted */
	size_t recorded_count;
	bool *seen; /* an array like code.functions: the search has reached the function */
	size_t *stack; /* indices of functions in code.functions that were reached, but are not in the list yet */
	size_t depth;
};

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool records(const struct search *search, const char *name)
{
	return bsearch(&name, search->recorded, search->recorded_count, sizeof(name), compare_names) != NULL;
}

/* Several symbols can have one address. If one of them belongs to a function that records, the function is skipped. */
static void reach(struct search *search, uint64_t address)
{
	const struct code *code = &search->code;
	const struct code_function *function = code_at(code, address);
	size_t first = function ? (size_t)(function - code->functions) : code->count;
	size_t i;

	if (first == code->count || search->seen[first])
		return;
	search->seen[first] = true;
	for (i = first; i < code->count && code->functions[i].symbol->value == address; i++)
		if (records(search, code->functions[i].symbol->name))
			return;
	search->stack[search->depth++] = first;
}

static void reach_callee(void *context, enum code_use use, uint64_t at, uint64_t target)
{
	(void)at;
	if (use == CODE_CALL)
		reach(context, target);
}

/* The callees that @function calls first come first, so they must be on top of the stack. */
static void follow(struct search *search, const struct code_function *function)
{
	size_t low = search->depth;
	size_t high;

	code_walk(&search->code, function, reach_callee, search);
	for (high = search->depth; low + 1 < high; low++) {
		size_t top = search->stack[--high];

		search->stack[high] = search->stack[low];
		search->stack[low] = top;
	}
}

/* Moves the functions from the stack to the list, each after its caller. */
static void take(struct search *search)
{
	while (search->depth) {
		const struct code_function *function = &search->code.functions[search->stack[--search->depth]];

		if (mip_order_writable(function->symbol->name))
			search->list[search->count++] = (struct mip_order_entry){function->symbol->name, NULL};
		follow(search, function);
	}
}

/* Linkers place all functions with one name, so the calls of all of them are followed. */
static void follow_name(struct search *search, const char *name)
{
	const struct image *image = search->code.image;
	const struct image_symbol *symbol = image_symbol(image, name);

	for (; symbol && symbol < image->symbols + image->symbol_count && !strcmp(symbol->name, name); symbol++) {
		const struct code_function *function = symbol->function ? code_at(&search->code, symbol->value) : NULL;

		if (function) {
			follow(search, function);
			take(search);
		}
	}
}

static void reach_entry(struct search *search)
{
	const struct image *image = search->code.image;
	GElf_Ehdr header;

	if (gelf_getehdr(image->elf, &header))
		reach(search, header.e_entry & (image->machine == EM_ARM ? ~1ull : ~0ull));
	take(search);
}

void mip_order_add_callees(struct mip_order *order, const struct image *image)
{
	const struct mip_profile *profile = order->profile;
	struct search search = {.order = order};
	size_t i;

	code_open(&search.code, image);
	search.list = allocate(order->count + search.code.count, sizeof(*search.list));
	search.seen = allocate(search.code.count, sizeof(*search.seen));
	search.stack = allocate(search.code.count, sizeof(*search.stack));
	search.recorded = allocate(profile->count, sizeof(*search.recorded));
	for (i = 0; i < profile->count; i++)
		if (profile->functions[i].kinds)
			search.recorded[search.recorded_count++] = (const char *)profile->functions[i].name.data;
	qsort(search.recorded, search.recorded_count, sizeof(*search.recorded), compare_names);
	reach_entry(&search);
	for (i = 0; i < order->count; i++) {
		search.list[search.count++] = order->list[i];
		follow_name(&search, order->list[i].name);
	}
	free(order->list);
	order->list = search.list;
	order->count = search.count;
	mip_order_drop_repeated(order);
	for (i = 0; i < order->count; i++)
		order->callees += !order->list[i].function;
	free(search.recorded);
	free(search.stack);
	free(search.seen);
	code_close(&search.code);
}
