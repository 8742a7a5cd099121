/* SPDX-License-Identifier: BSD-2-Clause */
/* source_notes.c - what the view of a source file shows below a line: conditions, MC/DC, instantiations. */
#include "conditions.h"
#include "source_view.h"

#include <inttypes.h>
#include <stdlib.h>

/* At most this many bytes of a condition are quoted, and this many instantiations and test vectors are shown. */
#define QUOTE_MAX     48
#define INSTANCES_MAX 6
#define VECTORS_MAX   16

static int compare_decisions(const void *left, const void *right)
{
	const struct file_decision *a = *(struct file_decision *const *)left;
	const struct file_decision *b = *(struct file_decision *const *)right;
	int order = compare_uint(a->region.end_line, b->region.end_line);

	if (!order)
		order = compare_uint(a->region.line, b->region.line);
	if (!order)
		order = compare_uint(a->region.column, b->region.column);
	if (!order)
		order = compare_uint(a->region.end_column, b->region.end_column);
	/* The best instantiation comes first. */
	if (!order)
		order = compare_uint(b->result.covered, a->result.covered);
	return order ? order : compare_uint((uintptr_t)a, (uintptr_t)b);
}

static bool is_same_decision(const struct file_decision *a, const struct file_decision *b)
{
	return a->region.end_line == b->region.end_line && a->region.line == b->region.line &&
	       a->region.column == b->region.column && a->region.end_column == b->region.end_column;
}

/* Keeps the instantiation with most covered conditions, as the totals of the table do. */
static void sort_decisions(struct source_page *page)
{
	size_t i;

	page->decisions = allocate(page->data.decision_count, sizeof(*page->decisions));
	for (i = 0; i < page->data.decision_count; i++)
		page->decisions[i] = &page->data.decisions[i];
	if (page->data.decision_count)
		qsort(page->decisions, page->data.decision_count, sizeof(*page->decisions), compare_decisions);
	for (i = 0; i < page->data.decision_count; i++)
		if (!i || !is_same_decision(page->decisions[page->decision_count - 1], page->decisions[i]))
			page->decisions[page->decision_count++] = page->decisions[i];
}

void source_notes_start(struct source_page *page)
{
	const struct coverage *coverage = page->view->coverage;

	page->conditions = conditions_of(&page->data, coverage->byte_counters, &page->condition_count);
	while (page->next_condition < page->condition_count &&
		page->conditions[page->next_condition].line < page->first)
		page->next_condition++;
	sort_decisions(page);
	while (page->next_decision < page->decision_count &&
		page->decisions[page->next_decision]->region.end_line < page->first)
		page->next_decision++;
	while (page->next_function < coverage->by_main_count &&
		coverage->functions[coverage->by_main_file[page->next_function]].main_file != page->file)
		page->next_function++;
}

void source_notes_free(struct source_page *page)
{
	free(page->conditions);
	free(page->decisions);
}

/* Returns the function that the next note about instantiations can be about, or NULL. */
static const struct coverage_function *next_function(const struct source_page *page)
{
	const struct coverage *coverage = page->view->coverage;
	const struct coverage_function *function;

	if (page->single || page->next_function == coverage->by_main_count)
		return NULL;
	function = &coverage->functions[coverage->by_main_file[page->next_function]];
	return function->main_file == page->file ? function : NULL;
}

bool source_notes_wait(const struct source_page *page, uint32_t line)
{
	return (page->next_condition < page->condition_count && page->conditions[page->next_condition].line <= line) ||
	       (page->next_decision < page->decision_count &&
		       page->decisions[page->next_decision]->region.end_line <= line);
}

/* Adds the source of a condition in parentheses, if it is short. */
static void add_quote(struct source_page *page, const struct condition *condition)
{
	struct bytes quote;

	if (condition->nested || condition->own_line != condition->end_line)
		return;
	quote = source_piece(
		&page->source, condition->own_line, condition->own_column, condition->end_line, condition->end_column);
	if (!quote.size || quote.size > QUOTE_MAX)
		return;
	buffer_add_text(page->text, " (");
	add_safe(page->text, quote);
	buffer_add_text(page->text, ")");
}

static void add_side(struct source_page *page, const struct condition *condition, unsigned int side)
{
	buffer_add_text(page->text, side ? ", false " : ": true ");
	if (condition->folded[side] && !condition->taken[side])
		buffer_add_text(page->text, "-");
	else
		add_short_count(page->text, condition->taken[side]);
}

