/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupted.h - describes interrupted code for a sample, on the boards that can have more than one CPU.
 */
#ifndef INTERRUPTED_H
#define INTERRUPTED_H

#include "profile.h"

#include "cpus.h"

/* start.S defines the end of the stacks, which lie one after the other. */
extern const uint8_t stacks_top[];

/*
 * Returns what a sample needs. @frame and @stack are the frame pointer and the stack pointer of the code at @pc. If @stack
 * is not in the stacks, no frame record is read: code that starts a CPU has no stack yet.
 */
static inline struct bareprof_interrupted interrupted(uintptr_t pc, uintptr_t frame, uintptr_t stack)
{
	struct bareprof_interrupted at = {pc, 0, frame, stack, (uintptr_t)stacks_top};

	if (at.high - at.low > CPUS_MAX * CPU_STACK)
		at.high = at.low;
	return at;
}

#endif
