/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timestamp.c - temporal profiles: records the order in which functions first ran.
 */
#include <bareprof/state.h>

#include "atomic.h"

void __llvm_profile_set_timestamp(uint64_t *slot)
{
	/* Before a timestamp is set, it is 0, or if the profile has byte counters, all ones. */
	if (!*slot || *slot == ~(uint64_t)0)
		*slot = bareprof_atomic_add(&bareprof_global_state.clock, 1) + 1;
}
