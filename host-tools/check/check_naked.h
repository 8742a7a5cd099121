/* SPDX-License-Identifier: BSD-2-Clause */
/* check_naked.h - finds out from the machine code of an instrumented function whether the function is naked. */
#ifndef BAREPROF_HOST_CHECK_NAKED_H
#define BAREPROF_HOST_CHECK_NAKED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_naked - returns true if the code of @function shows that the function is naked. After its first count, such a
 * function does at least one of three things. It pushes registers that hold arguments. It makes a call before it has
 * saved the return address. It uses registers or the stack of the caller as clobbered.h describes. For a naked function
 * that does none of these three things, is_naked() returns false. @counters is the extent of the counters.
 * is_naked() recognizes a count by its reference to @counters.
 */
bool is_naked(const struct code *code, const struct code_function *function, struct extent counters);

#endif
