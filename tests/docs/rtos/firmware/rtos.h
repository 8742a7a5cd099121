/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rtos.h - three threads on one Cortex-M. The first thread preempts the others. The other two share the remaining time.
 * Threads other than the first run with interrupts enabled.
 */
#ifndef RTOS_H
#define RTOS_H

#include <stdint.h>

enum rtos_number {
	RTOS_KERNEL, /* runs the tasks of the demo kernel, with interrupts masked except while it waits */
	RTOS_WORKER,
	RTOS_IDLE, /* the thread that has booted */
	RTOS_THREADS
};

/* Adds a thread. Its stack has @words words. */
void rtos_thread(enum rtos_number number, void (*function)(void), uint32_t *stack, uint32_t words);
/* Starts to switch between the threads. */
void rtos_run(void);
/* Gives the time to the other threads. */
void rtos_yield(void);
/* A lock for the console. Only threads may use it. */
void rtos_lock(void);
void rtos_unlock(void);

/* The integrator may define these functions. Without such a definition, the first two do nothing. */
void hook_ram(void); /* RAM is usable; no other code has run */
void hook_idle(void); /* the idle thread calls it again and again */
void hook_assert(const char *condition, const char *file, int line); /* must not return */
void hook_fault(void); /* in the handler of a fault, on the main stack */

#endif
