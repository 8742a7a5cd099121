/* SPDX-License-Identifier: BSD-2-Clause */
/* code_step.h - where control goes after an instruction. */
#ifndef BAREPROF_HOST_CODE_STEP_H
#define BAREPROF_HOST_CODE_STEP_H

#include "disassembler.h"

struct code_step {
	bool goes_on; /* control may go on to the next instruction; this is also true for calls */
	bool jumps; /* control may go to @target */
	bool leaves; /* control may go to an address that the instruction does not say, or the program ends here */
	bool by_table; /* this address may come from a table of jumps */
	bool calls; /* this is a call of @target */
	bool fills; /* the instruction has no effect, so it may only fill the space before aligned code */
	uint64_t target;
	uint64_t address; /* an address of data that the instruction has as an operand; 0: none */
};

/* code_step - describes disassembler->instruction, which was disassembled with details, for the machine of @image. */
struct code_step code_step(const struct disassembler *disassembler, const struct image *image);

#endif
