/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampled.c - takes samples of itself with a timer of the operating system, and prints them as a .samples file, one line
 * for each sample. Three quarters of the time are in three(), and one quarter in one().
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

#define SAMPLES 200
#define DEPTH   2

static uintptr_t samples[SAMPLES][1 + DEPTH];
static volatile unsigned int taken;
static volatile unsigned int sink;

static void take(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
#ifdef __x86_64__
	uintptr_t pc = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
	const uintptr_t *frame = (const uintptr_t *)interrupted->uc_mcontext.gregs[REG_RBP];
#else
	uintptr_t pc = (uintptr_t)interrupted->uc_mcontext.pc;
	const uintptr_t *frame = (const uintptr_t *)interrupted->uc_mcontext.regs[29];
#endif
	unsigned int i;

	(void)number;
	(void)info;
	if (taken == SAMPLES)
		return;
	samples[taken][0] = pc;
	for (i = 1; i <= DEPTH && frame && frame[1]; i++) {
		samples[taken][i] = frame[1];
		frame = (const uintptr_t *)frame[0];
	}
	taken++;
}

/* The compiler inlines it into three() and one(). */
static inline __attribute__((always_inline)) void work(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		sink = sink * 5 + i;
}

__attribute__((noinline)) static void three(void)
{
	work(300000);
}

__attribute__((noinline)) static void one(void)
{
	work(100000);
}

__attribute__((noinline)) static void both(void)
{
	three();
	one();
	sink++; /* so that one() is not a tail call */
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};
	unsigned int i;
	unsigned int j;

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	while (taken < SAMPLES)
		both();
	printf("bareprof samples 1\nrate 250\ncpus 1\nsamples\n");
	for (i = 0; i < SAMPLES; i++) {
		printf("%#lx 1", (unsigned long)samples[i][0]);
		for (j = 1; j <= DEPTH && samples[i][j]; j++)
			printf(" %#lx", (unsigned long)samples[i][j]);
		printf("\n");
	}
	return 0;
}
