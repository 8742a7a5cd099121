/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * share.c - distributes jobs to CPUs and waits for them. This file is never instrumented, because
 * its loops depend on the number and speed of the CPUs.
 */
#include "board.h"
#include "share.h"

static struct {
	const share_job *job;
	uint32_t jobs;
	volatile uint8_t here[BOARD_CPUS_MAX];
	uint32_t right[BOARD_CPUS_MAX];
} shared;

static void part(void *argument)
{
	unsigned int cpu = (unsigned int)(uintptr_t)argument;
	uint32_t i;

	shared.here[cpu] = 1;
	for (i = 0; i < board_cpus(); i++)
		while (!shared.here[i])
			continue;
	for (i = cpu; i < shared.jobs; i += board_cpus()) {
		shared.job[i]();
		shared.right[cpu] += board_cpu() == cpu;
	}
}

void share_linger(void)
{
	volatile uint32_t left;

	for (left = 1000; left > 0; left = left - 1)
		continue;
}

uint32_t share(const share_job *job, uint32_t n)
{
	uint32_t right = 0;
	unsigned int cpu;

	shared.job = job;
	shared.jobs = n;
	for (cpu = 0; cpu < board_cpus(); cpu++) {
		shared.here[cpu] = 0;
		shared.right[cpu] = 0;
	}
	/* CPU 0 comes last, because for CPU 0 board_cpu_run() returns only after part() has returned. */
	for (cpu = board_cpus(); cpu-- > 0;)
		board_cpu_run(cpu, part, (void *)(uintptr_t)cpu);
	for (cpu = 0; cpu < board_cpus(); cpu++) {
		board_cpu_wait(cpu);
		right += shared.right[cpu];
	}
	return right;
}
