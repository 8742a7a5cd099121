/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_samples.c - samples of the program counter. An NMI may come at any instruction of a hook or of a drain, and take
 * or drain samples itself.
 */
#define _GNU_SOURCE
#include <bareprof/sample.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "promises.h"
#include "promises_step.h"

#define BASE  0x10000u
#define RANGE 0x1000u
#define SLOTS 4u
#define WORDS 3u
#define STACK 4u /* words of a sample for which a stack has too few records */

static struct bareprof_sampler sampler;
static struct bareprof_ring ring;
static uint32_t slots[SLOTS * STACK];
static uint32_t out[4 * SLOTS * STACK];
static struct bareprof_image samples;
static uint32_t calls;
static uint32_t reads;
static uint32_t mixed;

/* Samples that take() takes: the PC and all return addresses are the same. The last one is outside. */
#define KINDS 7u
static struct bareprof_interrupted kinds[KINDS];
static uintptr_t records[KINDS][2 * (WORDS - 1)];

static void take(void)
{
	const struct bareprof_interrupted *at = &kinds[__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % KINDS];

	if (sampler.words > 1)
		bareprof_sample_stack(&ring, at);
	else
		bareprof_sample(&ring, at->pc);
}

/* Makes a ring that is full of samples with @words words. */
static void fill(unsigned int words)
{
	unsigned int i;
	unsigned int k;

	for (k = 0; k < KINDS; k++) {
		uintptr_t address = BASE + k * (RANGE / (KINDS - 1));

		for (i = 0; i < WORDS - 1; i++) {
			records[k][2 * i] = (uintptr_t)&records[k][2 * i + 2];
			records[k][2 * i + 1] = address;
		}
		kinds[k].pc = address;
		kinds[k].frame = (uintptr_t)records[k];
		kinds[k].low = (uintptr_t)records[k];
		kinds[k].high = (uintptr_t)(records[k] + 2 * (WORDS - 1));
	}
	memset(&sampler, 0, sizeof(sampler));
	sampler.base = BASE;
	sampler.range = RANGE;
	sampler.words = words;
	EXPECT(!bareprof_ring_init(&ring, &sampler, slots, SLOTS));
	calls = 0;
	reads = 0;
	mixed = 0;
	for (i = 0; i < SLOTS; i++)
		take();
}

static void drain(void)
{
	unsigned int words = sampler.words;
	uint32_t *end = bareprof_ring_drain(&ring, out, out + sizeof(out) / sizeof(out[0]));
	uint32_t *at;
	unsigned int i;

	for (at = out; at < end; at += words, reads++)
		for (i = 1; i < words; i++)
			mixed += at[i] != at[0];
}

static unsigned int nested;
static void (*nmi)(void);
static unsigned int distance;
static unsigned int left;
static unsigned int interrupts;

static void interrupt(void)
{
	unsigned int i;

	if (--left)
		return;
	left = distance;
	interrupts++;
	for (i = 0; i < nested; i++)
		nmi();
	/* With a distance above the number of instructions of a hook, one NMI is enough. */
	if (distance > 100)
		step_stop();
}

static int run(void (*function)(void))
{
	function();
	return 0;
}

/*
 * Fills a ring, and calls @function while @times calls of @by come after the instruction @first, and then after every
 * @each instructions. Then reads the rest of the ring.
 */
static void disturb(void (*function)(void), void (*by)(void), unsigned int times, unsigned int words,
	unsigned int first, unsigned int each)
{
	fill(words);
	nmi = by;
	nested = times;
	left = first;
	distance = each;
	interrupts = 0;
	STEP(interrupt, run(function));
	drain();
}

/* With BAREPROF_WIDE=1, interrupts come after every instruction of a hook, otherwise after every fifth. */
static unsigned int step(void)
{
	return getenv("BAREPROF_WIDE") ? 1 : 5;
}