/* Adds what a condition lacks. A condition that was never evaluated is in a line that did not run. */
static void add_lack(struct source_page *page, const struct condition *condition)
{
	bool lacks[2] = {condition_lacks(condition, 0), condition_lacks(condition, 1)};

	if (condition->folded[0] && condition->folded[1])
		buffer_add_text(page->text, ": constant");
	if (!lacks[0] && !lacks[1])
		return;
	buffer_add_text(page->text, ": ");
	color_start(page->text, page->view, COLOR_BAD);
	buffer_add_text(page->text, lacks[0] && lacks[1] ? "never evaluated" : lacks[0] ? "never true" : "never false");
	color_end(page->text, page->view);
}

/* Adds the name of the macro whose expansion starts at the location of @condition. */
static void add_macro(struct source_page *page, const struct condition *condition)
{
	struct bytes name = macro_name(&page->source, condition->line, condition->column);

	buffer_add_text(page->text, " in ");
	if (name.size)
		add_safe(page->text, name);
	else
		buffer_add_text(page->text, "the expansion");
	buffer_printf(page->text, " at %" PRIu32 ":%" PRIu32 ", where it is at", condition->line, condition->column);
}

static void add_condition(struct source_page *page, const struct condition *condition)
{
	source_margin(page);
	buffer_add_text(page->text, "  branch");
	if (condition->nested)
		add_macro(page, condition);
	buffer_add_text(page->text, " ");
	add_own_location(page->text, page->view, page->file, condition);
	add_quote(page, condition);
	add_side(page, condition, 0);
	add_side(page, condition, 1);
	add_lack(page, condition);
	buffer_add_text(page->text, "\n");
}

static void add_vectors(struct source_page *page, const struct mcdc_result *result)
{
	uint32_t count = result->false_vectors + result->true_vectors;
	uint32_t i;
	uint32_t n;

	for (i = 0; i < count && i < VECTORS_MAX && result->vectors; i++) {
		source_margin(page);
		buffer_printf(page->text, "    test vector %" PRIu32 ":", i + 1);
		for (n = 0; n < result->condition_count; n++)
			buffer_printf(page->text, " %c", (char)mcdc_state(result, i, n));
		buffer_add_text(page->text, i < result->false_vectors ? " = F\n" : " = T\n");
	}
	if (count > VECTORS_MAX) {
		source_margin(page);
		buffer_printf(page->text, "    and %" PRIu32 " more test vectors\n", count - VECTORS_MAX);
	}
}

static void add_pair(struct source_page *page, const struct file_decision *decision, uint32_t index)
{
	const struct mcdc_condition *condition = &decision->result.conditions[index];
	const struct condition *known = NULL;

	/* The location of a condition in a macro is in the file that defines the macro. */
	if (condition->file == decision->region.file)
		known = conditions_at(page->conditions, page->condition_count, condition->line, condition->column);

	source_margin(page);
	buffer_printf(page->text, "    condition %" PRIu32 " at %" PRIu32 ":%" PRIu32, index + 1, condition->line,
		condition->column);
	if (known)
		add_quote(page, known);
	buffer_add_text(page->text, ": ");
	if (condition->folded) {
		buffer_add_text(page->text, "constant");
	} else if (condition->pair[0]) {
		buffer_printf(page->text, "pair %" PRIu32 ", %" PRIu32, condition->pair[0], condition->pair[1]);
	} else {
		color_start(page->text, page->view, COLOR_BAD);
		buffer_add_text(page->text, "no pair");
		color_end(page->text, page->view);
	}
	buffer_add_text(page->text, "\n");
}

static void add_decision(struct source_page *page, const struct file_decision *decision)
{
	const struct mcdc_result *result = &decision->result;
	uint32_t i;

	source_margin(page);
	buffer_printf(page->text, "  MC/DC of the decision at %" PRIu32 ":%" PRIu32 ": ", decision->region.line,
		decision->region.column);
	if (result->unknown) {
		buffer_add_text(page->text, "unknown, because it has too many test vectors\n");
		return;
	}
	buffer_printf(page->text, "%" PRIu32 " of %" PRIu32 " conditions have a pair of test vectors\n",
		result->covered, result->total);
	for (i = 0; i < result->condition_count; i++)
		add_pair(page, decision, i);
	add_vectors(page, result);
}

