/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clobbered.h - tells whether a function reads registers after its counter code has destroyed them.
 */
#ifndef BAREPROF_HOST_CLOBBERED_H
#define BAREPROF_HOST_CLOBBERED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * reads_clobbered - returns true if @function first counts in @counters, and then uses a register as only a naked
 * function can: for example, it pushes the count, takes it for an address, or saves a register that the compiler
 * never saves. Also returns true if the counter code writes to the stack of the caller. Compiled code never does any
 * of these; code.h and instruction.h tell which machines are known.
 */
bool reads_clobbered(const struct code *code, const struct code_function *function, struct extent counters);

#endif
