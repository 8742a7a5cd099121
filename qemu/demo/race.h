/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - runs one function on all other CPUs at once, without a lock, while the shell continues
 * to run. So a test can find out how exact counters and dumps are in this situation.
 */
#ifndef RACE_H
#define RACE_H

#include <stdint.h>

/* Start the other CPUs, if they are not running yet. */
void race_start(void);
/* Stop the other CPUs. Returns the number of calls of the function since race_start(), or 0 without race_start(). */
uint32_t race_stop(void);

#endif
