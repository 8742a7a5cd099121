/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_naked.h - tells from the machine code of an instrumented function whether it is naked.
 */
#ifndef BAREPROF_HOST_CHECK_NAKED_H
#define BAREPROF_HOST_CHECK_NAKED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_naked - returns true if @function, whose counters are in @counters, first counts, and then either pushes
 * registers that hold arguments, or makes a call before it has saved the return address. A naked function that
 * does neither is not recognized.
 */
bool is_naked(const struct code *code, const struct code_function *function, struct extent counters);

#endif
