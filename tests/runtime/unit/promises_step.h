/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_step.h - calls a function at every instruction of another function call, because a non-maskable interrupt
 * may come at any instruction. It works on Linux for x86_64 only.
 */
#ifndef TESTS_UNIT_PROMISES_STEP_H
#define TESTS_UNIT_PROMISES_STEP_H

#include <signal.h>
#include <stddef.h>

void step_begin(void (*function)(void));
/* Ends the traps. The @function of STEP may call step_stop(). */
void step_stop(void);
/* Returns the number of instructions that trapped. */
size_t step_end(void);

/*
 * Evaluates @call, and calls @function after each of its instructions. The first trap comes one instruction after
 * popfq.
 */
#define STEP(function, call)                                                                                           \
	__extension__({                                                                                                \
		__typeof__(call) result;                                                                               \
		step_begin(function);                                                                                  \
		__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");                       \
		result = (call);                                                                                       \
		__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");                     \
		result;                                                                                                \
	})

#endif
