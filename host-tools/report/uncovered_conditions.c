/* SPDX-License-Identifier: BSD-2-Clause */
/* uncovered_conditions.c - the items for conditions: those with one direction, and those without a pair of MC/DC. */
#include "uncovered_listing.h"

#include <inttypes.h>

/* At most this many bytes of a condition are quoted. */
#define QUOTE_MAX 60

/* Returns the source of @condition in its first line, and sets *@cut if that is not all of it. */
static struct bytes quote_of(struct listing *listing, const struct condition *condition, bool *cut)
{
	struct bytes quote = source_piece(&listing->source, condition->own_line, condition->own_column,
		condition->end_line, condition->end_column);

	*cut = condition->own_line != condition->end_line || quote.size > QUOTE_MAX;
	if (quote.size > QUOTE_MAX)
		quote.size = QUOTE_MAX;
	return quote;
}

static void add_quote(struct listing *listing, struct buffer *text, const struct condition *condition)
{
	bool cut;
	struct bytes quote = quote_of(listing, condition, &cut);

	if (quote.size) {
		buffer_add_text(text, "'");
		add_safe(text, quote);
		buffer_add_text(text, cut ? " ...'" : "'");
	} else {
		buffer_printf(text, "at column %" PRIu32, condition->column);
	}
}

/* Returns the direction that a condition lacks, and that is worth an item: 0 for true, 1 for false, otherwise 2. */
static unsigned int lacking_side(const struct condition *condition)
{
	bool lacks[2] = {condition_lacks(condition, 0), condition_lacks(condition, 1)};

	if (lacks[0] == lacks[1] || !(condition->taken[0] || condition->taken[1]))
		return 2;
	return lacks[0] ? 0 : 1;
}

/* Returns whether @text ends with "switch (", with any white space. */
static bool ends_with_switch(struct bytes text)
{
	static const char word[] = "(hctiws"; /* from its end */
	size_t n;

	for (n = 0; word[n]; n++) {
		while (n < 2 && text.size && strchr(" \t", text.data[text.size - 1]))
			text.size--;
		if (!text.size || text.data[--text.size] != (uint8_t)word[n])
			return false;
	}
	return !text.size || !is_of_word(text.data[text.size - 1]);
}

/*
 * Returns whether @condition is what a switch without a default compares. clang counts the values that have a case, and
 * those that have none: up to clang 19 as false and true, later as true and false. The latter are a difference.
 */
static bool is_switch(struct listing *listing, const struct condition *condition)
{
	const struct source_text *source = &listing->source;
	struct bytes rest =
		source_piece(source, condition->end_line, condition->end_column, condition->end_line, UINT32_MAX);

	while (rest.size && strchr(" \t", *rest.data))
		bytes_slice(rest, 1, rest.size - 1, &rest);
	return condition->difference[0] != condition->difference[1] && rest.size && *rest.data == ')' &&
	       ends_with_switch(
		       source_piece(source, condition->own_line, 1, condition->own_line, condition->own_column));
}

static void add_switch(struct listing *listing, struct buffer *text, const struct condition *condition)
{
	bool cut;
	struct bytes quote = quote_of(listing, condition, &cut);

	buffer_add_text(text, "'switch (");
	add_safe(text, quote);
	buffer_add_text(text, cut ? " ...'" : ")'");
	buffer_add_text(text, condition->difference[lacking_side(condition)] ? " never met a value without a case"
									     : " met only values without a case");
}

/* Adds the direction that a condition lacks. The cases of a switch are conditions, too. */
static void add_lack(struct listing *listing, struct buffer *text, const struct condition *condition)
{
	bool cut;
	struct bytes rest = quote_of(listing, condition, &cut);
	bool is_case = bytes_after(&rest, "case ") || (bytes_after(&rest, "default") && !rest.size);
	bool never_false = lacking_side(condition) == 1;

	if (is_switch(listing, condition)) {
		add_switch(listing, text, condition);
		return;
	}
	if (is_case && never_false)
		buffer_add_text(text, "no case was taken but ");
	else if (!is_case)
		buffer_add_text(text, "condition ");
	add_quote(listing, text, condition);
	if (!is_case)
		buffer_add_text(text, never_false ? " was never false" : " was never true");
	else if (!never_false)
		buffer_add_text(text, " was never taken");
}

