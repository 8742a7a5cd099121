/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_judge.c - finds counts that are impossible.
 *
 * A difference of counters can be below 0 although no count is wrong. clang evaluates both arms of a simple a ? b : c
 * before it selects one of them. If c is a conditional with a constant condition, as in a ? b : (1 ? d : e), clang
 * counts d even if only b is needed. The count of e is the count of c minus the count of d, and so it is below 0.
 * There is no code for e, so its count is 0. A constant condition has no branch region with two counts, but the
 * condition a has one. So this file treats a difference as that of a constant condition if the function has such
 * regions, and none of them contains the counter that is subtracted. Mappings of rustc have no branch regions.
 */
#include "region_judge.h"
#include "dead_switch.h"
#include "expression.h"
#include "region_flow.h"

#include <stdlib.h>

/* Returns the counter of @operand, or @count if it is no counter. */
static size_t counter_of(uint32_t operand, size_t count)
{
	size_t counter = operand >> TAG_BITS;

	return (operand & TAG_MASK) == TAG_COUNTER && counter < count ? counter : count;
}

/*
 * Marks the counters that are in a branch region with two counts. Returns false if there are no such regions, and so no
 * difference can be excused.
 */
static bool mark_branches(const struct function_regions *regions, size_t count, bool *in_branch)
{
	bool any = false;
	size_t i;
	unsigned int side;

	for (i = 0; i < regions->count; i++) {
		const struct region *region = &regions->list[i];

		if (!region_is_condition(region) || region->folded[0] || region->folded[1])
			continue;
		any = true;
		for (side = 0; side < 2; side++)
			if (counter_of(region->operand[side], count) < count)
				in_branch[counter_of(region->operand[side], count)] = true;
	}
	return any;
}

/* While a function is judged. */
struct judging {
	const struct function_regions *regions;
	const uint64_t *counters;
	size_t count;
	struct dead_switches dead;
};

/* Judges the count of @operand, which is impossible. */
static enum counts_verdict judge(const struct judging *judging, uint32_t operand)
{
	if (operand_value(judging->regions, operand, judging->counters, judging->count) < COUNT_IMPOSSIBLE)
		return COUNTS_CONSTANT;
	if ((operand & TAG_MASK) == TAG_COUNTER)
		return COUNTS_HUGE;
	return dead_switches_explain(&judging->dead, operand) ? COUNTS_DEAD_SWITCH : COUNTS_NEGATIVE;
}

enum counts_verdict regions_judge(struct function_regions *regions, const uint64_t *counters, size_t count)
{
	struct judging judging = {regions, counters, count, {NULL, NULL, 0}};
	enum counts_verdict worst = COUNTS_POSSIBLE;
	bool *in_branch;
	size_t i;

	if (!counters)
		return worst;
	if (!regions->has_impossible)
		return regions_flow(regions, count) ? COUNTS_ABOVE : worst;
	in_branch = allocate(count, sizeof(*in_branch));
	if (mark_branches(regions, count, in_branch))
		expressions_compute(regions, counters, count, in_branch);
	dead_switches_find(&judging.dead, regions, counters, count);
	for (i = 0; i < regions->count; i++) {
		struct region *region = &regions->list[i];
		uint64_t *value[2] = {&region->count, &region->false_count};
		unsigned int side;

		for (side = 0; side < 2; side++) {
			enum counts_verdict found;

			if (*value[side] < COUNT_IMPOSSIBLE)
				continue;
			found = judge(&judging, region->operand[side]);
			worst = found > worst ? found : worst;
			*value[side] = 0;
		}
	}
	free(in_branch);
	dead_switches_free(&judging.dead);
	return worst;
}
