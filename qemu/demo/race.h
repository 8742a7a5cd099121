/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - runs one function on all other CPUs at once, without a lock, while the
 * shell goes on: to see how exact counters and dumps are meanwhile.
 */
#ifndef RACE_H
#define RACE_H

#include <stdint.h>

/* Start the other CPUs, unless they run already. */
void race_start(void);
/* Stop these CPUs. Returns how often they called the function since race_start(); 0 if they did not run. */
uint32_t race_stop(void);

#endif
