/* SPDX-License-Identifier: BSD-2-Clause */
/* unbiased.h - finds out from the machine code of an instrumented function whether the function uses the bias. */
#ifndef BAREPROF_HOST_UNBIASED_H
#define BAREPROF_HOST_UNBIASED_H

#include "code.h"
#include "weak_duplicates.h"

/*
 * is_unbiased - returns true if @function stores a count at an address in @counters that its code computes from
 * constants alone. Code with a bias cannot do this, because it adds the bias to each address, and the bias is not a
 * constant. Returns false if no such store is recognized, for example because the machine is unknown.
 */
bool is_unbiased(const struct code *code, const struct code_function *function, struct extent counters);

#endif
