/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers.h - finds out which registers contain constants while straight code runs. `check` needs these constants to
 * know the arguments of calls and the addresses of counters.
 */
#ifndef BAREPROF_HOST_REGISTERS_H
#define BAREPROF_HOST_REGISTERS_H

#include "instruction.h"

/* The caller sets @image and clears the other members, so no register is known at the start. */
struct registers {
	const struct image *image;
	uint32_t known; /* registers whose contents are known */
	uint64_t value[32];
};

/*
 * registers_step - applies the next instruction to @registers. A branch is treated as not taken. After a jump, no
 * register is known. After a call, only registers that functions preserve stay known.
 */
void registers_step(struct registers *registers, const struct instruction *instruction);

/* registers_address - returns whether the address of a load or store is known, and sets *@address to it. */
bool registers_address(const struct registers *registers, const struct instruction *instruction, uint64_t *address);

/* registers_argument - returns whether the argument @index, from 0 to 3, of a call is known, and sets *@value to it. */
bool registers_argument(const struct registers *registers, unsigned int index, uint64_t *value);

#endif
