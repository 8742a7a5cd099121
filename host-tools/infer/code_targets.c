/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_targets.c - follows control from the start of a function until nothing new is learned. Each jump by a table whose
 * targets become known opens new paths.
 */
#include "code_targets.h"
#include "jump_table.h"
#include "register_state.h"

#include <stdlib.h>

/* A function with more blocks is not followed, because it would take too much memory. */
#define STATES_MAX 65536u

struct follower {
	const struct code_listing *listing;
	struct register_state *
		*states; /* before each instruction at which paths meet; NULL: control does not come there */
	bool *leads; /* a path may come to the instruction from elsewhere */
	bool *waiting; /* the state of the instruction has changed */
	size_t *queue; /* instructions that wait, in a ring */
	size_t first;
	size_t queued;
	size_t state_count;
	struct code_targets *targets;
};

/* Returns the index of the instruction at @address, or the number of instructions. */
static size_t find_instruction(const struct code_listing *listing, uint64_t address)
{
	size_t i = lower_bound(&address, listing->addresses, listing->count, sizeof(address), compare_numbers);

	return i < listing->count && listing->addresses[i] == address ? i : listing->count;
}

static void wait_for(struct follower *follower, size_t place)
{
	size_t count = follower->listing->count;

	if (follower->waiting[place])
		return;
	follower->waiting[place] = true;
	follower->queue[(follower->first + follower->queued++) % count] = place;
}

/* Control comes to instruction number @place with @state. */
static void arrive(struct follower *follower, size_t place, const struct register_state *state)
{
	if (place == follower->listing->count || follower->state_count >= STATES_MAX)
		return;
	if (!follower->leads[place]) {
		size_t before = place;

		/* A path that was followed through this place ends here now. */
		follower->leads[place] = true;
		while (before && !follower->leads[--before])
			;
		if (follower->states[before])
			wait_for(follower, before);
	}
	if (!follower->states[place]) {
		follower->states[place] = allocate(1, sizeof(*state));
		*follower->states[place] = *state;
		register_state_settle(follower->states[place]);
		follower->state_count++;
	} else if (!register_state_join(follower->states[place], state, place)) {
		return;
	}
	wait_for(follower, place);
}

/* Returns whether another instruction jumps to number @place, or control does not go on to it from the one before. */
static bool begins_block(const struct follower *follower, size_t place)
{
	const struct code_listing *listing = follower->listing;

	return follower->leads[place] || !place || !listing->steps[place - 1].goes_on;
}

/*
 * Returns whether number @place may be a target. If the size of the table is only known from the bits of the index, the
 * table may be shorter, so a target must look like one: it begins a block, or the table is a list of jumps.
 */
static bool may_be_target(const struct follower *follower, const struct code_value *value, size_t place)
{
	const struct code_step *step = &follower->listing->steps[place];

	return value->checked || begins_block(follower, place) ||
	       (value->kind == CODE_INDEX && step->jumps && !step->goes_on);
}

/*
 * Sorts the @count addresses of @list, and keeps each once. Returns their number, or 0 if one of them cannot be a target
 * of a jump to @value in this function.
 */
static size_t check_targets(
	const struct follower *follower, const struct code_value *value, uint64_t *list, size_t count)
{
	const struct code_listing *listing = follower->listing;
	size_t kept = 0;
	size_t i;

	qsort(list, count, sizeof(*list), compare_numbers);
	for (i = 0; i < count; i++) {
		size_t place;

		/* In Thumb code, the lowest bit of an address selects the state, and both states exist only on Arm. */
		if (listing->thumb)
			list[i] &= ~(uint64_t)1;
		if (kept && list[kept - 1] == list[i])
			continue;
		place = find_instruction(listing, list[i]);
		if (place == listing->count || !may_be_target(follower, value, place))
			return 0;
		list[kept++] = list[i];
	}
	return kept;
}

/* Reads the targets of the jump number @place, whose address is @value, and follows them with @state. */
static void follow_table(
	struct follower *follower, size_t place, const struct code_value *value, const struct register_state *state)
{
	struct code_targets *targets = &follower->targets[place];
	uint64_t *list = NULL;
	size_t count = jump_table_read(follower->listing->image, follower->listing->map, value, &list);
	size_t i;

