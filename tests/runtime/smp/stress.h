/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress.h - the functions that stress.c and stress_cov.c provide for each other. stress.c counts, and stress_cov.c
 * dumps meanwhile.
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* The numbers that a CPU counts itself. Only one writer changes each word: either the CPU or its interrupt. */
struct own {
	uint64_t turns; /* rounds of the CPU's loop; each round calls through a pointer, and copies */
	uint64_t ticks; /* number of interrupts of the CPU; each interrupt makes one call through a pointer */
};
extern struct own own[BOARD_CPUS_MAX];

/*
 * stress_begin() starts the work of all CPUs except the calling CPU. stress_end() ends the work. When stress_end()
 * returns, no interrupt is pending.
 */
void stress_begin(void);
void stress_end(void);

/* Dumps, drains and resets for @seconds, and prints the CPUs' numbers at the end. This function is not instrumented. */
void stress_run(uint32_t seconds);

/*
 * Lets the calling CPU take the interrupts of its timer. The caller must not be the CPU that booted. Each board
 * defines this function.
 */
void stress_interrupts(void);
/* Returns the time in microseconds since a fixed moment. */
uint64_t stress_time(void);

#endif
