/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpus.h - between cpus.c, which has the CPUs of board.h, and boards that start
 * more than one. An id is what the hardware calls a CPU: the local APIC's, or
 * the lowest field of an Arm affinity. Stacks are given out by id, so a CPU
 * finds its own before it can ask anybody.
 *
 * A CPU without work is not idling but stopped: it is started for each call of
 * board_cpu_run() and stops after it. That needs no interrupt to wake it, and
 * it takes no time from those that work.
 */
#ifndef CPUS_H
#define CPUS_H

#define CPUS_MAX  8 /* ids that are tried: 0 to this; as many as a GICv2 serves */
#define CPU_STACK 16384 /* bytes; assembler code multiplies by it */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

/*
 * Find the CPUs: each id is started, and those count that come. Waits until it
 * is @most in all, or as many as cpu_start() said there are, but not for ever.
 */
void cpus_init(unsigned int most);

/* A CPU that was started comes here, on its own stack. */
_Noreturn void cpus_enter(unsigned int id);

/* The board's own. */
unsigned int cpu_id(void);
/* Reset that CPU and have it come to cpus_enter(); false if there is none. */
bool cpu_start(unsigned int id);
/* The end of the calling CPU, until it is started again. */
_Noreturn void cpu_stop(void);
/* For loops that wait for another CPU. */
void cpu_pause(void);
void cpu_delay(uint32_t microseconds);
#endif

#endif
