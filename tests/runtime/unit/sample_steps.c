/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_steps.c - calls the hooks in all their cases, so that samples.sh can count the instructions of each call in a
 * trace of QEMU's user mode. The program has no C library.
 */
#include <bareprof/sample.h>

#define BASE ((uintptr_t)0x40001000)

static struct bareprof_sampler sampler;
static struct bareprof_ring ring;
static struct bareprof_histogram histogram;
static uint32_t slots[4];
static uint32_t memory[BAREPROF_HISTOGRAM_SIZE(64, 4) / 4];

void _start(void);

static void leave(uintptr_t failed)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" : : "a"(60), "D"(failed));
#else
	register uintptr_t status __asm__("x0") = failed;
	register uintptr_t number __asm__("x8") = 93;

	__asm__ volatile("svc #0" : : "r"(status), "r"(number));
#endif
}

void _start(void)
{
	unsigned int i;

	sampler.base = BASE;
	sampler.range = 64;
	sampler.words = 1;
	histogram.sampler = sampler;
	histogram.shift = 4;
	bareprof_ring_init(&ring, &sampler, slots, 4);
	bareprof_histogram_init(&histogram, memory, sizeof(memory));
	/* The fifth sample drops the first one; the last two are outside of the code. */
	for (i = 0; i < 7; i++) {
		bareprof_sample(&ring, i < 5 ? BASE + i : BASE + 64 * (uintptr_t)(i - 5) - 1 + (i == 6));
		bareprof_histogram_sample(&histogram, BASE + 16 * i);
	}
	leave(ring.dropped != 1 || ring.outside != 2);
}
