/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_stacks.c - takes samples with return addresses from stacks that are sound, damaged or hostile.
 */
#include <bareprof/sample.h>

#include "host.h"

void stacks(void);

#if BAREPROF_SERVES_STACKS

#define BASE  ((uintptr_t)0x40001000)
#define RANGE 0x5000u
#define WORDS 6u

static struct bareprof_sampler sampler = {.base = BASE, .range = RANGE, .words = WORDS};
static struct bareprof_ring ring;
static uint32_t slots[4 * WORDS];
static uint32_t got[4 * WORDS];
static uintptr_t stack[32]; /* words; a frame record has two */
static struct bareprof_interrupted at;

static uintptr_t address_of(unsigned int word)
{
	return (uintptr_t)&stack[word];
}

/* Makes a stack of frame records at the words 2, 8, 14, 20 and 26, whose return addresses are the base + 0x10, 0x20 and so on. */
static void make(void)
{
	unsigned int i;

	memset(stack, 0, sizeof(stack));
	for (i = 0; i < 5; i++) {
		stack[2 + 6 * i] = i < 4 ? address_of(8 + 6 * i) : 0;
		stack[3 + 6 * i] = sampler.base + 0x10 * (i + 1);
	}
	at.pc = sampler.base + 1;
	at.link = 0;
	at.frame = address_of(2);
	at.low = address_of(0);
	at.high = address_of(32);
}

/* Takes a sample. Returns 1 if its return addresses are the first @count of those that make() makes. */
static int takes(unsigned int count)
{
	unsigned int i;
	int good;

	memset(slots, 0, sizeof(slots));
	bareprof_sample_stack(&ring, &at);
	good = bareprof_ring_drain(&ring, got, got + 4 * WORDS) == got + WORDS &&
	       got[0] == (uint32_t)(at.pc - sampler.base) + 1;
	for (i = 1; i < WORDS; i++)
		good &= got[i] == (i <= count ? 0x10 * i + 1 : 0);
	return good;
}

static void walk(void)
{
	unsigned int i;
	int good = 1;

	bareprof_ring_init(&ring, &sampler, slots, 4);
	make();
	check(takes(5), "all return addresses of a stack", NULL);
	/* Samples that are longer come before, so that a shorter one would show their words. */
	for (i = 0; i < 5; i++) {
		make();
		memset(slots, 0xff, sizeof(slots));
		stack[2 + 6 * i] = 0;
		good &= takes(i + 1);
	}
	check(good, "a stack ends at the frame record 0, and the rest of the sample is 0", NULL);
	make();
	at.pc = BASE + RANGE;
	bareprof_sample_stack(&ring, &at);
	check(ring.outside == 1 && bareprof_ring_drain(&ring, got, got + 4 * WORDS) == got, "a PC outside of the code",
		NULL);
	make();
	at.high = address_of(8) + 2 * sizeof(uintptr_t);
	good = takes(2);
	at.high--;
	good &= takes(1);
	at.high = address_of(2) + 2 * sizeof(uintptr_t) - 1;
	good &= takes(0);
	make();
	at.low = at.frame;
	good &= takes(5);
	at.low++;
	good &= takes(0);
	check(good, "records are read only within the bounds", NULL);
}

static void damaged(void)
{
	static const intptr_t wrong[] = {-1, 0, 1, 2, 3, (intptr_t) ~(uintptr_t)0 / 2, -8, -4096};
	unsigned int i;
	int good = 1;

	make();
	stack[8] = address_of(8);
	good &= takes(2);
	stack[8] = address_of(2);
	good &= takes(2);
	stack[14] = address_of(8);
	stack[8] = address_of(14);
	good &= takes(3);
	check(good, "a record that points to itself or downwards ends the stack", NULL);
	make();
	good = 1;
	for (i = 1; i < sizeof(uintptr_t); i++) {
		stack[8] = address_of(14) + i;
		good &= takes(2);
	}
	check(good, "a record that is not aligned ends the stack", NULL);
	good = 1;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		make();
		stack[8] = (uintptr_t)wrong[i];
		good &= takes(2);
		make();
		at.frame = (uintptr_t)wrong[i];
		good &= takes(0);
		make();
		at.low = 0;
		at.high = address_of(2);
		good &= takes(0);
	}
	check(good, "records at wrong addresses are not read", NULL);
	make();
	at.high = at.low;
	good = takes(0);
	at.low = ~(uintptr_t)0;
	at.high = 0;
	good &= takes(0);
	check(good, "no record is read if the bounds are empty", NULL);
	make();
	stack[9] = BASE - 1;
	good = takes(1);
	stack[9] = BASE + RANGE;
	good &= takes(1);
	stack[9] = 0;
	good &= takes(1);
	check(good, "a return address outside of the code ends the stack", NULL);
}

