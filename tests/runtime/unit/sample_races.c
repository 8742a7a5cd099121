/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_races.c - a program for ThreadSanitizer. Threads take samples, each in a ring of its own and all in one that they
 * share. Meanwhile, another thread collects the samples. In the end, the sums must be exact.
 */
#include <bareprof/sample.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 3u
#define CALLS   20000u
#define SLOTS   64u
#define WORDS   3u
#define BASE    0x1000u
#define RANGE   0x1000u

static struct bareprof_sampler sampler = {.base = BASE, .range = RANGE, .words = WORDS};
static struct bareprof_ring rings[THREADS + 1];
static uint32_t slots[THREADS + 1][SLOTS * WORDS];
static uint32_t memory[BAREPROF_SAMPLES_SIZE((THREADS + 1) * SLOTS, WORDS) / 4];
static struct bareprof_image image;
static unsigned int running = THREADS;

static void *take(void *argument)
{
	struct bareprof_ring *own = argument;
	unsigned int i;

	for (i = 0; i < CALLS; i++) {
		uintptr_t address = BASE + i % (RANGE + 100);
		uintptr_t record[2] = {0, address};
		struct bareprof_interrupted at = {
			address, address, (uintptr_t)record, (uintptr_t)record, (uintptr_t)(record + 2)};

		bareprof_sample_stack(i & 1 ? own : &rings[THREADS], &at);
	}
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

int main(void)
{
	uint64_t sum[3] = {0};
	uint64_t mixed = 0;
	pthread_t threads[THREADS];
	unsigned int left = 1;
	unsigned int i;

	for (i = 0; i <= THREADS; i++)
		if (bareprof_ring_init(&rings[i], &sampler, slots[i], SLOTS))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take, &rings[i]);
	do {
		const uint32_t *sample = memory + BAREPROF_SAMPLES_HEADER;

		left = __atomic_load_n(&running, __ATOMIC_ACQUIRE);
		if (bareprof_samples_collect(&image, &sampler, memory, sizeof(memory)))
			return 1;
		for (i = 0; i < 3; i++)
			sum[i] += memory[BAREPROF_SAMPLES_COUNT + i];
		for (i = 0; i < memory[BAREPROF_SAMPLES_COUNT]; i++, sample += WORDS)
			mixed += sample[1] != sample[0] || sample[2] != sample[0];
	} while (left);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%lu samples, %lu dropped, %lu outside of %u; %lu mixed\n", (unsigned long)sum[0], (unsigned long)sum[1],
		(unsigned long)sum[2], THREADS * CALLS, (unsigned long)mixed);
	return sum[0] + sum[1] + sum[2] != THREADS * CALLS || mixed;
}
