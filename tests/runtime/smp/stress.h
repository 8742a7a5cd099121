/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress.h - the interface between stress.c, which counts, and stress_cov.c, which dumps meanwhile.
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* A CPU's own numbers. Only one writer changes each word: the CPU or its interrupt, and no other CPU. */
struct own {
	uint64_t turns; /* rounds of its loop: each calls through a pointer, and copies */
	uint64_t ticks; /* its interrupts: each calls through a pointer */
};
extern struct own own[BOARD_CPUS_MAX];

/* stress_begin() starts the work of all other CPUs. stress_end() ends it, and then no interrupt is pending. */
void stress_begin(void);
void stress_end(void);

/* Dumps, drains and resets for @seconds, and prints the CPUs' numbers in the end. Not instrumented. */
void stress_run(uint32_t seconds);

/* Defined by the boards: lets the calling CPU, which is not the one that booted, take its timer's interrupts. */
void stress_interrupts(void);
/* Returns the time in microseconds since some fixed moment. */
uint64_t stress_time(void);

#endif