static int compare_missing(const void *left, const void *right)
{
	const struct coverage_function *a = *(const struct coverage_function *const *)left;
	const struct coverage_function *b = *(const struct coverage_function *const *)right;
	int order = compare_uint(missing(b->summary.rate[RATE_LINES]), missing(a->summary.rate[RATE_LINES]));

	if (!order)
		order = compare_uint(missing(b->summary.rate[RATE_BRANCHES]), missing(a->summary.rate[RATE_BRANCHES]));
	return order ? order : compare_uint((uintptr_t)a, (uintptr_t)b);
}

static void add_instances(struct source_page *page, const struct coverage_function **list, size_t count)
{
	const struct coverage *coverage = page->view->coverage;
	size_t ran = 0;
	bool named = false; /* they have different names */
	size_t i;

	for (i = 0; i < count; i++) {
		ran += list[i]->executions > 0;
		named |= strcmp(page->view->names[list[i] - coverage->functions],
				 page->view->names[list[0] - coverage->functions]) != 0;
	}
	source_margin(page);
	buffer_printf(page->text, "  %zu instantiations, which are shown together%s", count, named ? ":\n" : "");
	/* A static function in a header has the same name in each object. */
	if (!named) {
		buffer_printf(page->text, "; %zu of them ran\n", ran);
		return;
	}
	qsort(list, count, sizeof(*list), compare_missing);
	for (i = 0; i < count && i < INSTANCES_MAX; i++) {
		struct rate lines = list[i]->summary.rate[RATE_LINES];

		source_margin(page);
		/* Names of templates are long, so they come last. */
		if (list[i]->executions) {
			buffer_printf(page->text,
				"    ran %" PRIu64 " time%s, %" PRIu64 " of %" PRIu64 " lines: ", list[i]->executions,
				list[i]->executions == 1 ? "" : "s", lines.covered, lines.total);
		} else {
			buffer_add_text(page->text, "    ");
			color_start(page->text, page->view, COLOR_BAD);
			buffer_add_text(page->text, "never ran");
			color_end(page->text, page->view);
			buffer_add_text(page->text, ": ");
		}
		add_safe_text(page->text, page->view->names[list[i] - coverage->functions]);
		buffer_add_text(page->text, "\n");
	}
	if (count > INSTANCES_MAX) {
		source_margin(page);
		buffer_printf(page->text, "    and %zu more; --functions lists them all\n", count - INSTANCES_MAX);
	}
}

/*
 * Adds a note about the next location, if several functions start there. Returns whether this location is in @line or
 * before.
 */
static bool add_function(struct source_page *page, uint32_t line)
{
	const struct coverage *coverage = page->view->coverage;
	const struct coverage_function *first = next_function(page);
	const struct coverage_function **list;
	const struct coverage_function *function;
	size_t count = 0;
	size_t i;

	if (!first || first->line > line)
		return false;
	while ((function = next_function(page)) && function->line == first->line && function->column == first->column) {
		count++;
		page->next_function++;
	}
	if (count < 2 || first->line < page->first)
		return true;
	list = allocate(count, sizeof(*list));
	for (i = 0; i < count; i++)
		list[i] = &coverage->functions[coverage->by_main_file[page->next_function - count + i]];
	add_instances(page, list, count);
	free(list);
	return true;
}

/* Returns whether nothing is known about @condition but that its line did not run. */
static bool is_idle(const struct condition *condition)
{
	return !condition->taken[0] && !condition->taken[1] && !(condition->folded[0] && condition->folded[1]);
}

void source_notes_add(struct source_page *page, uint32_t line, bool ran)
{
	while (add_function(page, line))
		;
	for (; page->next_condition < page->condition_count && page->conditions[page->next_condition].line <= line;
		page->next_condition++)
		if (ran || !is_idle(&page->conditions[page->next_condition]))
			add_condition(page, &page->conditions[page->next_condition]);
	for (; page->next_decision < page->decision_count &&
		page->decisions[page->next_decision]->region.end_line <= line;
		page->next_decision++)
		if (ran || page->decisions[page->next_decision]->result.covered)
			add_decision(page, page->decisions[page->next_decision]);
}
