/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction.h - tells what one machine instruction does: which registers it reads, which registers it writes, and
 * where the written values come from. Knows AArch64, Arm (A32 and Thumb) and x86_64. capstone decodes the instruction.
 * From that, this module takes what `check` needs to follow arguments of calls and changes of counters.
 */
#ifndef BAREPROF_HOST_INSTRUCTION_H
#define BAREPROF_HOST_INSTRUCTION_H

#include "image.h"

enum instruction_kind {
	INSTRUCTION_UNKNOWN, /* may write any register, and may go on anywhere */
	INSTRUCTION_OTHER, /* writes @written with values that are not followed */
	INSTRUCTION_CONSTANT, /* @to is @value */
	INSTRUCTION_ADD, /* @to is @from plus @value */
	INSTRUCTION_SHIFT, /* @to is @from shifted left by @value */
	INSTRUCTION_INSERT, /* the bits @mask of @to are @value */
	INSTRUCTION_ARITHMETIC, /* @written depends on @data */
	INSTRUCTION_LOAD, /* @written comes from memory at @from plus @value */
	INSTRUCTION_STORE, /* @data goes to memory at @from plus @value */
	INSTRUCTION_SYSTEM, /* @data goes to a register of the system, such as the stack pointer of another mode */
	INSTRUCTION_CALL, /* to @value; 0: not known */
	INSTRUCTION_JUMP, /* to @value */
	INSTRUCTION_BRANCH, /* to @value, or on to the next instruction */
	INSTRUCTION_RETURN, /* to an address in @data, or the code ends here */
};

/* The index of a register in @from that stands for no register: @value alone is the address. */
#define INSTRUCTION_NO_REGISTER 32u

/* instruction_bit - returns the bit of register @number in a set of registers, or 0 for INSTRUCTION_NO_REGISTER. */
static inline uint32_t instruction_bit(unsigned int number)
{
	return number < INSTRUCTION_NO_REGISTER ? 1u << number : 0;
}

struct instruction {
	enum instruction_kind kind;
	size_t size; /* bytes; 0: the end of the instruction is not known */
	unsigned int to; /* a register, by its number in the encoding */
	unsigned int from;
	uint64_t value;
	uint64_t mask;
	uint32_t written; /* registers, 1 << number */
	uint32_t data;
	bool indexed; /* the address of a load or store also depends on another register */
	bool moves; /* a load or store also changes @from */
	bool updates; /* a load also changes the memory */
};

/* Decodes the instructions of one image. */
struct instruction_decoder;

/* Where instructions are. */
struct instruction_stream {
	const struct image *image;
	struct instruction_decoder *decoder; /* of @image */
	struct bytes bytes; /* of a function */
	uint64_t start; /* address of @bytes */
	bool thumb;
};

/*
 * instruction_open - returns a decoder for @image, or NULL if its machine is not known.
 * instruction_close - frees it. It may be NULL.
 */
struct instruction_decoder *instruction_open(const struct image *image);
void instruction_close(struct instruction_decoder *decoder);

/*
 * instruction_decode - returns the instruction at offset @at of the stream, which must be smaller than its size.
 * instruction_known - returns whether the machine of @image is known.
 */
struct instruction instruction_decode(const struct instruction_stream *stream, size_t at);
bool instruction_known(const struct image *image);

/* The number of the stack pointer, and the numbers of the registers of the first four arguments. */
unsigned int instruction_stack_pointer(const struct image *image);
unsigned int instruction_argument(const struct image *image, unsigned int index);

#endif
