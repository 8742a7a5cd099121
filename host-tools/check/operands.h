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
	/*
	 * The number of the register, or of the base register if the operand is in memory. INSTRUCTION_NO_REGISTER: the
	 * operand has no register, or its register is a vector or system register.
	 */
	unsigned int number;
	unsigned int size; /* bytes */
	unsigned int shift; /* number of bits by which a constant was shifted */
	uint64_t value; /* the constant after the shift, or the offset that is added to the base register */
	bool changed; /* the instruction shifts or extends the register before it is used */
	bool indexed; /* a second register is added to the base register */
	bool vector;
	bool written;
};

/* The maximum number of operands: 16 registers and a base register. */
#define OPERANDS_MAX 17u

struct operands {
	const cs_insn *insn;
	struct operand operand[OPERANDS_MAX];
	unsigned int count;
	uint32_t read; /* the registers that are read, without the registers in addresses */
	uint32_t written;
	bool moves; /* the instruction also changes the base register of the address */
	bool conditional;
};

/* operands_get - disassembles the instruction at offset @at. Returns false if capstone does not know it. */
bool operands_get(struct operands *operands, const struct instruction_stream *stream, size_t at);

#endif
