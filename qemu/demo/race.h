/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - one function on all other CPUs at once, without a lock, while the
 * shell goes on: for a look at what counters and dumps are worth meanwhile.
 */
#ifndef RACE_H
#define RACE_H

#include <stdint.h>

/* Begin, unless it has begun. */
void race_start(void);
/* End, and say how many turns there were in all since race_start(); 0 if it has not begun. */
uint32_t race_stop(void);

#endif
