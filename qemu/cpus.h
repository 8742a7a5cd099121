/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpus.h - the interface between cpus.c and the boards that start more than one CPU. cpus.c
 * implements the functions of board.h for CPUs. An id is the hardware's number of a CPU: the id of
 * the local APIC, or the lowest field of an Arm affinity. The id determines the stack of a CPU, so
 * a CPU finds its own stack without shared data.
 *
 * A CPU without work is stopped. board_cpu_run() starts the CPU for each call, and after the call
 * the CPU stops. So no interrupt is needed to wake a CPU, and a CPU without work takes no time from
 * the CPUs that work.
 */
#ifndef CPUS_H
#define CPUS_H

#define CPUS_MAX  8 /* ids are 0 to 7, because a GICv2 has at most 8 CPUs */
#define CPU_STACK 16384 /* bytes of each stack */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

/*
 * Finds the CPUs: calls cpu_start() for each id, and counts the CPUs that call cpus_enter(). Waits
 * for these calls at most 2 seconds. The wait ends earlier if @most CPUs are known, including the
 * calling CPU, or if only CPUs are missing that cpu_start() refused.
 */
void cpus_init(unsigned int most);

/* A CPU that was started calls this function on its own stack. */
_Noreturn void cpus_enter(unsigned int id);

/* Each board implements the functions below. cpu_id() returns the id of the calling CPU. */
unsigned int cpu_id(void);
/* Resets CPU @id and makes it call cpus_enter(). Returns false if there is no such CPU. */
bool cpu_start(unsigned int id);
/* Stops the calling CPU until it is started again. */
_Noreturn void cpu_stop(void);
/* Pauses briefly. Loops that wait for another CPU call this function. */
void cpu_pause(void);
void cpu_delay(uint32_t microseconds);
/* Begins or ends samples of the calling CPU, in images with SAMPLES. */
#ifdef DEMO_SAMPLES
void cpu_sample(bool on);
#else
static inline void cpu_sample(bool on)
{
	(void)on;
}
#endif
#endif

#endif
