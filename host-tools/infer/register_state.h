/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * register_state.h - what is known of all registers at an instruction, and how the instruction changes it.
 */
#ifndef BAREPROF_HOST_REGISTER_STATE_H
#define BAREPROF_HOST_REGISTER_STATE_H

#include "code_effect.h"
#include "code_value.h"

struct register_state {
	struct code_value registers[CODE_REGISTERS];
	bool compared; /* the flags are those of comparing @left with @right */
	struct code_value left;
	uint64_t right;
	/* These registers have changed if @condition holds, and have the described value if it does not. */
	uint64_t maybe;
	enum code_condition condition;
};

/* register_state_start - nothing is known. @place: tells different places apart. */
void register_state_start(struct register_state *state, size_t place);

/*
 * register_state_step - executes instruction number @place. If this is a conditional jump, it is taken. Returns
 * the target of a jump by a table; otherwise the value has no meaning.
 */
struct code_value register_state_step(
	struct register_state *state, const struct code_effect *effect, const struct image *image, size_t place);

/* register_state_assume - @condition holds, or does not, as @holds says. */
void register_state_assume(struct register_state *state, enum code_condition condition, bool holds);

/* register_state_settle - forgets the old values of registers that may have changed. */
void register_state_settle(struct register_state *state);

/*
 * register_state_join - control comes to instruction number @place with @other, too. Returns whether that changes
 * @state.
 */
bool register_state_join(struct register_state *state, const struct register_state *other, size_t place);

#endif
