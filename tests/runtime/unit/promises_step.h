/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_step.h - calls a function at every instruction of a call, because a non-maskable
 * interrupt may come at any instruction. For Linux on x86_64.
 */
#ifndef TESTS_UNIT_PROMISES_STEP_H
#define TESTS_UNIT_PROMISES_STEP_H

#include <signal.h>
#include <stddef.h>

void step_begin(void (*function)(void));
/* The function may call this to end the traps. */
void step_stop(void);
/* Returns how many instructions trapped. */
size_t step_end(void);

/* Evaluates @call and calls @function at each of its instructions. The first trap comes one instruction after popfq. */
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
