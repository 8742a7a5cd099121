/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operands.h - disassembles one instruction with capstone, and gives its operands the same form on all machines.
 */
#ifndef BAREPROF_HOST_OPERANDS_H
#define BAREPROF_HOST_OPERANDS_H

#include "instruction.h"

#include <capstone/capstone.h>

struct operand {
	enum {
		OPERAND_OTHER,
		OPERAND_REGISTER,
		OPERAND_CONSTANT,
		OPERAND_MEMORY,
	} type;
	unsigned int
		number; /* of the register, or of the base of the address; INSTRUCTION_NO_REGISTER: has no number */
	unsigned int size; /* bytes */
	unsigned int shift; /* bits by which a constant is shifted */
	uint64_t value; /* of the constant, shifted; or what is added to the base */
	bool changed; /* the register is shifted or extended */
	bool indexed; /* another register is added to the base */
	bool vector;
	bool written;
};

/* At most as many operands are looked at: 16 registers and a base. */
#define OPERANDS_MAX 17u

struct operands {
	const cs_insn *insn;
	struct operand operand[OPERANDS_MAX];
	unsigned int count;
	uint32_t read; /* registers, except those in addresses */
	uint32_t written;
	bool moves; /* also changes the base of the address */
	bool conditional;
};

/* operands_bit - returns the bit of register @number, and 0 if it has none. */
static inline uint32_t operands_bit(unsigned int number)
{
	return number < 32 ? 1u << number : 0;
}

/* operands_get - disassembles the instruction at offset @at of the stream. Returns false if capstone does not know it. */
bool operands_get(struct operands *operands, const struct instruction_stream *stream, size_t at);

#endif
