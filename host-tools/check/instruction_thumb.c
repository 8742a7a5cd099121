/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction_thumb.c - decodes Thumb. An it block makes the instructions after it depend on a condition, so
 * `it` counts as a branch to an address that is not known.
 */
#include "instruction.h"

#define SP 13u
#define LR 14u
#define PC 15u

static uint32_t bit(uint32_t number)
{
	return 1u << (number & 15);
}

static struct instruction access(bool load, unsigned int from, uint64_t value, uint32_t registers)
{
	struct instruction result = {.kind = load ? INSTRUCTION_LOAD : INSTRUCTION_STORE,
		.size = 2,
		.from = from,
		.value = value,
		.written = load ? registers : 0,
		.data = load ? 0 : registers};

	if (load && registers & 1u << PC)
		result.kind = INSTRUCTION_RETURN;
	return result;
}

static struct instruction arithmetic(unsigned int to, uint32_t data)
{
	return (struct instruction){
		.kind = INSTRUCTION_ARITHMETIC, .size = 2, .to = to, .written = bit(to), .data = data};
}

static struct instruction add(unsigned int to, unsigned int from, uint64_t value)
{
	return (struct instruction){
		.kind = INSTRUCTION_ADD, .size = 2, .to = to, .from = from, .value = value, .written = bit(to)};
}

static struct instruction constant(unsigned int to, uint64_t value)
{
	return (struct instruction){
		.kind = INSTRUCTION_CONSTANT, .size = 2, .to = to, .value = value, .written = bit(to)};
}

static struct instruction plain(enum instruction_kind kind)
{
	return (struct instruction){.kind = kind, .size = 2};
}

/* Codes below 0x4000: shifts, and operands in the instruction. */
static struct instruction small(uint32_t code)
{
	unsigned int low = code & 7;
	unsigned int middle = code >> 3 & 7;
	unsigned int high = code >> 8 & 7;
	struct instruction result;

	switch (code >> 11) {
	case 0:
		result = add(low, middle, code >> 6 & 31);
		result.kind = INSTRUCTION_SHIFT;
		return result;
	case 3:
		if (!(code & 0x400))
			return arithmetic(low, bit(middle) | bit(code >> 6 & 7));
		return add(low, middle, code & 0x200 ? 0 - (uint64_t)(code >> 6 & 7) : code >> 6 & 7);
	case 4:
		return constant(high, code & 0xff);
	case 5:
		return plain(INSTRUCTION_OTHER);
	case 6:
		return add(high, high, code & 0xff);
	case 7:
		return add(high, high, 0 - (uint64_t)(code & 0xff));
	default:
		return arithmetic(low, bit(middle));
	}
}

/* Codes from 0x4000: operands in registers, branches to registers. */
static struct instruction registers(uint32_t code)
{
	unsigned int to = (code & 7) | (code >> 4 & 8);
	unsigned int from = code >> 3 & 15;
	unsigned int operation = code >> 6 & 15;
	struct instruction result;

	if (code < 0x4400) {
		if (operation == 8 || operation == 10 || operation == 11)
			return plain(INSTRUCTION_OTHER);
		return arithmetic(code & 7, bit(code & 7) * (operation != 9 && operation != 15) | bit(from & 7));
	}
	result = code & 0x200 ? add(to, from, 0) : arithmetic(to, bit(to) | bit(from));
	if ((code & 0x300) == 0x100)
		return plain(INSTRUCTION_OTHER);
	if ((code & 0x300) == 0x300 && code & 0x80)
		return plain(INSTRUCTION_CALL);
	if ((code & 0x300) == 0x300 || to == PC) {
		result = plain(INSTRUCTION_RETURN);
		result.data = bit(from);
	}
	return result;
}

/* Codes from 0xb000 */
static struct instruction miscellaneous(uint32_t code)
{
	uint64_t offset = (uint64_t)(code & 0x7f) << 2;
	uint32_t list = (code & 0xff) | (code & 0x100 ? bit(code & 0x800 ? PC : LR) : 0);
	struct instruction result;

	switch (code >> 8 & 15) {
	case 0:
		return add(SP, SP, code & 0x80 ? 0 - offset : offset);
	case 4:
	case 5:
		result = access(false, SP, 0 - 4ull * (unsigned int)__builtin_popcount(list), list);
		result.moves = true;
		return result;
	case 12:
	case 13:
		result = access(true, SP, 0, list);
		result.moves = true;
		return result;
	case 1:
	case 3:
	case 9:
	case 11:
		return plain(INSTRUCTION_BRANCH);
	case 2:
	case 10:
		return arithmetic(code & 7, bit(code >> 3 & 7));
	case 6:
		return plain(INSTRUCTION_OTHER);
	case 14:
		return plain(INSTRUCTION_RETURN);
	case 15:
		return plain(code & 15 ? INSTRUCTION_BRANCH : INSTRUCTION_OTHER);
	default:
		return plain(INSTRUCTION_UNKNOWN);
	}
}