	free(targets->list);
	*targets = (struct code_targets){list, count ? check_targets(follower, value, list, count) : 0};
	for (i = 0; i < targets->count; i++)
		arrive(follower, find_instruction(follower->listing, list[i]), state);
}

/* Executes instructions from number @place on, until the next instruction has a state of its own. */
static void follow(struct follower *follower, size_t place)
{
	const struct code_listing *listing = follower->listing;
	struct register_state state = *follower->states[place];

	for (;; place++) {
		const struct code_step *step = &listing->steps[place];
		const struct code_effect *effect = &listing->effects[place];

		if (step->jumps || step->leaves) {
			struct register_state taken = state;
			struct code_value value;

			if (effect->branches)
				register_state_step(&state, effect, listing->image, place);
			taken = state;
			register_state_assume(&taken, effect->condition, true);
			value = register_state_step(&taken, effect, listing->image, place);
			register_state_assume(&state, effect->condition, false);
			if (effect->branches)
				taken.compared = state.compared = false;
			if (step->jumps)
				arrive(follower, find_instruction(listing, step->target), &taken);
			if (step->by_table && effect->target == CODE_PC)
				follow_table(follower, place, &value, &taken);
		} else {
			register_state_step(&state, effect, listing->image, place);
		}
		if (!step->goes_on || place + 1 == listing->count)
			return;
		if (follower->leads[place + 1]) {
			arrive(follower, place + 1, &state);
			return;
		}
	}
}

static void follow_all(struct follower *follower)
{
	while (follower->queued && follower->state_count < STATES_MAX) {
		size_t place = follower->queue[follower->first];

		follower->first = (follower->first + 1) % follower->listing->count;
		follower->queued--;
		follower->waiting[place] = false;
		follow(follower, place);
	}
}

/* Marks the places to which instructions lead directly. */
static void find_leads(struct follower *follower)
{
	const struct code_listing *listing = follower->listing;
	size_t i;

	follower->leads[0] = true;
	for (i = 0; i < listing->count; i++) {
		const struct code_step *step = &listing->steps[i];
		size_t target = step->jumps ? find_instruction(listing, step->target) : listing->count;

		if (target < listing->count)
			follower->leads[target] = true;
		if ((step->jumps || step->leaves) && i + 1 < listing->count)
			follower->leads[i + 1] = true;
	}
}

struct code_targets *code_targets_find(const struct code_listing *listing)
{
	struct follower follower = {.listing = listing};
	struct register_state unknown;
	bool found = false;
	size_t i;

	/* The linker has not filled in the addresses of modules. */
	if (listing->image->module)
		return NULL;
	follower.states = allocate(listing->count, sizeof(*follower.states));
	follower.leads = allocate(listing->count, sizeof(*follower.leads));
	follower.waiting = allocate(listing->count, sizeof(*follower.waiting));
	follower.queue = allocate(listing->count, sizeof(*follower.queue));
	follower.targets = allocate(listing->count, sizeof(*follower.targets));
	find_leads(&follower);
	/* Control may also come in at places to which no known path leads. */
	for (i = 0; i < listing->count; i++)
		if (follower.leads[i] && !follower.states[i]) {
			register_state_start(&unknown, i);
			arrive(&follower, i, &unknown);
			follow_all(&follower);
		}
	for (i = 0; i < listing->count; i++) {
		found |= follower.targets[i].count > 0;
		free(follower.states[i]);
	}
	found = found && follower.state_count < STATES_MAX;
	free(follower.states);
	free(follower.leads);
	free(follower.waiting);
	free(follower.queue);
	if (found)
		return follower.targets;
	code_targets_free(follower.targets, listing->count);
	return NULL;
}

void code_targets_free(struct code_targets *targets, size_t count)
{
	size_t i;

	for (i = 0; targets && i < count; i++)
		free(targets[i].list);
	free(targets);
}
