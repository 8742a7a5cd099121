/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_select.c - from all functions of a profile to those that are to be listed,
 * in the order in which they are.
 */
#include "show.h"

#include <stdlib.h>

struct place {
	uint64_t reference;
	size_t place;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	if (a->reference != b->reference)
		return a->reference < b->reference ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Where each function stands in the traces: of several, where it comes first. */
static void add_order(struct showing *showing)
{
	const struct model *model = &showing->model;
	struct place *places;
	size_t count = 0;
	size_t i;
	size_t j;

	for (i = 0; i < model->traces.count; i++)
		count += model->traces.list[i].count;
	if (!count)
		return;
	places = allocate(count, sizeof(*places));
	count = 0;
	for (i = 0; i < model->traces.count; i++)
		for (j = 0; j < model->traces.list[i].count; j++)
			places[count++] = (struct place){model->traces.list[i].references[j], j + 1};
	qsort(places, count, sizeof(*places), compare_places);
	for (i = 0; i < showing->shown_count; i++) {
		uint64_t reference = showing->shown[i].function->reference;
		size_t low = 0;
		size_t high = count;

		/* The first with this reference, or with a larger one. */
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (places[middle].reference < reference)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < count && places[low].reference == reference)
			showing->shown[i].order = places[low].place;
	}
	free(places);
}

/* What is equal keeps the order of the model: by name, then by hash. */
static int by_name(const struct shown *a, const struct shown *b)
{
	return (a->function > b->function) - (a->function < b->function);
}

static int compare_names(const void *left, const void *right)
{
	return by_name(left, right);
}

static int compare_counts(const void *left, const void *right)
{
	const struct shown *a = left;
	const struct shown *b = right;

	if (a->highest != b->highest)
		return a->highest < b->highest ? 1 : -1;
	return by_name(a, b);
}

static int compare_hashes(const void *left, const void *right)
{
	const struct shown *a = left;
	const struct shown *b = right;

	if (a->function->hash != b->function->hash)
		return a->function->hash < b->function->hash ? -1 : 1;
	return by_name(a, b);
}

static int compare_order(const void *left, const void *right)
{
	const struct shown *a = left;
	const struct shown *b = right;

	/* 0 is "never called": those come last. */
	if (a->order != b->order)
		return a->order - 1 < b->order - 1 ? -1 : 1;
	return by_name(a, b);
}

static void sort(struct showing *showing, enum show_sort key)
{
	static int (*const compare[])(const void *, const void *) = {
		[SORT_NAME] = compare_names,
		[SORT_COUNT] = compare_counts,
		[SORT_HASH] = compare_hashes,
		[SORT_ORDER] = compare_order,
	};

	if (showing->shown_count)
		qsort(showing->shown, showing->shown_count, sizeof(*showing->shown), compare[key]);
}

static struct shown look_at(const struct function *function)
{
	struct shown shown = {.function = function};
	uint32_t i;

	for (i = 0; i < function->counter_count; i++) {
		shown.run += function->counters[i] != 0;
		if (function->counters[i] > shown.highest)
			shown.highest = function->counters[i];
	}
	return shown;
}

/* regexec() wants a string. */
static bool matches(const regex_t *regex, struct bytes name, struct buffer *scratch)
{
	scratch->size = 0;
	buffer_add(scratch, name.data, name.size);
	return !regexec(regex, buffer_string(scratch), 0, NULL, 0);
}

static void pick_names(struct showing *showing)
{
	const struct model *model = &showing->model;
	const regex_t *regex = showing->choices.regex;
	struct buffer scratch = {0};
	size_t i;

	showing->shown = allocate(model->count, sizeof(*showing->shown));
	for (i = 0; i < model->count; i++)
		if (!regex || matches(regex, model->functions[i].name, &scratch))
			showing->shown[showing->shown_count++] = look_at(&model->functions[i]);
	buffer_free(&scratch);
}

enum status show_pick(struct showing *showing, struct error *error)
{
	const struct show_choices *choices = &showing->choices;

	if (choices->sort == SORT_ORDER && !showing->model.traces.count)
		return error_set(error, STATUS_INVALID_INPUT,
			"does not tell in which order functions were called, as it is no temporal profile: sort by "
			"name, count or hash");
	pick_names(showing);
	add_order(showing);
	if (choices->top && choices->top < showing->shown_count) {
		sort(showing, SORT_COUNT);
		showing->shown_count = (size_t)choices->top;
	}
	if (choices->sort != SORT_NAME || choices->top)
		sort(showing, choices->sort);
	return STATUS_OK;
}
