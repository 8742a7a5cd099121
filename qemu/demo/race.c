/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.c - all other CPUs call turn() in a loop, and count their calls. The counters of turn()
 * agree with these numbers only if counters are increased atomically.
 */
#include <stdbool.h>

#include "board.h"
#include "race.h"

/* Each CPU calls turn() at most this many times, so that the sum fits into 32 bits. */
#define TURNS_MAX (1u << 28)

static volatile bool racing;
static uint32_t turns[BOARD_CPUS_MAX];

static __attribute__((noinline)) bool turn(void)
{
	return racing;
}

/* Each CPU counts its calls in a register, and stores the number at the end. */
static void run(void *argument)
{
	uint32_t *mine = argument;
	uint32_t n = 0;

	do {
		n++;
	} while (turn() && n < TURNS_MAX);
	*mine = n;
}

void race_start(void)
{
	unsigned int cpu;

	if (racing)
		return;
	racing = true;
	for (cpu = 1; cpu < board_cpus(); cpu++)
		board_cpu_run(cpu, run, &turns[cpu]);
}

uint32_t race_stop(void)
{
	uint32_t sum = 0;
	unsigned int cpu;

	if (!racing)
		return 0;
	racing = false;
	for (cpu = 1; cpu < board_cpus(); cpu++) {
		board_cpu_wait(cpu);
		sum += turns[cpu];
	}
	return sum;
}
