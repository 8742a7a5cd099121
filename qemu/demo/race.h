/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - runs one function on all other CPUs at once, without a lock, while the shell continues
 * to run. So a test can find out how exact counters and dumps are in this situation.
 */
#ifndef RACE_H
#define RACE_H

#include <stdint.h>

/* Starts the other CPUs, if they are not running yet. */
void race_start(void);
/*
 * Stops the other CPUs. Returns how often they have called the function since race_start(), or 0 if they were not
 * started.
 */
uint32_t race_stop(void);

#endif
