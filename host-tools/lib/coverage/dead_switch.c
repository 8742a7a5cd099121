/* SPDX-License-Identifier: BSD-2-Clause */
/* dead_switch.c - recognises counts that are below 0 because of a switch that can never run. */
#include "dead_switch.h"
#include "expression.h"

#include <stdlib.h>

/* An expression that depends on others after it needs another pass. These limits are for hostile functions. */
#define PASSES   64
#define NEAR_MAX 64

static bool starts_at(const struct region *region, const struct region *condition)
{
	return region->file == condition->file && region->line == condition->line &&
	       region->column == condition->column;
}

/* Returns whether code with the counter of the condition with the index @at starts where the condition starts. */
static bool has_code(const struct function_regions *regions, size_t at)
{
	const struct region *condition = &regions->list[at];
	size_t i;

	for (i = at; i-- && at - i <= NEAR_MAX && starts_at(&regions->list[i], condition);)
		if (region_is_counted(&regions->list[i]) && regions->list[i].operand[0] == condition->operand[0])
			return true;
	return false;
}

/*
 * Returns whether the region with the index @at is a case of a switch that was reached, but did not take the case. A case has
 * a condition with two counts, which are together the count of the switch.
 */
static bool is_missed_case(const struct function_regions *regions, size_t at, const uint64_t *counters, size_t count)
{
	const struct region *region = &regions->list[at];
	size_t counter = region->operand[0] >> TAG_BITS;

	return region->kind == REGION_BRANCH && (region->operand[0] & TAG_MASK) == TAG_COUNTER && counter < count &&
	       !counters[counter] && region->false_count && region->false_count < COUNT_IMPOSSIBLE &&
	       has_code(regions, at);
}

/*
 * Marks the counters of the ends of switches that were reached, but took neither a case nor their end. The end has the counter
 * before that of the first case. Returns whether there are any.
 */
static bool mark_ends(
	struct dead_switches *dead, const struct function_regions *regions, const uint64_t *counters, size_t count)
{
	bool *missed = allocate(count, sizeof(*missed));
	bool any = false;
	size_t i;

	for (i = 0; i < regions->count; i++)
		if (is_missed_case(regions, i, counters, count))
			missed[regions->list[i].operand[0] >> TAG_BITS] = true;
	for (i = 1; i < count; i++) {
		dead->counters[i - 1] = missed[i] && !missed[i - 1] && !counters[i - 1];
		any |= dead->counters[i - 1];
	}
	free(missed);
	return any;
}

/* Marks the expressions that depend on marked operands. */
static void mark_expressions(struct dead_switches *dead, const struct function_regions *regions)
{
	bool changed = true;
	unsigned int pass;
	size_t i;

	for (pass = 0; pass < PASSES && changed; pass++) {
		changed = false;
		for (i = regions->expression_count; i--;) {
			const uint32_t *operand = regions->expressions[i].operand;
			bool marked =
				dead_switches_explain(dead, operand[0]) || dead_switches_explain(dead, operand[1]);

			changed |= marked && !dead->expressions[i];
			dead->expressions[i] |= marked;
		}
	}
}

void dead_switches_find(
	struct dead_switches *dead, const struct function_regions *regions, const uint64_t *counters, size_t count)
{
	*dead = (struct dead_switches){
		allocate(count, sizeof(bool)), allocate(regions->expression_count, sizeof(bool)), count};
	if (mark_ends(dead, regions, counters, count))
		mark_expressions(dead, regions);
}

bool dead_switches_explain(const struct dead_switches *dead, uint32_t operand)
{
	size_t index = operand >> TAG_BITS;

	switch (operand & TAG_MASK) {
	case TAG_ZERO:
		return false;
	case TAG_COUNTER:
		return index < dead->counter_count && dead->counters[index];
	default:
		return dead->expressions[index];
	}
}

void dead_switches_free(struct dead_switches *dead)
{
	free(dead->counters);
	free(dead->expressions);
}
