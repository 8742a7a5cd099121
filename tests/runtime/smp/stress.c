/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress.c - all CPUs except CPU 0 run the same functions and call through the same pointer. The interrupts of these
 * CPUs can come at any moment, and call through this pointer too. Each CPU and its interrupts record values that no
 * other CPU records. Without atomics, two kinds of counts are exact: the counts that only the loop of one CPU
 * increases, and the counts that only the interrupts of one CPU increase.
 */
#include "stress.h"

/* The boards call kernel_tick(), which this file defines. Here the demo's own kernel_tick() is named timer_tick(). */
#undef kernel_tick
void kernel_tick(void);
void timer_tick(void);

#define CPUS 4u

struct own own[BOARD_CPUS_MAX];
static volatile bool running;
static volatile uint32_t sink;

#define TARGET(cpu, n)                                                                                                 \
	static __attribute__((noinline)) void target_##cpu##_##n(void)                                                 \
	{                                                                                                              \
		sink = 10 * cpu + n;                                                                                   \
	}
#define TARGETS(cpu) TARGET(cpu, 0) TARGET(cpu, 1) TARGET(cpu, 2) TARGET(cpu, 3) TARGET(cpu, 4)
TARGETS(1)
TARGETS(2)
TARGETS(3)

/* Only the CPU's interrupts call the last target of each row. */
#define ROW(cpu)                                                                                                       \
	{                                                                                                              \
		target_##cpu##_0, target_##cpu##_1, target_##cpu##_2, target_##cpu##_3, target_##cpu##_4               \
	}
static void (*const volatile targets[CPUS][5])(void) = {ROW(1), ROW(1), ROW(2), ROW(3)};

static __attribute__((noinline)) void stress_call(void (*target)(void))
{
	target();
}

static uint8_t from[64];
static uint8_t to[CPUS][64];

static __attribute__((noinline)) void stress_copy(uint8_t *copy, size_t n)
{
	__builtin_memcpy(copy, from, n);
}

static __attribute__((noinline)) bool stress_turn(void)
{
	return running;
}

void kernel_tick(void)
{
	unsigned int cpu = board_cpu();

	if (cpu == 0) {
		timer_tick();
		return;
	}
	own[cpu].ticks++;
	stress_call(targets[cpu][4]);
	/* The period varies, so that the interrupts are not in step with the loop. */
	board_timer(20 + (uint32_t)own[cpu].ticks * 37 % 101);
}

static void run(void *argument)
{
	unsigned int cpu = board_cpu();
	struct own *mine = argument;
	uint32_t turns = 0;

	stress_interrupts();
	board_timer(50);
	do {
		/* The sizes are from 2 to 7. Value profiling records such sizes unchanged. */
		stress_copy(to[cpu], 2 * cpu + (turns & 1));
		stress_call(targets[cpu][turns & 3]);
		turns++;
	} while (stress_turn());
	board_irq_save();
	mine->turns += turns;
}

void stress_begin(void)
{
	unsigned int cpu;

	running = true;
	for (cpu = 1; cpu < board_cpus() && cpu < CPUS; cpu++)
		board_cpu_run(cpu, run, &own[cpu]);
}

void stress_end(void)
{
	unsigned int cpu;

	running = false;
	for (cpu = 1; cpu < board_cpus() && cpu < CPUS; cpu++)
		board_cpu_wait(cpu);
}
