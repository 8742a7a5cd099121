/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timestamp.c - temporal profiles: records the order in which functions first ran.
 */
#include <bareprof/state.h>

#include "atomic.h"

void __llvm_profile_set_timestamp(uint64_t *slot)
{
	/* A slot without a timestamp is 0, or all ones if the profile has byte counters. */
	if (!*slot || *slot == ~(uint64_t)0)
		*slot = bareprof_atomic_add(&bareprof_global_state.clock, 1) + 1;
}
