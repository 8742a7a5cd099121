/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpus.c - implements the functions of board.h for CPUs, on boards that can start more than one CPU.
 */
#include "board.h"
#include "cpus.h"

_Static_assert(CPUS_MAX == BOARD_CPUS_MAX, "each CPU of the kernel needs a stack");

/*
 * cpus_init() waits until each CPU has called cpus_enter(). It checks this every COME_STEP microseconds,
 * and gives up after COME_LIMIT microseconds. The wait is long only if the host is busy.
 */
#define COME_STEP  50u
#define COME_LIMIT 2000000u

/* Indexed by id. The function for a CPU is stored before the CPU is started, and stays until it has returned. */
static struct cpu {
	void (*function)(void *argument);
	void *argument;
	bool busy;
} cpus[CPUS_MAX];

static uint8_t id_of[CPUS_MAX]; /* id_of[n] is the id of CPU n */
static unsigned int count = 1;
static bool locked;

static bool busy(unsigned int id)
{
	return __atomic_load_n(&cpus[id].busy, __ATOMIC_ACQUIRE);
}

static bool start(unsigned int id)
{
	__atomic_store_n(&cpus[id].busy, true, __ATOMIC_RELEASE);
	return cpu_start(id);
}

_Noreturn void cpus_enter(unsigned int id)
{
	struct cpu *cpu = &cpus[id];

	/* There is no function if the CPU was started only to see whether it exists. */
	if (cpu->function) {
		cpu_sample(true);
		cpu->function(cpu->argument);
		cpu_sample(false);
	}
	__atomic_store_n(&cpu->busy, false, __ATOMIC_RELEASE);
	cpu_stop();
}

void cpus_init(unsigned int most)
{
	unsigned int expected = 1;
	unsigned int came = 1;
	uint32_t waited;
	unsigned int id;

	id_of[0] = (uint8_t)cpu_id();
	for (id = 0; id < CPUS_MAX; id++)
		if (id != id_of[0] && start(id))
			expected++;
	if (expected > most)
		expected = most;
	for (waited = 0; came < expected && waited < COME_LIMIT; waited += COME_STEP) {
		cpu_delay(COME_STEP);
		for (came = 1, id = 0; id < CPUS_MAX; id++)
			came += id != id_of[0] && !busy(id);
	}
	/* If a CPU calls cpus_enter() after this wait, it runs no function, because it never gets a number. */
	for (id = 0; id < CPUS_MAX; id++)
		if (id != id_of[0] && !busy(id))
			id_of[count++] = (uint8_t)id;
}

unsigned int board_cpus(void)
{
	return count;
}

unsigned int board_cpu(void)
{
	unsigned int id = cpu_id();
	unsigned int cpu = 0;

	while (id_of[cpu] != id)
		cpu++;
	return cpu;
}

void board_cpu_run(unsigned int cpu, void (*function)(void *argument), void *argument)
{
	if (cpu == 0) {
		function(argument);
		return;
	}
	cpus[id_of[cpu]].function = function;
	cpus[id_of[cpu]].argument = argument;
	start(id_of[cpu]);
}

void board_cpu_wait(unsigned int cpu)
{
	while (cpu != 0 && busy(id_of[cpu]))
		cpu_pause();
}

void board_lock(void)
{
	while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
		cpu_pause();
}

void board_unlock(void)
{
	__atomic_clear(&locked, __ATOMIC_RELEASE);
}
