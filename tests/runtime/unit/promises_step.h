/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_step.h - something that happens at every instruction of a call, as a
 * non-maskable interrupt may. Linux on x86_64.
 */
#ifndef TESTS_UNIT_PROMISES_STEP_H
#define TESTS_UNIT_PROMISES_STEP_H

#include <signal.h>
#include <stddef.h>

void step_begin(void (*function)(void));
/* From here on it runs as fast as ever; for the function to call. */
void step_stop(void);
/* How many instructions there were until then. */
size_t step_end(void);

/* The trap flag is set as late as can be, and the first trap comes an instruction after. */
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
