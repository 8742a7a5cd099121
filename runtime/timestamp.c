/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timestamp.c - which function ran first: temporal profiles.
 */
#include <bareprof/state.h>

#include "atomic.h"

void __llvm_profile_set_timestamp(uint64_t *slot)
{
	/* 0 where counters are numbers, all ones where they are bytes. */
	if (!*slot || *slot == ~(uint64_t)0)
		*slot = bareprof_atomic_add(&bareprof_global_state.clock, 1) + 1;
}
