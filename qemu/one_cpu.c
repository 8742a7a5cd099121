/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * one_cpu.c - implements the functions of board.h for CPUs, on boards that use only the first CPU.
 */
#include "board.h"
#include "cpus.h"

void cpus_init(unsigned int most)
{
	(void)most;
}

unsigned int board_cpus(void)
{
	return 1;
}

unsigned int board_cpu(void)
{
	return 0;
}

void board_cpu_run(unsigned int cpu, void (*function)(void *argument), void *argument)
{
	(void)cpu;
	function(argument);
}

void board_cpu_wait(unsigned int cpu)
{
	(void)cpu;
}

void board_lock(void)
{
}

void board_unlock(void)
{
}