void samples_add_up(void)
{
	unsigned int words;
	unsigned int i;

	for (words = 1; words <= WORDS; words += WORDS - 1) {
		for (i = 1, interrupts = 1; interrupts; i += step()) {
			disturb(take, take, i % 2 ? 1 : SLOTS + 2, words, i, 1000);
			EXPECT(reads + ring.dropped + ring.outside == calls);
			disturb(take, drain, 1, words, i, 1000);
			EXPECT(reads + ring.dropped + ring.outside == calls);
		}
		for (i = 1; i < 12; i += 2) {
			disturb(drain, take, 1, words, i, i);
			EXPECT(reads + ring.dropped + ring.outside == calls && interrupts > 5);
		}
	}
}

void samples_are_never_mixed(void)
{
	unsigned int i;

	for (i = 1, interrupts = 1; interrupts; i += step()) {
		disturb(take, take, SLOTS - 1, WORDS, i, 1000);
		EXPECT(!mixed);
		disturb(take, drain, 1, WORDS, i, 1000);
		EXPECT(!mixed);
	}
	for (i = 1; i < 12; i += 2) {
		disturb(drain, take, 1, WORDS, i, i);
		EXPECT(!mixed && interrupts > 5);
	}
}

void new_samples_replace_old(void)
{
	uint32_t *end;
	unsigned int i;

	fill(1);
	for (i = 0; i < SLOTS; i++)
		bareprof_sample(&ring, BASE + i);
	end = bareprof_ring_drain(&ring, out, out + 4 * SLOTS);
	EXPECT(end == out + SLOTS);
	for (i = 0; i < SLOTS; i++)
		EXPECT(out[i] == i + 1);
}

void outside_is_only_counted(void)
{
	fill(1);
	drain();
	ring.outside = 0;
	bareprof_sample(&ring, BASE - 1);
	bareprof_sample(&ring, BASE + RANGE);
	bareprof_sample(&ring, 0);
	bareprof_sample(&ring, ~(uintptr_t)0);
	EXPECT(ring.outside == 4 && bareprof_ring_drain(&ring, out, out + SLOTS) == out);
}

void stacks_end_at_their_bounds(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *stack = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t *record = (uintptr_t *)(stack + page) - 4;
	struct bareprof_interrupted at = {BASE, 0, (uintptr_t)record, (uintptr_t)stack, (uintptr_t)stack + page};
	unsigned int i;

	fill(STACK);
	drain();
	/* Memory that is outside of the bounds cannot be read. */
	mprotect(stack + page, page, PROT_NONE);
	record[0] = (uintptr_t)(record + 2);
	record[1] = BASE + 1;
	record[3] = BASE + 2;
	for (i = 0; i < 4; i++) {
		/* After the last record, half a record, at its own address, below it. */
		record[2] = (uintptr_t)(i == 0 ? record + 4 : i == 1 ? record + 3 : i == 2 ? record + 2 : record);
		bareprof_sample_stack(&ring, &at);
		EXPECT(bareprof_ring_drain(&ring, out, out + STACK) == out + STACK);
		EXPECT(out[0] == 1 && out[1] == 2 && out[2] == 3 && out[3] == 0);
	}
}

void a_collect_makes_stale(void)
{
	static struct bareprof_capture capture;
	static uint64_t block[64];

	fill(1);
	memset(&samples, 0, sizeof(samples));
	EXPECT(!bareprof_samples_collect(&samples, &sampler, out, sizeof(out)));
	EXPECT(!bareprof_capture_samples(&capture, &samples, 1, block, sizeof(block)));
	EXPECT(bareprof_block(&capture, 1, block, sizeof(block)) > 0);
	EXPECT(!bareprof_samples_collect(&samples, &sampler, out, sizeof(out)));
	EXPECT(bareprof_block(&capture, 1, block, sizeof(block)) == BAREPROF_E_STALE);
}

void samples_without_room_stay(void)
{
	uint32_t room = BAREPROF_SAMPLES_SIZE(3, 1);
	uint32_t sum = 0;
	unsigned int i;

	fill(1);
	memset(&samples, 0, sizeof(samples));
	for (i = 0; i < 4; i++) {
		EXPECT(!bareprof_samples_collect(&samples, &sampler, out, room));
		sum += out[BAREPROF_SAMPLES_COUNT] + out[BAREPROF_SAMPLES_DROPPED] + out[BAREPROF_SAMPLES_OUTSIDE];
	}
	EXPECT(sum == calls && !out[BAREPROF_SAMPLES_COUNT]);
}
