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
	const uint64_t *counters;
	size_t count; /* 0 without counters: then all are 0 */
	const bool *in_branch; /* see expressions_compute(); NULL: no difference is excused */
	bool cyclic; /* an expression contains itself */
};

static struct expression *expression_of(const struct function_regions *regions, uint32_t operand)
{
	return (operand & TAG_MASK) > TAG_COUNTER ? &regions->expressions[operand >> TAG_BITS] : NULL;
}

/* The value of an operand, and 1 more than the highest counter in it. */
struct term {
	uint64_t value;
	uint32_t counters;
};

static inline struct term term_of(const struct source *source, uint32_t operand)
{
	uint32_t tag = operand & TAG_MASK;
	uint32_t index = operand >> TAG_BITS;

	if (tag > TAG_COUNTER) {
		const struct expression *expression = &source->regions->expressions[index];

		return (struct term){
			tag == TAG_SUBTRACT ? expression->difference : expression->sum, expression->counters};
	}
	if (tag == TAG_ZERO)
		return (struct term){0, 0};
	return (struct term){index < source->count ? source->counters[index] : 0, index + 1};
}

/* Returns whether a difference that subtracts @operand is that of a constant condition, see region_judge.c. */
static bool is_excused(const struct source *source, uint32_t operand)
{
	return source->in_branch && (operand & TAG_MASK) == TAG_COUNTER && operand >> TAG_BITS < source->count &&
	       !source->in_branch[operand >> TAG_BITS];
}

/* Computes @expression, whose operands are computed already. */
static inline void compute_one(const struct source *source, struct expression *expression)
{
	struct term left = term_of(source, expression->operand[0]);
	struct term right = term_of(source, expression->operand[1]);

	expression->sum = left.value + right.value;
	expression->difference = left.value - right.value;
	if (left.value < right.value && is_excused(source, expression->operand[1]))
		expression->difference = 0;
	expression->counters = left.counters > right.counters ? left.counters : right.counters;
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

/* Returns whether the value of @operand is known without more work. */
static inline bool is_known(const struct source *source, uint32_t operand)
{
	return (operand & TAG_MASK) <= TAG_COUNTER ||
	       source->regions->expressions[operand >> TAG_BITS].state == STATE_KNOWN;
}

/* Computes the expression with the index @i, if its operands are known. Returns whether it is known now. */
static inline bool try_one(const struct source *source, size_t i)
{
	struct expression *expression = &source->regions->expressions[i];

	if (expression->state == STATE_KNOWN)
		return true;
	if (!is_known(source, expression->operand[0]) || !is_known(source, expression->operand[1]))
		return false;
	compute_one(source, expression);
	return true;
}

/*
 * Computes at least the expressions to which regions refer. clang writes an expression before its operands, unless an
 * earlier region has them already. So a walk from the last expression to the first computes most of them, and a walk from
 * the first to the last computes nearly all others.
 */
static void compute_all(struct source *source)
{
	struct function_regions *regions = source->regions;
	bool all = true;
	size_t i;

	for (i = 0; i < regions->expression_count; i++)
		regions->expressions[i].state = STATE_UNKNOWN;
	for (i = regions->expression_count; i--;)
		all &= try_one(source, i);
	if (all)
		return;
	for (all = true, i = 0; i < regions->expression_count; i++)
		all &= try_one(source, i);
	if (all)
		return;
	regions->stack =
		array_renew(regions->stack, regions->expression_count, &regions->stack_room, sizeof(*regions->stack));
	for (i = 0; i < regions->count; i++) {
		compute(source, regions->list[i].operand[0]);
		compute(source, regions->list[i].operand[1]);
	}
}

void expressions_compute(
	struct function_regions *regions, const uint64_t *counters, size_t count, const bool *in_branch)
{
	struct source source = {regions, counters, counters ? count : 0, in_branch, false};

	compute_all(&source);
}

/* Returns whether no code of the function ran, and all its counters exist. */
static bool never_ran(const struct function_regions *regions, const uint64_t *counters, size_t count)
{
	size_t i;

	if (!counters || regions->counters > count)
		return false;
	for (i = 0; i < count && !counters[i]; i++)
		;
	return i == count;
}

static void clear_counts(struct function_regions *regions)
{
	size_t i;

	for (i = 0; i < regions->count && regions->has_counts; i++) {
		regions->list[i].count = 0;
		regions->list[i].false_count = 0;
	}
	regions->has_counts = false;
	regions->has_impossible = false;
}

bool regions_count(struct function_regions *regions, const uint64_t *counters, size_t count)
{
	struct source source = {.regions = regions, .counters = counters, .count = counters ? count : 0};
	uint32_t needed = 0; /* by the counts */
	uint32_t needed_for_false = 0; /* by the counts of false */
	uint64_t bits = 0; /* of all counts */
	size_t i;

	/* Most functions of a kernel never run. If all counters are 0, all counts are 0. */
	if (never_ran(regions, counters, count)) {
		clear_counts(regions);
		return true;
	}
	compute_all(&source);
	if (source.cyclic)
		return false;
	for (i = 0; i < regions->count; i++) {
		struct region *region = &regions->list[i];
		struct term term = term_of(&source, region->operand[0]);

		region->count = term.value;
		bits |= term.value;
		needed = term.counters > needed ? term.counters : needed;
		if (!region->operand[1])
			continue;
		term = term_of(&source, region->operand[1]);
		region->false_count = term.value;
		bits |= term.value;
		needed_for_false = term.counters > needed_for_false ? term.counters : needed_for_false;
	}
	regions->has_counts = bits;
	regions->has_impossible = bits >= COUNT_IMPOSSIBLE;
	if (!counters)
		return needed_for_false <= (needed ? needed : 1);
	return needed <= count && needed_for_false <= count;
}
