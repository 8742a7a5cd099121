/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * preempted.h - the interface between work.c, which counts, and preempted.c, which dumps meanwhile.
 */
#ifndef PREEMPTED_H
#define PREEMPTED_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

extern volatile uint32_t ticks; /* the number of interrupts so far */

void work(uint32_t n);

/*
 * The command of the shell. If @how is 0, the command dumps the live counters. If @how is 1, it dumps a snapshot, and
 * if @how is 2, a masked snapshot. This function is not instrumented.
 */
void stress_run(uint32_t how);

#endif
