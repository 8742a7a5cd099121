/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction_a32.c - decodes A32, the 32-bit instructions of Arm. Those that are done under a condition are
 * not known, except branches.
 */
#include "instruction.h"

#define PC 15u

static uint32_t bit(uint32_t number)
{
	return 1u << (number & 15);
}

static uint32_t rotated(uint32_t code)
{
	unsigned int turn = (code >> 8 & 15) * 2;
	uint32_t byte = code & 0xff;

	return turn ? byte >> turn | byte << (32 - turn) : byte;
}

static struct instruction arithmetic(uint32_t code)
{
	bool immediate = code & 0x2000000;
	unsigned int operation = code >> 21 & 15;
	bool moved = operation == 13 || operation == 15;
	struct instruction result = {.kind = INSTRUCTION_ARITHMETIC,
		.size = 4,
		.to = code >> 12 & 15,
		.from = code >> 16 & 15,
		.written = bit(code >> 12),
		.data = (moved ? 0 : bit(code >> 16)) | (immediate ? 0 : bit(code))};

	if (operation >= 8 && operation < 12) {
		result.kind = INSTRUCTION_OTHER;
		result.written = 0;
	} else if (result.to == PC) {
		result.kind = INSTRUCTION_RETURN;
	} else if (immediate && moved) {
		result.kind = INSTRUCTION_CONSTANT;
		result.value = operation == 15 ? ~rotated(code) : rotated(code);
	} else if (immediate && (operation == 4 || operation == 2) && result.from != PC) {
		result.kind = INSTRUCTION_ADD;
		result.value = operation == 2 ? 0 - (uint64_t)rotated(code) : rotated(code);
	} else if (operation == 13 && !(code & 0xff0)) {
		result.kind = INSTRUCTION_ADD;
		result.from = code & 15;
	}
	return result;
}

/* Bits 23 and 24 are 2, and the flags are not set: moves of system registers and branches to registers. */
static struct instruction special(uint32_t code)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN, .size = 4};

	if ((code & 0x0ffffff0) == 0x012fff10) {
		result.kind = INSTRUCTION_RETURN;
		result.data = bit(code);
	} else if ((code & 0x0ffffff0) == 0x012fff30) {
		result.kind = INSTRUCTION_CALL;
	} else if ((code & 0x0fb000f0) == 0x01200000) {
		result.kind = INSTRUCTION_SYSTEM;
		result.data = bit(code);
	} else if ((code & 0x0fb000ff) == 0x01000000 || (code & 0x0fff0ff0) == 0x016f0f10) {
		result.kind = INSTRUCTION_OTHER;
		result.written = bit(code >> 12);
	}
	return result;
}

static struct instruction access(uint32_t code, uint32_t offset, bool load, uint32_t registers)
{
	struct instruction result = {.kind = load ? INSTRUCTION_LOAD : INSTRUCTION_STORE,
		.size = 4,
		.from = code >> 16 & 15,
		.written = load ? registers : 0,
		.data = load ? 0 : registers,
		.moves = !(code & 0x1000000) || code & 0x200000};

	if (load && registers & 1u << PC) {
		result.kind = INSTRUCTION_RETURN;
		result.data = 0;
	}
	if (code & 0x1000000)
		result.value = code & 0x800000 ? offset : 0 - (uint64_t)offset;
	return result;
}

/* Loads and stores of two registers, of half words, and exclusive ones. Multiplications are not known. */
static struct instruction extra(uint32_t code)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN, .size = 4};
	bool load = code & 0x100000;
	uint32_t registers = bit(code >> 12);
	unsigned int operation = code >> 5 & 3;

	if (!operation && (code & 0x0f800ff0) == 0x01800f90) {
		bool doubled = (code & 0x600000) == 0x200000;
		uint32_t stored = bit(code) | (doubled ? bit(code + 1) : 0);

		result = access(0x01000000 | (code & 0xf0000), 0, load,
			load ? registers | (doubled ? bit((code >> 12) + 1) : 0) : stored);
		result.written |= load ? 0 : registers;
		return result;
	}
	if (!operation)
		return result;
	if (!load && operation != 1) {
		load = operation == 2;
		registers |= bit((code >> 12) + 1);
	}
	result = access(code, (code >> 4 & 0xf0) | (code & 15), load, registers);
	result.indexed = !(code & 0x400000);
	return result;
}

