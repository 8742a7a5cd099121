/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.c - all other CPUs count the same. Only counters that are increased
 * atomically agree then with what the CPUs know of themselves.
 */
#include <stdbool.h>

#include "board.h"
#include "race.h"

/* The sum of all stays within 32 bits. */
#define TURNS_MAX (1u << 28)

static volatile bool racing;
static uint32_t turns[BOARD_CPUS_MAX];

static __attribute__((noinline)) bool turn(void)
{
	return racing;
}

/* Each counts its turns in a register, and says how many when it is over. */
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