struct instruction instruction_thumb_narrow(const struct image *image, uint32_t code, uint64_t here)
{
	unsigned int low = code & 7;
	unsigned int middle = code >> 3 & 7;
	unsigned int high = code >> 8 & 7;
	uint64_t five = code >> 6 & 31;
	bool load = code & 0x800;
	struct instruction result;

	if (code < 0x4000)
		return small(code);
	if (code < 0x4800)
		return registers(code);
	switch (code >> 12) {
	case 4:
		result = instruction_literal(image, ((here + 4) & ~3ull) + (code & 0xff) * 4, 4, high);
		result.size = 2;
		return result;
	case 5:
		result = access((code >> 9 & 7) > 2, middle, 0, bit(low));
		result.indexed = true;
		return result;
	case 6:
		return access(load, middle, five << 2, bit(low));
	case 7:
		return access(load, middle, five, bit(low));
	case 8:
		return access(load, middle, five << 1, bit(low));
	case 9:
		return access(load, SP, (uint64_t)(code & 0xff) << 2, bit(high));
	case 10:
		return load ? add(high, SP, (uint64_t)(code & 0xff) << 2)
		            : constant(high, ((here + 4) & ~3ull) + (code & 0xff) * 4);
	case 11:
		return miscellaneous(code);
	case 12:
		result = access(load, high, 0, code & 0xff);
		result.moves = true;
		return result;
	case 13:
		result = plain(high == 7 && load ? INSTRUCTION_UNKNOWN : INSTRUCTION_BRANCH);
		if ((code & 0xf00) == 0xe00)
			result.kind = INSTRUCTION_RETURN;
		result.value = (here + 4 + instruction_sign((code & 0xff) << 1, 9)) & 0xffffffff;
		return result;
	default:
		result = plain(INSTRUCTION_JUMP);
		result.value = (here + 4 + instruction_sign((code & 0x7ff) << 1, 12)) & 0xffffffff;
		return result;
	}
}

/* A constant of 12 bits, which stands for 32. */
static uint32_t expanded(uint32_t first, uint32_t second)
{
	uint32_t code = (first & 0x400) << 1 | (second >> 4 & 0x700) | (second & 0xff);
	uint32_t byte = code & 0xff;
	unsigned int turn = code >> 7;

	switch (code >> 8) {
	case 0:
		return byte;
	case 1:
		return byte << 16 | byte;
	case 2:
		return byte << 24 | byte << 8;
	case 3:
		return byte * 0x01010101u;
	default:
		byte = (byte & 0x7f) | 0x80;
		return byte >> turn | byte << (32 - turn);
	}
}

static struct instruction wide_branch(uint32_t first, uint32_t second, uint64_t here)
{
	uint32_t s = first >> 10 & 1;
	uint32_t i1 = !((second >> 13 & 1) ^ s);
	uint32_t i2 = !((second >> 11 & 1) ^ s);
	uint64_t offset = (uint64_t)s << 24 | i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
	struct instruction result = plain(INSTRUCTION_BRANCH);

	if (second & 0x1000 || second & 0x4000) {
		result.kind = second & 0x4000 ? INSTRUCTION_CALL : INSTRUCTION_JUMP;
		if (!(second & 0x1000))
			here &= ~3ull;
		result.value = (here + 4 + instruction_sign(offset, 25)) & 0xfffffffe;
	} else if ((first & 0xffe0) == 0xf380) {
		result.kind = INSTRUCTION_SYSTEM;
		result.data = bit(first);
	} else if ((first & 0xffe0) == 0xf3e0) {
		result.kind = INSTRUCTION_OTHER;
		result.written = bit(second >> 8);
	} else if ((first & 0xfff0) == 0xf3a0 || (first & 0xfff0) == 0xf3b0) {
		result.kind = INSTRUCTION_OTHER;
	} else if ((first & 0x380) == 0x380) {
		result.kind = INSTRUCTION_UNKNOWN;
	} else {
		offset = (uint64_t)s << 20 | (second & 0x800) << 8 | (second & 0x2000) << 5 | (first & 0x3f) << 12 |
		         (second & 0x7ff) << 1;
		result.value = (here + 4 + instruction_sign(offset, 21)) & 0xffffffff;
	}
	return result;
}

