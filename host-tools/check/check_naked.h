/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_naked.h - tells from the machine code of an instrumented function whether it is naked.
 */
#ifndef BAREPROF_HOST_CHECK_NAKED_H
#define BAREPROF_HOST_CHECK_NAKED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_naked - returns true if @function, with counters in @counters, counts and then pushes registers that
 * hold arguments, or calls without having saved the return address. Naked functions that do neither are not recognized.
 */
bool is_naked(const struct code *code, const struct code_function *function, struct extent counters);

#endif
