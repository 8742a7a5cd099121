/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dead_switch.h - recognises counts that are below 0 because clang counts from a switch that can never run. Such a switch is
 * in an operand that is not evaluated, as in sizeof(({ switch (n) { ... } })). VM_WARN_ON() of Linux is a macro that does
 * this. clang gives the switch counters, but no code counts. In the mapping, the code after the switch has the counter of
 * the end of the switch, which stays 0, and the code after a condition there has 0 minus the count of that condition.
 */
#ifndef BAREPROF_HOST_DEAD_SWITCH_H
#define BAREPROF_HOST_DEAD_SWITCH_H

#include "region.h"

/* Which counters and expressions depend on the end of such a switch. Ends with dead_switches_free(). */
struct dead_switches {
	bool *counters;
	bool *expressions;
	size_t counter_count;
};

/*
 * dead_switches_find - looks for switches in @regions that did not run. regions_count() must have computed the counts from
 *	the @count counters at @counters.
 * dead_switches_explain - returns whether the count of @operand is below 0 because of such a switch, provided that it is
 *	below 0.
 */
void dead_switches_find(
	struct dead_switches *dead, const struct function_regions *regions, const uint64_t *counters, size_t count);
bool dead_switches_explain(const struct dead_switches *dead, uint32_t operand);
void dead_switches_free(struct dead_switches *dead);

#endif