static struct instruction immediate(uint32_t first, uint32_t second)
{
	unsigned int operation = first >> 5 & 15;
	unsigned int from = first & 15;
	unsigned int to = second >> 8 & 15;
	uint64_t half = (uint64_t)(first & 15) << 12 | (first & 0x400) << 1 | (second >> 4 & 0x700) | (second & 0xff);
	uint64_t value = first & 0x200 ? half & 0xfff : expanded(first, second);
	struct instruction result = arithmetic(to, bit(from));

	if ((first & 0xfbf0) == 0xf240)
		return constant(to, half);
	if ((first & 0xfbf0) == 0xf2c0) {
		result = constant(to, half << 16);
		result.kind = INSTRUCTION_INSERT;
		result.mask = 0xffff0000;
		return result;
	}
	if (first & 0x200)
		return (operation != 0 && operation != 5) || from == PC ? result
		                                                        : add(to, from, operation ? 0 - value : value);
	if (to == PC)
		return plain(INSTRUCTION_OTHER);
	if (operation == 2 && from == PC)
		return constant(to, value);
	if (operation == 3 && from == PC)
		return constant(to, ~(uint32_t)value);
	if (operation == 8 || operation == 13)
		return add(to, from, operation == 13 ? 0 - value : value);
	return result;
}

/* Loads and stores of one register */
static struct instruction single(const struct image *image, uint32_t first, uint32_t second, uint64_t here)
{
	bool load = first & 0x10;
	unsigned int from = first & 15;
	unsigned int to = second >> 12;
	struct instruction result = access(load, from, 0, bit(to));

	if (from == PC && load && (first & 0xff7f) == 0xf85f)
		return instruction_literal(image,
			((here + 4) & ~3ull) + (first & 0x80 ? second & 0xfff : 0 - (uint64_t)(second & 0xfff)), 4, to);
	if (to == PC && (first & 0x60) != 0x40)
		return plain(INSTRUCTION_OTHER); /* a prefetch */
	if (first & 0x80) {
		result.value = second & 0xfff;
	} else if (second & 0x800) {
		result.moves = second & 0x100;
		if (second & 0x400)
			result.value = second & 0x200 ? second & 0xff : 0 - (uint64_t)(second & 0xff);
	} else {
		result.indexed = true;
	}
	return result;
}

/* Loads and stores of several registers, and exclusive ones */
static struct instruction several(uint32_t first, uint32_t second)
{
	bool load = first & 0x10;
	unsigned int from = first & 15;
	uint64_t offset = (uint64_t)(second & 0xff) << 2;
	struct instruction result = access(load, from, 0, second);

	if (first & 0x40) {
		if (!(first & 0x120)) {
			return plain(INSTRUCTION_UNKNOWN);
		}
		result = access(load, from, 0, bit(second >> 12) | bit(second >> 8));
		result.moves = first & 0x20;
		if (first & 0x100)
			result.value = first & 0x80 ? offset : 0 - offset;
		return result;
	}
	result.moves = first & 0x20;
	if (first & 0x100)
		result.value = 0 - 4ull * (unsigned int)__builtin_popcount(second);
	return result;
}

static struct instruction wide(const struct image *image, uint32_t first, uint32_t second, uint64_t here)
{
	unsigned int to = second >> 8 & 15;
	unsigned int from = first & 15;

	if ((first & 0xf800) == 0xf000)
		return second & 0x8000 ? wide_branch(first, second, here) : immediate(first, second);
	if ((first & 0xfe00) == 0xea00) {
		if ((first & 0xffef) == 0xea4f && !(second & 0x70f0))
			return add(to, second & 15, 0);
		if (to == PC)
			return plain(INSTRUCTION_OTHER);
		return arithmetic(to, bit(second) | (from == PC ? 0 : bit(from)));
	}
	if ((first & 0xff00) == 0xf800 || (first & 0xff00) == 0xf900)
		return single(image, first, second, here);
	if ((first & 0xfe00) == 0xe800)
		return several(first, second);
	if ((first & 0xff00) == 0xfa00)
		return arithmetic(to, bit(from) | bit(second));
	return plain(INSTRUCTION_UNKNOWN);
}

struct instruction instruction_thumb_wide(const struct image *image, uint32_t first, uint32_t second, uint64_t here)
{
	struct instruction result = wide(image, first, second, here);

	result.size = 4;
	return result;
}