static struct instruction several(uint32_t code)
{
	struct instruction result = access(code | 0x1000000, 0, code & 0x100000, code & 0xffff);

	result.moves = code & 0x200000;
	/* Before the first register, or after the last one: the address is that of one of them. */
	if (!(code & 0x800000))
		result.value = 0 - 4ull * (unsigned int)__builtin_popcount(code & 0xffff);
	return result;
}

static struct instruction branch(uint32_t code, uint64_t here)
{
	struct instruction result = {.kind = INSTRUCTION_BRANCH, .size = 4};

	result.value = (here + 8 + instruction_sign((uint64_t)(code & 0xffffff) << 2, 26)) & 0xffffffff;
	if (code >> 28 >= 14)
		result.kind = code >> 28 == 15 || code & 0x1000000 ? INSTRUCTION_CALL : INSTRUCTION_JUMP;
	if (code >> 28 == 15)
		result.value += code >> 23 & 2;
	return result;
}

/* The first three bits after the condition are 0 or 1: operands in registers or in the instruction. */
static struct instruction operands(uint32_t code)
{
	struct instruction result = {.kind = INSTRUCTION_CONSTANT,
		.size = 4,
		.to = code >> 12 & 15,
		.written = bit(code >> 12),
		.value = (code >> 4 & 0xf000) | (code & 0xfff)};

	if (!(code & 0x2000000) && (code & 0x90) == 0x90)
		return extra(code);
	if ((code & 0x0ff00000) == 0x03000000)
		return result;
	if ((code & 0x0ff00000) == 0x03400000) {
		result.kind = INSTRUCTION_INSERT;
		result.mask = 0xffff0000;
		result.value <<= 16;
		return result;
	}
	if ((code & 0x0d900000) == 0x01000000) {
		if (!(code & 0x2000000))
			return special(code);
		/* Hints, and constants for system registers */
		result.kind = INSTRUCTION_OTHER;
		result.written = 0;
		return result;
	}
	return arithmetic(code);
}

struct instruction instruction_a32(const struct image *image, uint32_t code, uint64_t here)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN, .size = 4};

	if ((code & 0x0e000000) == 0x0a000000)
		return branch(code, here);
	/* Barriers, prefetches, and cps, which masks interrupts */
	if (code >> 28 == 15 && ((code & 0xff00000) == 0x5700000 || (code & 0xff00000) == 0x1000000 ||
					(code & 0xd700000) == 0x5500000)) {
		result.kind = INSTRUCTION_OTHER;
		return result;
	}
	if (code >> 28 != 14)
		return result;
	switch (code >> 25 & 7) {
	case 0:
	case 1:
		return operands(code);
	case 2:
		if ((code & 0x0f7f0000) == 0x051f0000)
			return instruction_literal(image,
				here + 8 + (code & 0x800000 ? code & 0xfff : 0 - (uint64_t)(code & 0xfff)), 4,
				code >> 12 & 15);
		return access(code, code & 0xfff, code & 0x100000, bit(code >> 12));
	case 3:
		if (code & 0x10)
			return result;
		result = access(code, 0, code & 0x100000, bit(code >> 12));
		result.indexed = true;
		return result;
	case 4:
		return several(code);
	case 7:
		if ((code & 0x01000010) == 0x10) {
			result.kind = code & 0x100000 ? INSTRUCTION_OTHER : INSTRUCTION_SYSTEM;
			result.written = code & 0x100000 ? bit(code >> 12) : 0;
			result.data = code & 0x100000 ? 0 : bit(code >> 12);
		}
		return result;
	default:
		return result;
	}
}
