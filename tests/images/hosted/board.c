/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - implements qemu/board.h for the demo kernel as a Linux program, with standard input and output, and with
 * threads as CPUs. This program is built from the same sources and by the same compiler as the images of the boards.
 * With the same input, it must have the same counts as these images.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "board.h"

#define STATUS_FAULT 3
#define CPUS         4 /* CPU 0 is the main thread of the process */

const char board_name[] = "hosted";

static bool armed;
static int byte = -1; /* the character that board_wait() read, for board_getc() */

static struct cpu {
	pthread_t thread;
	bool runs;
	unsigned int number;
	void (*function)(void *argument);
	void *argument;
} cpus[CPUS];

static _Thread_local unsigned int self;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void fault(int number)
{
	static const char text[] = "fault\n";

	(void)number;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(STATUS_FAULT);
	_exit(STATUS_FAULT);
}

void board_init(void)
{
	signal(SIGSEGV, fault);
	signal(SIGBUS, fault);
	signal(SIGILL, fault);
}

void board_putc(char c)
{
	putchar(c);
	if (c == '\n')
		fflush(stdout);
}

int board_getc(void)
{
	int c = byte;

	byte = -1;
	return c;
}

/* Always fails, because the hosted program has no channel for binary data. cov.c in this folder does not call it. */
int board_write(const void *data, size_t n)
{
	(void)data;
	(void)n;
	return -1;
}

void board_timer(uint32_t microseconds)
{
	(void)microseconds;
	armed = true;
}

uintptr_t board_irq_save(void)
{
	return 0;
}

void board_irq_restore(uintptr_t state)
{
	(void)state;
}

/* Timers take no time in this program. If a timer is armed, it fires at the next wait. */
void board_wait(void)
{
	unsigned char c;

	if (armed) {
		armed = false;
		kernel_tick();
		return;
	}
	fflush(stdout);
	if (read(STDIN_FILENO, &c, 1) != 1)
		board_exit(0);
	byte = c;
}

unsigned int board_cpus(void)
{
	return CPUS;
}

unsigned int board_cpu(void)
{
	return self;
}

static void *thread(void *argument)
{
	struct cpu *cpu = argument;

	self = cpu->number;
	cpu->function(cpu->argument);
	return NULL;
}

void board_cpu_run(unsigned int number, void (*function)(void *argument), void *argument)
{
	struct cpu *cpu = &cpus[number];

	if (number == 0) {
		function(argument);
		return;
	}
	cpu->number = number;
	cpu->function = function;
	cpu->argument = argument;
	if (pthread_create(&cpu->thread, NULL, thread, cpu) != 0)
		abort();
	cpu->runs = true;
}

void board_cpu_wait(unsigned int number)
{
	struct cpu *cpu = &cpus[number];

	if (cpu->runs)
		pthread_join(cpu->thread, NULL);
	cpu->runs = false;
}

void board_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void board_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

uint64_t board_nonce(void)
{
	static uint64_t calls;

	return ++calls;
}

/*
 * exit() is not used, because then compiler-rt would write the profile again and overwrite the profile of `cov dump`.
 */
_Noreturn void board_exit(int status)
{
	fflush(stdout);
	_exit(status);
}

int main(void)
{
	kernel_main();
}
