/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_naked.h - tells from the machine code of an instrumented function whether it is naked.
 */
#ifndef BAREPROF_HOST_CHECK_NAKED_H
#define BAREPROF_HOST_CHECK_NAKED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_naked - returns true if @function, whose counters are in @counters, first counts, and then pushes registers
 * that hold arguments, makes a call before it has saved the return address, or reads registers that the counter
 * code destroyed (clobbered.h). A naked function that does none of these is not recognized.
 */
bool is_naked(const struct code *code, const struct code_function *function, struct extent counters);

#endif