/* The last frame record ends where memory ends, so a read beyond the bounds would crash. */
static void edge(void)
{
	uint8_t *page = guarded(NULL, 1);
	uintptr_t *record;

	if (!check(page != NULL, "a page", NULL))
		return;
	record = (uintptr_t *)(page + 4096) - 2;
	record[0] = (uintptr_t)(record + 2);
	record[1] = BASE + 0x10;
	at.frame = (uintptr_t)record;
	at.low = (uintptr_t)page;
	at.high = (uintptr_t)page + 4096;
	check(takes(1), "the last frame record of the stack", NULL);
}

static void links(void)
{
	int good;

	make();
	at.link = BASE + 0x10;
	at.frame = 0;
	check(takes(1), "a link register without frame records", NULL);
	at.frame = address_of(8);
	good = takes(5);
	at.link = BASE - 1;
	good &= takes(0);
	check(good, "a link register comes before frame records", NULL);
}

/* In an image at the address 0, the address 0 is in the code. */
static void code_at_zero(void)
{
	int good;

	sampler.base = 0;
	make();
	stack[14] = 0;
	good = takes(3);
	stack[9] = 0;
	good &= takes(1);
	at.frame = 0;
	good &= takes(0);
	check(good, "the address 0 is never a return address", NULL);
	sampler.base = BASE;
}

/* A process calls the hook, while this one drains. The words of a sample all have the same offset. */
struct shared {
	struct bareprof_sampler sampler;
	struct bareprof_ring ring;
	uint32_t stop;
	uint32_t stopped;
	uint32_t calls;
	uint32_t slots[8 * WORDS];
};

static void take_samples(uint8_t *memory)
{
	struct shared *shared = (struct shared *)memory;
	struct bareprof_interrupted same = {0};
	uintptr_t record[2 * (WORDS - 1)];
	unsigned int i;

	if (!shared->ring.slots)
		return;
	while (!__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE)) {
		shared->calls++;
		/* The same PC comes often, with other return addresses. */
		same.pc = BASE + (shared->calls & 1);
		for (i = 0; i < WORDS - 1; i++) {
			record[2 * i] = (uintptr_t)&record[2 * i + 2];
			record[2 * i + 1] = BASE + (shared->calls & 0xffe);
		}
		same.frame = (uintptr_t)record;
		same.low = (uintptr_t)record;
		same.high = (uintptr_t)(record + 2 * (WORDS - 1));
		bareprof_sample_stack(&shared->ring, &same);
	}
	__atomic_store_n(&shared->stopped, 1, __ATOMIC_RELEASE);
	for (;;)
		continue;
}

static void race(void)
{
	uint8_t *memory;
	intptr_t process = beside(take_samples, &memory, 2);
	struct shared *shared = (struct shared *)memory;
	uint32_t read = 0;
	uint32_t mixed = 0;
	uint32_t round = 0;
	uint32_t empty = 0;

	if (!check(memory != NULL, "a process beside this one", NULL))
		return;
	shared->sampler = sampler;
	bareprof_ring_init(&shared->ring, &shared->sampler, shared->slots, 8);
	/* Ends with a drain that finds nothing and began after the last call of the hook. */
	while (!empty) {
		uint32_t stopped = __atomic_load_n(&shared->stopped, __ATOMIC_ACQUIRE);
		uint32_t *end = bareprof_ring_drain(&shared->ring, got, got + 4 * WORDS);
		uint32_t *sample;
		unsigned int i;

		for (sample = got; sample < end; sample += WORDS) {
			read++;
			for (i = 2; i < WORDS; i++)
				mixed += sample[i] != sample[1];
			mixed += sample[0] > 2;
		}
		empty = stopped && end == got;
		if (round++ == 100000000 || (read > 300 && shared->ring.dropped > 300))
			__atomic_store_n(&shared->stop, 1, __ATOMIC_RELEASE);
	}
	beside_end(process);
	check(!mixed, "no sample is a mixture of two", NULL);
	check(read + shared->ring.dropped == shared->calls, "samples and dropped samples add up to the calls", NULL);
	check(read > 300 && shared->ring.dropped > 300, "samples were read and dropped", NULL);
	note("samples read and dropped", "", read);
	note("", "", shared->ring.dropped);
}

void stacks(void)
{
	walk();
	damaged();
	edge();
	links();
	code_at_zero();
	race();
}

#else

void stacks(void)
{
}

#endif
