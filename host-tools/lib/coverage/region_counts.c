/* SPDX-License-Identifier: BSD-2-Clause */
/* region_counts.c - computes the counts of regions from the counters of a function. */
#include "expression.h"
#include "region.h"

#include <stdlib.h>

enum expression_state {
	STATE_UNKNOWN,
	STATE_OPEN, /* the expression is on the stack, and waits for its operands */
	STATE_KNOWN,
};

/* What the counts are computed from. */
struct source {
	struct function_regions *regions;
	const uint64_t *counters; /* NULL: all are 0 */
	size_t count;
	const bool *in_branch; /* see expressions_compute(); NULL: no difference is excused */
	bool cyclic; /* an expression contains itself */
};

static struct expression *expression_of(const struct function_regions *regions, uint32_t operand)
{
	return (operand & TAG_MASK) > TAG_COUNTER ? &regions->expressions[operand >> TAG_BITS] : NULL;
}

uint64_t operand_value(const struct function_regions *regions, uint32_t operand, const uint64_t *counters, size_t count)
{
	const struct expression *expression = expression_of(regions, operand);
	size_t counter = operand >> TAG_BITS;

	if (expression)
		return (operand & TAG_MASK) == TAG_SUBTRACT ? expression->difference : expression->sum;
	return (operand & TAG_MASK) == TAG_COUNTER && counters && counter < count ? counters[counter] : 0;
}

/* Returns 1 more than the highest counter in @operand. */
static uint32_t counters_in(const struct source *source, uint32_t operand)
{
	const struct expression *expression = expression_of(source->regions, operand);

	if (expression)
		return expression->counters;
	return (operand & TAG_MASK) == TAG_COUNTER ? (operand >> TAG_BITS) + 1 : 0;
}

/* Computes @expression, whose operands are computed already. */
static void compute_one(const struct source *source, struct expression *expression)
{
	uint64_t left = operand_value(source->regions, expression->operand[0], source->counters, source->count);
	uint64_t right = operand_value(source->regions, expression->operand[1], source->counters, source->count);
	uint32_t in_left = counters_in(source, expression->operand[0]);
	uint32_t in_right = counters_in(source, expression->operand[1]);

	expression->sum = left + right;
	expression->difference = left - right;
	if (source->in_branch && left < right && (expression->operand[1] & TAG_MASK) == TAG_COUNTER &&
		!source->in_branch[expression->operand[1] >> TAG_BITS])
		expression->difference = 0;
	expression->counters = in_left > in_right ? in_left : in_right;
	expression->state = STATE_KNOWN;
}

/*
 * Computes @operand and all expressions on which it depends. It uses no recursion, because there can be thousands of
 * these expressions. The stack has room for all expressions, and each of them is on it at most once.
 */
static void compute(struct source *source, uint32_t operand)
{
	struct function_regions *regions = source->regions;
	size_t depth = 0;

	if (!expression_of(source->regions, operand) || expression_of(source->regions, operand)->state == STATE_KNOWN)
		return;
	regions->stack[depth++] = operand >> TAG_BITS;
	while (depth && !source->cyclic) {
		struct expression *top = &regions->expressions[regions->stack[depth - 1]];
		struct expression *needed = NULL;
		unsigned int i;

		for (i = 0; i < 2 && !needed; i++) {
			needed = expression_of(source->regions, top->operand[i]);
			if (needed && needed->state == STATE_KNOWN)
				needed = NULL;
		}
		top->state = STATE_OPEN;
		if (!needed) {
			compute_one(source, top);
			depth--;
		} else if (needed->state == STATE_OPEN) {
			source->cyclic = true;
		} else {
			regions->stack[depth++] = (uint32_t)(needed - regions->expressions);
		}
	}
}

/* Computes the expressions in @operand and returns its value. Raises *@counters to the number of counters in it. */
static uint64_t evaluate(struct source *source, uint32_t operand, uint32_t *counters)
{
	uint32_t in_operand;

	compute(source, operand);
	in_operand = counters_in(source, operand);
	if (in_operand > *counters)
		*counters = in_operand;
	return operand_value(source->regions, operand, source->counters, source->count);
}

static void make_stack(struct function_regions *regions)
{
	if (regions->stack_room >= regions->expression_count)
		return;
	free(regions->stack);
	regions->stack_room = 2 * regions->expression_count;
	regions->stack = allocate(regions->stack_room, sizeof(*regions->stack));
}

static void forget(struct function_regions *regions)
{
	size_t i;

	for (i = 0; i < regions->expression_count; i++)
		regions->expressions[i].state = STATE_UNKNOWN;
}

void expressions_compute(
	struct function_regions *regions, const uint64_t *counters, size_t count, const bool *in_branch)
{
	struct source source = {regions, counters, count, in_branch, false};
	size_t i;

	forget(regions);
	for (i = 0; i < regions->count; i++) {
		compute(&source, regions->list[i].operand[0]);
		compute(&source, regions->list[i].operand[1]);
	}
}

bool regions_count(struct function_regions *regions, const uint64_t *counters, size_t count)
{
	struct source source = {.regions = regions, .counters = counters, .count = count};
	uint32_t needed = 0; /* by the counts */
	uint32_t needed_for_false = 0; /* by the counts of false */
	size_t i;

	make_stack(regions);
	forget(regions);
	for (i = 0; i < regions->count; i++) {
		struct region *region = &regions->list[i];

		region->count = evaluate(&source, region->operand[0], &needed);
		region->false_count = evaluate(&source, region->operand[1], &needed_for_false);
	}
	if (source.cyclic)
		return false;
	if (!counters)
		return needed_for_false <= (needed ? needed : 1);
	return needed <= count && needed_for_false <= count;
}
