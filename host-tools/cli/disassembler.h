/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disassembler.h - capstone for the machine of an image.
 */
#ifndef BAREPROF_HOST_DISASSEMBLER_H
#define BAREPROF_HOST_DISASSEMBLER_H

#include "image.h"

#include <capstone/capstone.h>

struct disassembler {
	csh main; /* 0: capstone does not know the machine */
	csh thumb; /* for Thumb code; 0 on other machines */
	cs_insn *instruction; /* the last instruction; NULL: capstone does not know the machine */
};

/*
 * disassembler_open - prepares for the code of @image. @details: capstone also tells the operands of each instruction.
 * disassembler_close - frees @disassembler.
 */
void disassembler_open(struct disassembler *disassembler, const struct image *image, bool details);
void disassembler_close(struct disassembler *disassembler);

/*
 * disassembler_next - disassembles the instruction at the start of @code, whose address is *@address, into
 * @disassembler->instruction. Removes it from @code, and adds its size to *@address. Bytes that are no instruction
 * become an instruction with the name .byte, whose id is 0. Returns false at the end of the code.
 */
bool disassembler_next(struct disassembler *disassembler, bool thumb, struct bytes *code, uint64_t *address);

#endif
