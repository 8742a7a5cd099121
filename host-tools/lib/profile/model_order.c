/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_order.c - sorts a model. Also has the functions that need a sorted model.
 */
#include "model.h"
#include "name_sort.h"

#include <stdlib.h>
#include <string.h>

#define BUILD_ID_PAD(size) (-(size)&7u)

static int compare_bytes(struct bytes a, struct bytes b)
{
	size_t common = a.size < b.size ? a.size : b.size;
	int order = common ? memcmp(a.data, b.data, common) : 0;

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_ids(const void *left, const void *right)
{
	return compare_bytes(*(const struct bytes *)left, *(const struct bytes *)right);
}

/*
 * Build ids are stored in the form that indexed profiles use: the length, the id, and zeros up to a
 * multiple of 8 bytes.
 */
void model_add_build_id(struct model *model, struct bytes id)
{
	uint8_t length[8];
	size_t i;

	for (i = 0; i < 8; i++)
		length[i] = (uint8_t)((uint64_t)id.size >> 8 * i);
	buffer_add(&model->build_ids, length, 8);
	buffer_add(&model->build_ids, id.data, id.size);
	buffer_add(&model->build_ids, (const uint8_t[8]){0}, BUILD_ID_PAD(id.size));
}

void model_sort_build_ids(struct model *model)
{
	struct buffer old = model->build_ids;
	struct bytes *list = NULL;
	size_t count = 0;
	size_t room = 0;
	size_t at;
	size_t i;

	for (at = 0; at < old.size; at += list[count - 1].size + BUILD_ID_PAD(list[count - 1].size)) {
		list = array_grow(list, count, &room, sizeof(*list));
		list[count].size = (size_t)load_uint(old.data + at, 8, false);
		at += 8;
		list[count++].data = old.data + at;
	}
	model->build_ids = (struct buffer){0};
	if (count)
		qsort(list, count, sizeof(*list), compare_ids);
	for (i = 0; i < count; i++)
		if (!i || compare_ids(&list[i - 1], &list[i]))
			model_add_build_id(model, list[i]);
	free(list);
	buffer_free(&old);
}

static bool same_name(const struct function *a, const struct function *b)
{
	return a->reference == b->reference && !compare_bytes(a->name, b->name);
}

/*
 * Merges neighbours that have the same key. Such neighbours exist because model_append() does not search for
 * duplicates.
 */
static void merge_neighbours(struct model *model)
{
	struct function *list = model->functions;
	size_t kept = 0;
	size_t i;

	for (i = 0; i < model->count; i++) {
		struct function *last = kept ? &list[kept - 1] : NULL;

		if (!last || last->hash != list[i].hash || !same_name(last, &list[i])) {
			if (kept++ != i)
				list[kept - 1] = list[i];
			continue;
		}
		model_merge(model, last, &list[i], 1);
		sites_free(list[i].sites);
	}
	model->count = kept;
}

void model_sort(struct model *model)
{
	size_t i;

	model_unindex(model);
	model->functions = name_sort(model->functions, model->count);
	merge_neighbours(model);
	traces_sort(&model->traces);
	/* A model without traces is not temporal, so the temporal bit is removed. */
	if (!model->traces.count)
		model->variants &= ~BAREPROF_VARIANT_TEMPORAL;
	model_sort_build_ids(model);
	for (i = 0; i < model->count; i++)
		if (model->functions[i].sites)
			sites_order(model->functions[i].sites);
}

static bool is_zero(const struct function *function)
{
	uint32_t i;

	if (function_ran(function))
		return false;
	for (i = 0; i < function->bitmap_size; i++)
		if (function->bitmap[i])
			return false;
	return true;
}

void model_drop_zero(struct model *model)
{
	size_t kept = 0;
	size_t start;
	size_t end;

	for (start = 0; start < model->count; start = end) {
		bool zero = true;
		size_t i;

		/* Functions with the same name are neighbours. Either all of them are kept or none. */
		for (end = start; end < model->count && same_name(&model->functions[start], &model->functions[end]);
			end++)
			zero = zero && is_zero(&model->functions[end]);
		for (i = start; i < end; i++) {
			if (zero)
				sites_free(model->functions[i].sites);
			else
				model->functions[kept++] = model->functions[i];
		}
	}
	model->count = kept;
	model_unindex(model);
}

static int compare_references(const void *left, const void *right)
{
	const struct function *a = *(struct function *const *)left;
	const struct function *b = *(struct function *const *)right;

	return (a->reference > b->reference) - (a->reference < b->reference);
}

struct bytes model_name(struct model *model, uint64_t reference)
{
	struct function key = {.reference = reference};
	struct function *wanted = &key;
	struct function **found;
	size_t i;

	/*
	 * The index is made when this function is called for the first time. Most profiles do not need the index,
	 * because none of their values is a name hash.
	 */
	if (!model->by_reference) {
		model->by_reference = allocate(model->count, sizeof(*model->by_reference));
		for (i = 0; i < model->count; i++)
			model->by_reference[i] = &model->functions[i];
		qsort(model->by_reference, model->count, sizeof(*model->by_reference), compare_references);
	}
	found = bsearch(&wanted, model->by_reference, model->count, sizeof(wanted), compare_references);
	return found ? (*found)->name : (struct bytes){NULL, 0};
}
