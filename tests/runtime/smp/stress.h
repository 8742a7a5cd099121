/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress.h - between stress.c, which counts, and stress_cov.c, which dumps meanwhile.
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* What a CPU knows of itself, in words that no other CPU and no interrupt of its own writes. */
struct own {
	uint64_t turns; /* of its loop: each is a call through a pointer, and a copy */
	uint64_t ticks; /* interrupts: each is a call through a pointer */
};
extern struct own own[BOARD_CPUS_MAX];

/* All other CPUs begin; end, and have nothing pending. */
void stress_begin(void);
void stress_end(void);

/* Dump, drain and reset for so long, and say what the CPUs know in the end. Not instrumented. */
void stress_run(uint32_t seconds);

/* The boards': the calling CPU, which is not the one that booted, takes its timer's interrupts. */
void stress_interrupts(void);
/* Microseconds since some time. */
uint64_t stress_time(void);

#endif
