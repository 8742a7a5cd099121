/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * preempted.h - between work.c, which counts, and preempted.c, which dumps meanwhile.
 */
#ifndef PREEMPTED_H
#define PREEMPTED_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

extern volatile uint32_t ticks; /* interrupts so far */

void work(uint32_t n);

/* The shell's command. @how: 0 dumps the live counters, 1 dumps a snapshot, 2 a masked one. Not instrumented. */
void stress_run(uint32_t how);

#endif
