/* SPDX-License-Identifier: BSD-2-Clause */
/* register_state.c - executes instructions with numbers that are partly known. */
#include "register_state.h"

#include <elf.h>

/* The id of a number tells where it was made: by an instruction, or where paths meet. */
#define ID_PLACE(place) (((uint64_t)(place) + 1) << 8)
#define ID_MEETS        0x80u

static uint64_t made_by(size_t place, unsigned int reg)
{
	return ID_PLACE(place) | reg;
}

void register_state_start(struct register_state *state, size_t place)
{
	unsigned int reg;

	*state = (struct register_state){0};
	for (reg = 0; reg < CODE_REGISTERS; reg++)
		state->registers[reg] = code_unknown(made_by(place, reg) | ID_MEETS, UINT64_MAX);
}

void register_state_settle(struct register_state *state)
{
	unsigned int reg;

	for (reg = 0; state->maybe; reg++, state->maybe >>= 1)
		if (state->maybe & 1)
			state->registers[reg] = code_unknown(0, UINT64_MAX);
}

/* The number of bits of a register, and of numbers in it. */
static uint64_t largest(const struct image *image)
{
	return image->machine == EM_ARM ? UINT32_MAX : UINT64_MAX;
}

static struct code_value cut(struct code_value value, const struct image *image)
{
	uint64_t most = largest(image);

	if (value.kind == CODE_CONSTANT)
		value.add &= most;
	else if (value.kind == CODE_INDEX && value.limit > most >> value.right)
		value.limit = most >> value.right;
	return value;
}

/* Returns the value of @operand before instruction number @place. */
static struct code_value get(const struct register_state *state, struct code_operand operand, const struct image *image)
{
	struct code_value value;
	uint64_t most;

	if (operand.reg >= CODE_REGISTERS)
		return code_constant(0);
	if (state->maybe >> operand.reg & 1)
		return cut(code_unknown(0, UINT64_MAX), image);
	value = cut(state->registers[operand.reg], image);
	if (!operand.bits)
		return value;
	most = UINT64_MAX >> (64 - operand.bits);
	if (value.kind == CODE_ENTRY && value.width * 8 == operand.bits && !value.add && !value.left) {
		value.is_signed = operand.is_signed;
		return value;
	}
	if (operand.is_signed) {
		/* A number whose sign bit is 0 stays the same. */
		if (value.kind == CODE_INDEX && operand.bits == 32)
			value = code_low(value, 0);
		return value.kind == CODE_INDEX && !value.add && !value.left && value.limit <= most / 2
		               ? value
		               : code_unknown(0, UINT64_MAX);
	}
	return operand.bits == 32 ? code_low(value, 0) : code_mask(value, most, 0);
}

/* Reads a constant that the compiler has put beside the code. */
static struct code_value read_literal(
	const struct image *image, uint64_t address, const struct code_effect *effect, uint64_t id)
{
	const struct image_section *section = image_where(image, address, effect->width);
	struct bytes bytes;

	if (!section || !section->executable || effect->is_signed ||
		!bytes_slice(image_content(image, section), address - section->address, effect->width, &bytes))
		return code_unknown(id, UINT64_MAX);
	return code_constant(load_uint(bytes.data, effect->width, image->big));
}

static struct code_value load(
	const struct code_effect *effect, struct code_value address, const struct image *image, uint64_t id)
{
	struct code_value loaded;

	if (address.kind == CODE_CONSTANT)
		loaded = read_literal(image, address.add & largest(image), effect, id);
	else
		loaded = code_load(address, effect->width, effect->is_signed, id);
	return code_add(code_constant(effect->after), loaded, effect->after_shift, false, id);
}

/* Returns the value that the instruction gives to its target. */
static struct code_value compute(
	const struct register_state *state, const struct code_effect *effect, const struct image *image, uint64_t id)
{
	struct code_value left = get(state, effect->left, image);
	struct code_value right = get(state, effect->right, image);
	uint64_t mask;

	switch (effect->operation) {
	case CODE_ADD:
	case CODE_LOAD:
		right = code_add(code_constant(effect->number), right, effect->shift,
			effect->narrow && effect->operation == CODE_ADD, id);
		left = code_add(left, right, 0, effect->narrow && effect->operation == CODE_ADD, id);
		return effect->operation == CODE_ADD ? left : load(effect, left, image, id);
	case CODE_SHIFT_RIGHT:
		return code_right(left, effect->shift, id);
	case CODE_BITS:
		right = code_add(code_constant(effect->number), right, 0, false, id);
		return right.kind == CODE_CONSTANT ? code_mask(code_right(left, effect->shift, id), right.add, id)
		                                   : code_unknown(id, UINT64_MAX);
	case CODE_INSERT:
		mask = (uint64_t)UINT16_MAX << effect->shift;
		return left.kind == CODE_CONSTANT ? code_constant((left.add & ~mask) | effect->number << effect->shift)
		                                  : code_unknown(id, UINT64_MAX);
	default:
		return code_unknown(id, UINT64_MAX);
	}
}

