/* SPDX-License-Identifier: BSD-2-Clause */
/* check_naked.h - finds out from the machine code of an instrumented function whether the function is naked. */
#ifndef BAREPROF_HOST_CHECK_NAKED_H
#define BAREPROF_HOST_CHECK_NAKED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_naked - returns true if @function first counts, and then does at least one of three things: it pushes registers
 * that hold arguments, it makes a call before it has saved the return address, or it reads registers that the counter
 * code destroyed (clobbered.h). @counters is the extent of the function's counters. A naked function that does none of
 * these three things is not recognized.
 */
bool is_naked(const struct code *code, const struct code_function *function, struct extent counters);

#endif
