/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_wait.h - what samples need of the start-up code, of board_wait() and of the boards.
 */
#ifndef SAMPLE_WAIT_H
#define SAMPLE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* The handler of SysTick. Only images with SAMPLES have this function. */
void sample_entry(void);

/* If samples are taken, does the work of board_wait() and returns true. */
#ifdef DEMO_SAMPLES
bool sample_wait(void);
#else
static inline bool sample_wait(void)
{
	return false;
}
#endif

/* The frequency of the processor in Hz. Each board has this constant. */
extern const uint32_t board_clock;

#endif
