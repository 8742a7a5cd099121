/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_select.c - selects the functions to list from all functions of a profile, and sorts them.
 */
#include "pattern.h"
#include "show.h"

#include <stdlib.h>

struct first_call {
	uint64_t reference;
	size_t position; /* position in the trace, from 1 on */
};

static int compare_calls(const void *left, const void *right)
{
	const struct first_call *a = left;
	const struct first_call *b = right;

	if (a->reference != b->reference)
		return a->reference < b->reference ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* Sets the order of each listed function to its lowest position in any trace. */
static void add_order(struct show_state *state)
{
	const struct model *model = &state->model;
	struct first_call *calls;
	size_t count = 0;
	size_t i;
	size_t j;

	for (i = 0; i < model->traces.count; i++)
		count += model->traces.list[i].count;
	if (!count)
		return;
	calls = allocate(count, sizeof(*calls));
	count = 0;
	for (i = 0; i < model->traces.count; i++)
		for (j = 0; j < model->traces.list[i].count; j++)
			calls[count++] = (struct first_call){model->traces.list[i].references[j], j + 1};
	qsort(calls, count, sizeof(*calls), compare_calls);
	for (i = 0; i < state->listed_count; i++) {
		struct first_call key = {state->listed[i].function->reference, 0};
		size_t first = lower_bound(&key, calls, count, sizeof(*calls), compare_calls);

		if (first < count && calls[first].reference == key.reference)
			state->listed[i].order = calls[first].position;
	}
	free(calls);
}

/*
 * Compares functions as the model sorts them: by name, then by hash. The other comparison functions call this function
 * if the keys are equal.
 */
static int by_name(const struct listed_function *a, const struct listed_function *b)
{
	return (a->function > b->function) - (a->function < b->function);
}

static int compare_names(const void *left, const void *right)
{
	return by_name(left, right);
}

static int compare_counts(const void *left, const void *right)
{
	const struct listed_function *a = left;
	const struct listed_function *b = right;

	if (a->highest != b->highest)
		return a->highest < b->highest ? 1 : -1;
	return by_name(a, b);
}

static int compare_hashes(const void *left, const void *right)
{
	const struct listed_function *a = left;
	const struct listed_function *b = right;

	if (a->function->hash != b->function->hash)
		return a->function->hash < b->function->hash ? -1 : 1;
	return by_name(a, b);
}

static int compare_order(const void *left, const void *right)
{
	const struct listed_function *a = left;
	const struct listed_function *b = right;

	/*
	 * Functions with the order 0 come last, because they are in no trace. The subtraction turns 0 into the highest
	 * number.
	 */
	if (a->order != b->order)
		return a->order - 1 < b->order - 1 ? -1 : 1;
	return by_name(a, b);
}

static void sort_list(struct show_state *state, enum show_sort key)
{
	static int (*const compare[])(const void *, const void *) = {
		[SORT_NAME] = compare_names,
		[SORT_COUNT] = compare_counts,
		[SORT_HASH] = compare_hashes,
		[SORT_ORDER] = compare_order,
	};

	if (state->listed_count)
		qsort(state->listed, state->listed_count, sizeof(*state->listed), compare[key]);
}

static struct listed_function count_function(const struct function *function)
{
	struct listed_function listed = {.function = function};
	uint32_t i;

	for (i = 0; i < function->counter_count; i++) {
		listed.run += function->counters[i] != 0;
		if (function->counters[i] > listed.highest)
			listed.highest = function->counters[i];
	}
	return listed;
}

static void select_functions(struct show_state *state)
{
	const struct model *model = &state->model;
	const regex_t *regex = state->choices.regex;
	struct buffer scratch = {0};
	size_t i;

	state->listed = allocate(model->count, sizeof(*state->listed));
	for (i = 0; i < model->count; i++)
		if (!regex || function_matches(regex, model->functions[i].name, &scratch)) {
			state->matched_count++;
			state->listed[state->listed_count] = count_function(&model->functions[i]);
			state->listed_count += !state->choices.covered || state->listed[state->listed_count].run;
		}
	buffer_free(&scratch);
}

enum status show_select(struct show_state *state, struct error *error)
{
	const struct show_choices *choices = &state->choices;

	if (choices->sort == SORT_ORDER && !state->model.traces.count)
		return error_set(error, STATUS_INVALID_INPUT,
			"is not a temporal profile, so it does not have the order of first calls: sort by name, count "
			"or hash");
	select_functions(state);
	add_order(state);
	if (choices->top && choices->top < state->listed_count) {
		sort_list(state, SORT_COUNT);
		state->listed_count = (size_t)choices->top;
	}
	if (choices->sort != SORT_NAME || choices->top)
		sort_list(state, choices->sort);
	return STATUS_OK;
}