/* The instruction makes new numbers. The numbers that it made when it was executed before lose their ids. */
static void forget_before(struct register_state *state, size_t place)
{
	unsigned int reg;
	uint64_t id;

	for (reg = 0; reg < CODE_REGISTERS; reg++) {
		id = state->registers[reg].id & ~CODE_LOW;
		if (id >= ID_PLACE(place) && id < ID_PLACE(place + 1) && !(id & ID_MEETS))
			state->registers[reg].id = 0;
	}
	id = state->left.id & ~CODE_LOW;
	if (id >= ID_PLACE(place) && id < ID_PLACE(place + 1) && !(id & ID_MEETS))
		state->compared = false;
}

static void compare(
	struct register_state *state, const struct code_effect *effect, const struct image *image, size_t place)
{
	struct code_value left = get(state, effect->left, image);
	struct code_value right = get(state, effect->right, image);

	/* What the code compares is a number of its own, and not computed from another index. */
	if (left.kind == CODE_INDEX && (!left.id || left.add || left.left) && effect->left.reg < CODE_REGISTERS) {
		state->registers[effect->left.reg] = code_unknown(made_by(place, effect->left.reg), UINT64_MAX);
		left = get(state, effect->left, image);
	}
	right = cut(code_add(code_constant(effect->number), right, effect->shift, false, 0), image);
	state->compared = right.kind == CODE_CONSTANT;
	state->left = left;
	state->right = right.add;
	/* Comparing a part of a register compares only these bits. */
	if (effect->left.bits == 32)
		state->right = (uint32_t)state->right;
}

struct code_value register_state_step(
	struct register_state *state, const struct code_effect *effect, const struct image *image, size_t place)
{
	uint64_t id = made_by(place, effect->target);
	struct code_value value = code_unknown(0, UINT64_MAX);
	unsigned int reg;

	if (effect->operation != CODE_NOTHING && effect->operation != CODE_COMPARE)
		value = cut(compute(state, effect, image, id), image);
	/* A part of a number is a number of its own. */
	if (value.kind == CODE_INDEX && !value.id && !value.add && !value.left) {
		value.id = id;
		value.right = 0;
	}
	/* The old value of a register may be needed where the condition does not hold. */
	if (effect->condition != CODE_ALWAYS && effect->target != CODE_PC && !effect->branches) {
		if (state->maybe && state->condition != effect->condition)
			register_state_settle(state);
		state->maybe |= effect->clobbers;
		state->condition = effect->condition;
		if (effect->sets_flags || effect->operation == CODE_COMPARE) {
			register_state_settle(state);
			state->compared = false;
		}
		return value;
	}
	if (effect->sets_flags || effect->operation == CODE_COMPARE)
		register_state_settle(state);
	forget_before(state, place);
	if (effect->operation == CODE_COMPARE)
		compare(state, effect, image, place);
	else if (effect->sets_flags)
		state->compared = false;
	for (reg = 0; reg < CODE_REGISTERS; reg++)
		if (effect->clobbers >> reg & 1)
			state->registers[reg] = code_unknown(made_by(place, reg), UINT64_MAX);
	state->maybe &= ~effect->clobbers;
	if (effect->target < CODE_REGISTERS && effect->operation != CODE_COMPARE && effect->operation != CODE_NOTHING)
		state->registers[effect->target] = value;
	return value;
}

static enum code_condition opposite(enum code_condition condition)
{
	static const enum code_condition opposites[] = {
		[CODE_ALWAYS] = CODE_OTHER,
		[CODE_ABOVE] = CODE_AT_MOST,
		[CODE_AT_MOST] = CODE_ABOVE,
		[CODE_AT_LEAST] = CODE_BELOW,
		[CODE_BELOW] = CODE_AT_LEAST,
		[CODE_EQUAL] = CODE_NOT_EQUAL,
		[CODE_NOT_EQUAL] = CODE_EQUAL,
		[CODE_OTHER] = CODE_OTHER,
	};

	return opposites[condition];
}

void register_state_assume(struct register_state *state, enum code_condition condition, bool holds)
{
	uint64_t limit = state->right;
	unsigned int reg;

	if (state->maybe && !holds && condition == state->condition && condition != CODE_OTHER)
		state->maybe = 0;
	if (!holds)
		condition = opposite(condition);
	if (!state->compared || (condition != CODE_AT_MOST && condition != CODE_BELOW && condition != CODE_EQUAL))
		return;
	if (condition == CODE_BELOW && !limit--)
		return;
	for (reg = 0; reg < CODE_REGISTERS; reg++)
		code_at_most(&state->registers[reg], &state->left, limit);
}

bool register_state_join(struct register_state *state, const struct register_state *other, size_t place)
{
	struct register_state arriving = *other;
	bool changed = false;
	unsigned int reg;

	register_state_settle(&arriving);
	for (reg = 0; reg < CODE_REGISTERS; reg++) {
		struct code_value joined =
			code_join(&state->registers[reg], &arriving.registers[reg], made_by(place, reg) | ID_MEETS);

		changed |= !code_same(&joined, &state->registers[reg]);
		state->registers[reg] = joined;
	}
	if (state->compared && (!arriving.compared || !code_same(&state->left, &arriving.left) || !state->left.id ||
				       state->right != arriving.right)) {
		state->compared = false;
		changed = true;
	}
	return changed;
}
