/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_effect.h - what an instruction does with the numbers in registers, if jumps by tables need these numbers. A
 * register that changes in another way is in the list of registers whose new values are not known.
 */
#ifndef BAREPROF_HOST_CODE_EFFECT_H
#define BAREPROF_HOST_CODE_EFFECT_H

#include "disassembler.h"

/* Registers 0 to 31 are those of the machine. */
#define CODE_REGISTERS   32u
#define CODE_PC          32u /* the operation gives the target of the jump */
#define CODE_NO_REGISTER 33u

enum code_operation {
	CODE_NOTHING,
	CODE_ADD, /* target = number + left + (right << shift) */
	CODE_SHIFT_RIGHT, /* target = left >> shift */
	CODE_BITS, /* target = (left >> shift) & (number + right) */
	CODE_INSERT, /* target = left with the 16 bits at shift replaced by number */
	CODE_LOAD, /* target = after + (the entry at (number + left + (right << shift)) << after_shift) */
	CODE_COMPARE, /* compares left with number + right */
};

/* When a conditional instruction does its work, after a comparison of unsigned numbers. */
enum code_condition {
	CODE_ALWAYS,
	CODE_ABOVE,
	CODE_AT_MOST,
	CODE_AT_LEAST,
	CODE_BELOW,
	CODE_EQUAL,
	CODE_NOT_EQUAL,
	CODE_OTHER, /* another condition */
};

struct code_operand {
	unsigned char reg; /* CODE_NO_REGISTER: 0 */
	unsigned char bits; /* only this number of low bits is used; 0: all bits */
	bool is_signed; /* these bits have a sign */
};

struct code_effect {
	enum code_operation operation;
	enum code_condition condition; /* of this instruction */
	unsigned char target;
	struct code_operand left;
	struct code_operand right;
	uint64_t number;
	unsigned char shift;
	unsigned char width; /* of an entry, in bytes */
	bool is_signed; /* the entry has a sign */
	unsigned char after_shift;
	uint64_t after;
	bool narrow; /* the target becomes a number of 32 bits */
	bool sets_flags; /* the result of the last comparison is gone, unless this is a comparison */
	bool branches; /* this comparison is for this instruction only, and is gone after it */
	uint64_t clobbers; /* bits of the registers whose values change; the target is one of them */
};

/* code_effect - describes disassembler->instruction, which was disassembled with details. @thumb: it is Thumb code. */
struct code_effect code_effect(const struct disassembler *disassembler, const struct image *image, bool thumb);

/* code_effect_jump - the call that has @effect is a jump within the function. It only changes the link register. */
void code_effect_jump(struct code_effect *effect);

/* For each machine. The list of registers is already filled in. */
void code_effect_aarch64(const cs_insn *insn, struct code_effect *effect);
void code_effect_arm(const cs_insn *insn, bool thumb, struct code_effect *effect);

/* The number of a register, or CODE_NO_REGISTER. */
unsigned char code_register_aarch64(unsigned int reg);
unsigned char code_register_arm(unsigned int reg);

#endif
