/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_wait.h - the functions with which samples change the start-up code and board_wait(). Only images with SAMPLES
 * have them.
 */
#ifndef SAMPLE_WAIT_H
#define SAMPLE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* The handler of SysTick. */
void sample_entry(void);

/* If samples are taken, does the work of board_wait() and returns true. */
bool sample_wait(void);

/* The frequency of the processor in Hz. Each board has this constant. */
extern const uint32_t board_clock;

#endif
