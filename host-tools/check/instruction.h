/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction.h - tells what one machine instruction does: which registers it reads, which registers it writes, and
 * where the written values come from. capstone decodes the instruction. This module keeps only what `check` needs to
 * follow the arguments of calls and the changes of counters. It knows AArch64, Arm (A32 and Thumb) and x86_64.
 */
#ifndef BAREPROF_HOST_INSTRUCTION_H
#define BAREPROF_HOST_INSTRUCTION_H

#include "image.h"

enum instruction_kind {
	INSTRUCTION_UNKNOWN, /* not understood: any register may change, and any code may run next */
	INSTRUCTION_OTHER, /* the registers @written get values that are not followed */
	INSTRUCTION_CONSTANT, /* register @to gets the number @value */
	INSTRUCTION_ADD, /* register @to gets the value of register @from plus @value */
	INSTRUCTION_SHIFT, /* register @to gets the value of register @from, shifted left by @value bits */
	INSTRUCTION_INSERT, /* the bits @mask of register @to become @value; the other bits do not change */
	INSTRUCTION_ARITHMETIC, /* the registers @written get values that are computed from the registers @data */
	INSTRUCTION_LOAD, /* loads the registers @written from memory at the value of register @from plus @value */
	INSTRUCTION_STORE, /* stores the registers @data in memory at the value of register @from plus @value */
	INSTRUCTION_SYSTEM, /* copies @data to a system register, such as the stack pointer of another mode */
	INSTRUCTION_CALL, /* calls the function at address @value; 0: the address is not known */
	INSTRUCTION_JUMP, /* always jumps to address @value */
	INSTRUCTION_BRANCH, /* jumps to address @value, or goes on to the next instruction */
	INSTRUCTION_RETURN, /* jumps to an address in the register @data; or the code ends here */
};

/* @from has this number if the address of a load or store is @value alone, without a register. */
#define INSTRUCTION_NO_REGISTER 32u

/* instruction_bit - returns the bit of register @number in a set of registers, or 0 for INSTRUCTION_NO_REGISTER. */
static inline uint32_t instruction_bit(unsigned int number)
{
	return number < INSTRUCTION_NO_REGISTER ? 1u << number : 0;
}

struct instruction {
	enum instruction_kind kind;
	size_t size; /* size in bytes; 0: the end of the instruction is not known */
	unsigned int to; /* number of a register, as encoded in instructions */
	unsigned int from;
	uint64_t value;
	uint64_t mask;
	uint32_t written; /* a set of registers; bit N stands for register N */
	uint32_t data;
	/* the accessed bytes are unknown, for example because a second register is added to the address */
	bool indexed;
	bool moves; /* a load or store also changes register @from */
	bool updates; /* a load also writes to the memory, as an atomic addition does */
};

/* Decodes the instructions of one image. */
struct instruction_decoder;

/* The code of a function, from which instructions are decoded. */
struct instruction_stream {
	const struct image *image;
	struct instruction_decoder *decoder; /* of @image */
	struct bytes bytes; /* of a function */
	uint64_t start; /* address of @bytes */
	bool thumb;
};

/*
 * instruction_open - returns a decoder for @image, or NULL if the machine of @image is not known.
 * instruction_close - frees @decoder, which may be NULL.
 */
struct instruction_decoder *instruction_open(const struct image *image);
void instruction_close(struct instruction_decoder *decoder);

/*
 * instruction_decode - returns the instruction at offset @at of stream->bytes. @at must be smaller than the size of
 * these bytes.
 * instruction_known - returns whether the machine of @image is known.
 */
struct instruction instruction_decode(const struct instruction_stream *stream, size_t at);
bool instruction_known(const struct image *image);

/*
 * instruction_stack_pointer - returns the number of the stack pointer.
 * instruction_argument - returns the number of the register that holds the argument @index of a call, from 0 to 3.
 */
unsigned int instruction_stack_pointer(const struct image *image);
unsigned int instruction_argument(const struct image *image, unsigned int index);

#endif
