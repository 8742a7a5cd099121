/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_flow.c - checks the counts of `switch`.
 *
 * Each `case` has a counter and a branch region, whose false count is the count of the `switch` minus this counter. So a
 * case that ran more often than its switch has a difference below 0. But the mapping has no difference that shows whether
 * all cases together, or the code after the switch, ran more often than the switch. The code after the switch has a
 * counter of its own. The number of this counter is 1 less than the number of the counter of the first case, unless the
 * condition of the switch has counters, too.
 *
 *	switch (n) {		a gap without a count contains the body of the switch
 *	case 1: ...		a branch region; a code region with the counter of the case starts at the same location
 *	default: ...		the counts of true and false together are the count of the switch
 *	}
 *	...			a code region with the counter before that of the first case
 *
 * The cases contain other conditions, such as those of `if`. For these, true and false together have another count than
 * the switch. To find out whether two counts are equal in every run, this file computes both with random numbers in
 * place of the counters. If both add and subtract the same counters, the results are equal. Otherwise they differ.
 */
#include "region_flow.h"
#include "expression.h"

#include <stdlib.h>

/* Limits the time for a hostile function that has nothing but switches. */
#define WORK_MAX ((size_t)1 << 22)

/* While a function is checked. */
struct checking {
	struct function_regions *regions;
	const uint64_t *random; /* random numbers in place of the counters */
	size_t count;
	size_t work; /* number of regions that were looked at */
};

/* A switch. */
struct choice {
	const struct region *body; /* the gap that contains the cases */
	const struct region *first; /* the branch region of the first case */
	uint64_t whole; /* the random count of the switch */
	uint64_t count; /* how often it ran */
	uint64_t taken; /* how often a case was taken */
};

static bool is_counter(uint32_t operand)
{
	return (operand & TAG_MASK) == TAG_COUNTER;
}

static uint64_t start_of(const struct region *region)
{
	return location(region->line, region->column);
}

static uint64_t end_of(const struct region *region)
{
	return location(region->end_line, region->end_column);
}

static bool contains(const struct region *outer, const struct region *inner)
{
	return outer->file == inner->file && start_of(outer) <= start_of(inner) && end_of(outer) >= end_of(inner);
}

/* Returns whether @region is a gap without a count, as the body of each switch is. */
static bool is_body(const struct region *region)
{
	return region->kind == REGION_GAP && (region->operand[0] & TAG_MASK) == TAG_ZERO;
}

/*
 * Returns the code region that starts where the condition with this index starts, or NULL. Regions are sorted by location,
 * and code comes before conditions.
 */
static const struct region *code_at(const struct function_regions *regions, size_t condition)
{
	const struct region *at = &regions->list[condition];
	size_t i;

	for (i = condition; i-- && regions->list[i].file == at->file && start_of(&regions->list[i]) == start_of(at);)
		if (regions->list[i].kind == REGION_CODE)
			return &regions->list[i];
	return NULL;
}

/* Returns the random count of true and false together. */
static uint64_t whole_of(const struct checking *checking, const struct region *branch)
{
	return operand_value(checking->regions, branch->operand[0], checking->random, checking->count) +
	       operand_value(checking->regions, branch->operand[1], checking->random, checking->count);
}

/* Adds the condition with this index to @choice, if it is one of its cases. The first case sets the count of the switch. */
static void add_case(const struct checking *checking, size_t condition, struct choice *choice)
{
	const struct region *branch = &checking->regions->list[condition];
	const struct region *code = code_at(checking->regions, condition);

	if (!code || !is_counter(branch->operand[0]))
		return;
	if (!choice->first) {
		/* No case before the first one continues in it, so its code has exactly its counter. */
		if (code->operand[0] != branch->operand[0])
			return;
		choice->first = branch;
		choice->whole = whole_of(checking, branch);
		choice->count = add_saturating(branch->count, branch->false_count);
	} else if (whole_of(checking, branch) != choice->whole) {
		return;
	}
	choice->taken = add_saturating(choice->taken, branch->count);
}

/* Returns whether a region with the count of the switch contains both the switch and @after. */
static bool are_together(const struct checking *checking, const struct choice *choice, const struct region *after)
{
	size_t i;

	for (i = 0; i < checking->regions->count; i++) {
		const struct region *region = &checking->regions->list[i];

		if (region->kind == REGION_CODE && contains(region, choice->body) && contains(region, after) &&
			operand_value(checking->regions, region->operand[0], checking->random, checking->count) ==
				choice->whole)
			return true;
	}
	return false;
}

/* Returns whether @region is the code after the switch, and ran more often than the switch. */
static bool ran_too_often(const struct checking *checking, const struct choice *choice, const struct region *region)
{
	uint32_t before_first = choice->first->operand[0] - (1u << TAG_BITS);

	return region->kind == REGION_CODE && region->operand[0] == before_first && region->count > choice->count &&
	       start_of(region) > start_of(choice->body) && !contains(choice->body, region) &&
	       are_together(checking, choice, region);
}

/* Checks the switch whose body has the index @body. */
static const struct region *check_switch(struct checking *checking, size_t body)
{
	const struct function_regions *regions = checking->regions;
	struct choice choice = {.body = &regions->list[body]};
	size_t i;

	for (i = body + 1; i < regions->count && checking->work++ < WORK_MAX; i++) {
		const struct region *region = &regions->list[i];

		if (!contains(choice.body, region))
			break;
		if (region->kind == REGION_BRANCH)
			add_case(checking, i, &choice);
	}
	if (!choice.first)
		return NULL;
	if (choice.taken > choice.count)
		return choice.first;
	for (; i < regions->count && checking->work++ < WORK_MAX; i++) {
		if (regions->list[i].file != choice.body->file)
			break;
		if (ran_too_often(checking, &choice, &regions->list[i]))
			return &regions->list[i];
	}
	return NULL;
}

static bool may_have_switch(const struct function_regions *regions)
{
	size_t i;

	for (i = 0; i + 1 < regions->count && regions->has_conditions && regions->has_blank_gaps; i++)
		if (is_body(&regions->list[i]) && contains(&regions->list[i], &regions->list[i + 1]))
			return true;
	return false;
}

/* Fills @numbers with pseudo-random numbers, always the same, so that the result does not change from run to run. */
static void fill_random(uint64_t *numbers, size_t count)
{
	uint64_t state = 0x9e3779b97f4a7c15u;
	size_t i;

	for (i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		numbers[i] = state;
	}
}

const struct region *regions_flow(struct function_regions *regions, size_t count)
{
	struct checking checking = {.regions = regions, .count = count};
	const struct region *wrong = NULL;
	uint64_t *random;
	size_t i;

	if (!regions->has_counts || !may_have_switch(regions))
		return NULL;
	random = allocate(count, sizeof(*random));
	fill_random(random, count);
	checking.random = random;
	expressions_compute(regions, random, count, NULL);
	for (i = 0; i < regions->count && !wrong; i++)
		if (is_body(&regions->list[i]))
			wrong = check_switch(&checking, i);
	free(random);
	return wrong;
}
