/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clobbered.h - tells whether a function reads registers after its counter code has destroyed them.
 */
#ifndef BAREPROF_HOST_CLOBBERED_H
#define BAREPROF_HOST_CLOBBERED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * reads_clobbered - returns true if @function counts in one of the counters in the extent @counters, and then uses a
 * register as only a naked function can. For example, it pushes the count, uses the count as an address, or saves a
 * register that the compiler never saves. Also returns true if the counter code writes to the stack of the caller,
 * which compiled code never does. Returns false if the machine of the image is unknown (see instruction.h).
 */
bool reads_clobbered(const struct code *code, const struct code_function *function, struct extent counters);

#endif