/* Adds one item for all conditions of the expansion that starts with @first, because a macro can have many. */
static void add_expansion(struct listing *listing, const struct condition *first)
{
	const struct condition *end = listing->conditions + listing->condition_count;
	const struct condition *condition;
	struct bytes name = macro_name(&listing->source, first->line, first->column);
	struct buffer text = {0};
	size_t lacking = 0;

	for (condition = first; condition < end && condition->nested && condition->line == first->line &&
				condition->column == first->column;
		condition++)
		lacking += lacking_side(condition) < 2;
	if (lacking == 1)
		buffer_add_text(&text, "a condition in ");
	else
		buffer_printf(&text, "%zu conditions in ", lacking);
	if (name.size)
		add_safe(&text, name);
	else
		buffer_printf(&text, "the macro at column %" PRIu32, first->column);
	if (lacking == 1) {
		buffer_add_text(&text, " (");
		add_own_location(&text, listing->view, listing->file, first);
		buffer_printf(&text, ") was never %s", lacking_side(first) ? "false" : "true");
	} else
		buffer_add_text(&text, " were never true or never false");
	listing_add_name(listing, &text, listing_function_at(listing, first->line, first->column));
	listing_add(listing, first->line, first->column, &text);
}

static void add_branches(struct listing *listing)
{
	const struct condition *expansion = NULL; /* the first condition of the last expansion that has an item */
	size_t i;

	for (i = 0; i < listing->condition_count; i++) {
		const struct condition *condition = &listing->conditions[i];
		struct buffer text = {0};

		/* A case of a switch was compared, although the line with its code did not run. */
		if (lacking_side(condition) == 2 || listing_missed(listing, condition->line) ||
			listing_is_macro(listing, condition->line))
			continue;
		if (condition->nested) {
			if (!expansion || expansion->line != condition->line || expansion->column != condition->column)
				add_expansion(listing, condition);
			expansion = condition;
			continue;
		}
		add_lack(listing, &text, condition);
		listing_add_name(listing, &text, listing_function_at(listing, condition->line, condition->column));
		listing_add(listing, condition->line, condition->column, &text);
	}
}

/*
 * Adds the conditions of a decision that have no pair. A condition that lacks a direction has an item already. If a
 * condition was never evaluated, its line has an item.
 */
static void add_decision(struct listing *listing, const struct file_decision *decision)
{
	const struct mcdc_result *result = &decision->result;
	uint32_t i;

	for (i = 0; i < result->condition_count && !result->unknown; i++) {
		const struct mcdc_condition *condition = &result->conditions[i];
		const struct condition *known = condition->file == decision->region.file
		                                        ? conditions_at(listing->conditions, listing->condition_count,
								  condition->line, condition->column)
		                                        : NULL;
		struct buffer text = {0};

		if (condition->folded || condition->pair[0] || !known || condition_lacks(known, 0) ||
			condition_lacks(known, 1))
			continue;
		buffer_add_text(&text, "condition ");
		add_quote(listing, &text, known);
		buffer_add_text(&text, " has no MC/DC pair: no two test vectors show that it changes the result");
		listing_add_name(listing, &text, listing_function_at(listing, known->line, known->column));
		listing_add(listing, known->line, known->column, &text);
	}
}

void listing_add_conditions(struct listing *listing)
{
	size_t i;

	add_branches(listing);
	for (i = 0; i < listing->data.decision_count; i++)
		add_decision(listing, &listing->data.decisions[i]);
}
