/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction_aarch64.c - decodes AArch64. Register 31 is the stack pointer; the zero register has no number.
 */
#include "instruction.h"

#define ZERO 31u

/* Returns the bit of register @number, and 0 for the zero register. */
static uint32_t bit(uint32_t number)
{
	return (number & 31) == ZERO ? 0 : 1u << (number & 31);
}

static struct instruction branch(uint32_t code, uint64_t here)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN, .size = 4};

	if ((code & 0x7c000000) == 0x14000000) {
		result.kind = code >> 31 ? INSTRUCTION_CALL : INSTRUCTION_JUMP;
		result.value = here + instruction_sign((uint64_t)(code & 0x3ffffff) << 2, 28);
	} else if ((code & 0xff000010) == 0x54000000 || (code & 0x7e000000) == 0x34000000) {
		result.kind = INSTRUCTION_BRANCH;
		result.value = here + instruction_sign((uint64_t)(code >> 5 & 0x7ffff) << 2, 21);
	} else if ((code & 0x7e000000) == 0x36000000) {
		result.kind = INSTRUCTION_BRANCH;
		result.value = here + instruction_sign((uint64_t)(code >> 5 & 0x3fff) << 2, 16);
	} else if ((code & 0xfffffc1f) == 0xd63f0000) {
		result.kind = INSTRUCTION_CALL;
	} else if ((code & 0xfe000000) == 0xd6000000 || (code & 0xffe00000) == 0xd4200000) {
		result.kind = INSTRUCTION_RETURN;
		result.data = (code & 0xfffffc1f) == 0xd61f0000 ? bit(code >> 5) : 0;
	} else if ((code & 0xfff00000) == 0xd5100000) {
		result.kind = INSTRUCTION_SYSTEM;
		result.data = bit(code);
	} else if ((code & 0xff000000) == 0xd5000000) {
		result.kind = INSTRUCTION_OTHER;
		result.written = code & 0x200000 ? bit(code) : 0;
	}
	return result;
}

/* The operand is in the instruction: additions, constants, addresses. */
static struct instruction immediate(uint32_t code, uint64_t here)
{
	uint64_t near = instruction_sign((code >> 5 & 0x7ffff) << 2 | (code >> 29 & 3), 21);
	uint64_t half = code >> 5 & 0xffff;
	unsigned int shift = (code >> 21 & 3) * 16;
	struct instruction result = {
		.kind = INSTRUCTION_CONSTANT, .size = 4, .to = code & 31, .from = code >> 5 & 31, .written = bit(code)};

	if ((code & 0x9f000000) == 0x90000000) {
		result.value = (here & ~0xfffull) + (near << 12);
	} else if ((code & 0x9f000000) == 0x10000000) {
		result.value = here + near;
	} else if ((code & 0x1f800000) == 0x11000000) {
		result.kind = INSTRUCTION_ADD;
		result.value = (uint64_t)(code >> 10 & 0xfff) << (code & 0x400000 ? 12 : 0);
		result.value = code >> 30 & 1 ? 0 - result.value : result.value;
		result.written = 1u << result.to;
		/* With flags, the zero register takes the result. Without them it is the stack pointer. */
		if (code >> 29 & 1 && result.to == ZERO) {
			result.kind = INSTRUCTION_OTHER;
			result.written = 0;
		}
	} else if ((code & 0x7f800000) == 0x52800000) {
		result.value = half << shift;
	} else if ((code & 0x7f800000) == 0x12800000) {
		result.value = ~(half << shift) & (code >> 31 ? ~0ull : 0xffffffff);
	} else if ((code & 0x7f800000) == 0x72800000) {
		result.kind = INSTRUCTION_INSERT;
		result.mask = 0xffffull << shift;
		result.value = half << shift;
	} else {
		result.kind = INSTRUCTION_ARITHMETIC;
		result.data = bit(code >> 5);
		/* and, orr and eor can write the stack pointer, ands cannot. */
		if ((code & 0x1f800000) == 0x12000000 && (code >> 29 & 3) != 3)
			result.written = 1u << result.to;
	}
	return result;
}

