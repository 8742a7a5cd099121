/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction.h - decodes one machine instruction: which registers it reads and writes, and from where. Knows
 * AArch64, Arm (A32 and Thumb) and x86_64. Only instructions that set up arguments or count are decoded in full.
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

/* Where instructions are. */
struct instruction_stream {
	const struct image *image;
	struct bytes bytes; /* of a function */
	uint64_t start; /* address of @bytes */
	bool thumb;
};

/*
 * instruction_decode - returns the instruction at offset @at of the stream, which must be smaller than its size.
 * instruction_known - returns whether the machine of @image is known.
 */
struct instruction instruction_decode(const struct instruction_stream *stream, size_t at);
bool instruction_known(const struct image *image);

/* The number of the stack pointer, and the numbers of the registers of the first four arguments. */
unsigned int instruction_stack_pointer(const struct image *image);
unsigned int instruction_argument(const struct image *image, unsigned int index);

/* Parts of instruction_decode(): @code is the instruction, @here its address. */
struct instruction instruction_aarch64(const struct image *image, uint32_t code, uint64_t here);
struct instruction instruction_a32(const struct image *image, uint32_t code, uint64_t here);
struct instruction instruction_thumb_narrow(const struct image *image, uint32_t code, uint64_t here);
struct instruction instruction_thumb_wide(const struct image *image, uint32_t first, uint32_t second, uint64_t here);
struct instruction instruction_x86_64(struct bytes rest, uint64_t here);

/* instruction_literal - returns the constant of @width bytes at @address, which an instruction loads to @to. */
struct instruction instruction_literal(
	const struct image *image, uint64_t address, unsigned int width, unsigned int to);

/* instruction_sign - extends the lowest @bits bits of @value with their sign. */
static inline uint64_t instruction_sign(uint64_t value, unsigned int bits)
{
	uint64_t top = 1ull << (bits - 1);

	return ((value & ((top << 1) - 1)) ^ top) - top;
}

#endif
