/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc_decisions.c - finds the decisions of a function, and the conditions of each decision. A condition belongs to a decision if it
 * is inside the source of the decision, or in an expansion that is.
 */
#include "mcdc.h"
#include "mcdc_vectors.h"

/*
 * The maximum number of tests whether a region belongs to a decision. After these tests, decisions that still lack
 * conditions are left out. Regions are tried with the decisions before them that lack conditions. Even in a function
 * with thousands of decisions in macros, the first try is right for nearly all regions, because decisions are completed
 * in their order.
 */
#define TRIES_MAX ((uint64_t)1 << 22)

/* A decision that still lacks conditions. */
struct candidate {
	struct mcdc_decision decision;
	uint32_t found; /* number of conditions that were found */
	struct candidate *next;
};

struct search {
	struct mcdc_request *request;
	const struct function_regions *regions;
	struct candidate *first; /* in the order of the regions */
	struct candidate **end; /* where the next one is added */
	const struct candidate **owners; /* for each file of the function: the decision in which it is expanded */
	size_t free_conditions; /* number of conditions in the function that no decision has claimed */
	uint64_t tries;
	struct arena scratch;
};

static bool contains(const struct search *search, const struct candidate *candidate, const struct region *region)
{
	const struct region *outer = candidate->decision.region;

	return search->owners[region->file] == candidate ||
	       (region->file == outer->file &&
		       location(region->line, region->column) >= location(outer->line, outer->column) &&
		       location(region->end_line, region->end_column) <= location(outer->end_line, outer->end_column));
}

/* Adds a decision. Together, decisions can have only as many conditions as the function has. */
static void add_decision(struct search *search, const struct region *region)
{
	uint32_t count = region->condition_count;
	struct candidate *candidate;

	if (!count || count > search->free_conditions)
		return;
	search->free_conditions -= count;
	candidate = arena_take(&search->scratch, sizeof(*candidate));
	*candidate = (struct candidate){.decision.region = region};
	candidate->decision.conditions = arena_take(&search->scratch, count * sizeof(*candidate->decision.conditions));
	candidate->decision.order = arena_take(&search->scratch, count * sizeof(*candidate->decision.order));
	memset(candidate->decision.conditions, 0, count * sizeof(*candidate->decision.conditions));
	*search->end = candidate;
	search->end = &candidate->next;
}

static void add_expansion(struct search *search, const struct region *region)
{
	const struct candidate *candidate;

	for (candidate = search->first; candidate; candidate = candidate->next) {
		if (contains(search, candidate, region)) {
			search->owners[region->expanded] = candidate;
			return;
		}
		search->tries++;
	}
}

/* Returns the link to the first decision that lacks the condition @region, or the link at the end of the list. */
static struct candidate **find_decision(struct search *search, const struct region *region)
{
	struct candidate **link = &search->first;

	for (; *link; link = &(*link)->next) {
		const struct mcdc_decision *decision = &(*link)->decision;

		if (region->condition < decision->region->condition_count && !decision->conditions[region->condition] &&
			contains(search, *link, region))
			break;
		search->tries++;
	}
	return link;
}

static void add_condition(struct search *search, const struct region *region)
{
	struct candidate **link;
	struct candidate *candidate;
	struct mcdc_decision *decision;

	if (region->condition < 0)
		return;
	link = find_decision(search, region);
	candidate = *link;
	if (!candidate)
		return;
	decision = &candidate->decision;
	decision->conditions[region->condition] = region;
	decision->order[candidate->found++] = (uint16_t)region->condition;
	/* llvm-cov moves the condition that is evaluated first to the start. The others stay in the order of the file. */
	if (!region->condition) {
		memmove(decision->order + 1, decision->order, (candidate->found - 1) * sizeof(*decision->order));
		decision->order[0] = 0;
	}
	if (candidate->found < decision->region->condition_count)
		return;
	*link = candidate->next;
	if (!*link)
		search->end = link;
	mcdc_evaluate(search->request, decision, &search->scratch);
}

void mcdc_decisions(struct mcdc_request *request, const struct function_regions *regions)
{
	struct search search = {.request = request, .regions = regions, .end = &search.first};
	bool has_decision = false;
	size_t i;

	if (!request->rules->bitmap_by_vector)
		return;
	for (i = 0; i < regions->count; i++) {
		has_decision |= regions->list[i].kind == REGION_DECISION;
		search.free_conditions += regions->list[i].kind == REGION_CONDITION;
	}
	if (!has_decision)
		return;
	search.owners = arena_take(&search.scratch, regions->file_count * sizeof(*search.owners));
	memset(search.owners, 0, regions->file_count * sizeof(*search.owners));
	for (i = 0; i < regions->count && search.tries < TRIES_MAX; i++) {
		const struct region *region = &regions->list[i];

		if (region->kind == REGION_DECISION)
			add_decision(&search, region);
		else if (region->kind == REGION_EXPANSION)
			add_expansion(&search, region);
		else if (region->kind == REGION_CONDITION)
			add_condition(&search, region);
	}
	arena_free(&search.scratch);
}