static struct instruction registers(uint32_t code)
{
	struct instruction result = {.kind = INSTRUCTION_ARITHMETIC,
		.size = 4,
		.to = code & 31,
		.from = code >> 16 & 31,
		.data = bit(code >> 5) | bit(code >> 16) | ((code & 0x1f000000) == 0x1b000000 ? bit(code >> 10) : 0),
		.written = (code & 0x1fe00000) == 0x0b200000 ? 1u << (code & 31) : bit(code)};

	/* mov is orr with the zero register */
	if ((code & 0xffe0ffe0) == 0xaa0003e0 && result.from != ZERO && result.to != ZERO)
		result.kind = INSTRUCTION_ADD;
	return result;
}

static struct instruction pair(uint32_t code)
{
	unsigned int scale = code >> 31 ? 3 : 2;
	struct instruction result = {.kind = code & 0x400000 ? INSTRUCTION_LOAD : INSTRUCTION_STORE,
		.size = 4,
		.from = code >> 5 & 31,
		.moves = code & 0x800000};
	uint32_t both = code & 0x4000000 ? 0 : bit(code) | bit(code >> 10);

	/* Vectors have other sizes, so their addresses are not known. */
	result.indexed = code & 0x4000000;
	result.value = instruction_sign(code >> 15, 7) << scale;
	if ((code & 0x1800000) == 0x800000)
		result.value = 0;
	result.written = result.kind == INSTRUCTION_LOAD ? both : 0;
	result.data = result.kind == INSTRUCTION_STORE ? both : 0;
	return result;
}

static struct instruction single(uint32_t code)
{
	unsigned int scale = code >> 30;
	bool vector = code & 0x4000000;
	uint32_t one = vector ? 0 : bit(code);
	bool load = code & 0xc00000;
	struct instruction result = {.size = 4, .from = code >> 5 & 31, .indexed = vector};

	result.kind = load ? INSTRUCTION_LOAD : INSTRUCTION_STORE;
	if ((code & 0x3b000000) == 0x39000000) {
		result.value = (uint64_t)(code >> 10 & 0xfff) << scale;
	} else if (!(code & 0x200000)) {
		result.moves = code & 0x400;
		result.value = (code & 0xc00) == 0x400 ? 0 : instruction_sign(code >> 12, 9);
	} else if ((code & 0xc00) == 0x800) {
		result.indexed = true;
	} else {
		/* An atomic addition loads the value that was there before, and stores the sum. */
		result.kind = INSTRUCTION_LOAD;
		result.updates = true;
		load = true;
	}
	result.written = load ? one : 0;
	result.data = load ? 0 : one;
	return result;
}

/* Exclusive loads and stores, for one register. */
static struct instruction exclusive(uint32_t code)
{
	struct instruction result = {.kind = INSTRUCTION_STORE,
		.size = 4,
		.from = code >> 5 & 31,
		.data = bit(code),
		.written = code & 0x800000 ? 0 : bit(code >> 16)};

	if (code & 0x200000)
		return (struct instruction){.kind = INSTRUCTION_UNKNOWN, .size = 4};
	if (code & 0x400000) {
		result.kind = INSTRUCTION_LOAD;
		result.written = bit(code);
		result.data = 0;
	}
	return result;
}

struct instruction instruction_aarch64(const struct image *image, uint32_t code, uint64_t here)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN, .size = 4};

	switch (code >> 25 & 15) {
	case 8:
	case 9:
		return immediate(code, here);
	case 10:
	case 11:
		return branch(code, here);
	case 5:
	case 13:
		return registers(code);
	case 7:
	case 15:
		/* Moves from vectors write a register, other instructions do not. */
		result.kind = INSTRUCTION_OTHER;
		result.written = bit(code);
		return result;
	default:
		break;
	}
	if ((code & 0x3b000000) == 0x18000000 && (code & 0x4000000) == 0 && code >> 30 < 2)
		return instruction_literal(image, here + instruction_sign((uint64_t)(code >> 5 & 0x7ffff) << 2, 21),
			code >> 30 ? 8 : 4, code & 31);
	if ((code & 0x3a000000) == 0x28000000)
		return pair(code);
	if ((code & 0x3a000000) == 0x38000000)
		return single(code);
	if ((code & 0x3f000000) == 0x08000000)
		return exclusive(code);
	return result;
}
