/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_dumps.c - tests the promises about resets, and about a profile that changes while it is read.
 */
#include <bareprof/snapshot.h>

#include "promises.h"
#include "promises_step.h"

static size_t countdown;
static bool done;

/* Changes the first counter from 0 to a value with all bits set. So all its bits change at once. */
static void flip(void)
{
	if (countdown--)
		return;
	*(volatile uint64_t *)(uintptr_t)image.section[BAREPROF_CNTS].start = ~(uint64_t)0;
	done = true;
	step_stop();
}

static int read_counters(uint64_t *to, size_t n)
{
	/*
	 * STEP traps at each instruction, and a whole read has thousands of instructions. So the test calls only
	 * bareprof_copy(), because every read copies with this function.
	 */
	bareprof_copy(to, image.section[BAREPROF_CNTS].start, n);
	return 0;
}

void a_counter_is_seen_whole(void)
{
	size_t i = 0;

	begin(100, true);
	/* In round i, the counter changes after i instructions of the copy. */
	do {
		uint64_t counter[2] = {1, 1};

		*(uint64_t *)(uintptr_t)image.section[BAREPROF_CNTS].start = 0;
		countdown = i++;
		done = false;
		STEP(flip, read_counters(counter, sizeof(counter)));
		EXPECT(counter[0] == 0 || ~counter[0] == 0);
	} while (done);
	EXPECT(i > 20);
}

static void disturb(void)
{
	static uint64_t value = 1000;

	count_to(3);
	see(value++);
	see(1);
}

/* The sizes of a dump must stay the same, even if code adds counts and values wherever the runtime yields. */
void sizes_stay(void)
{
	intptr_t n;

	begin(100, true);
	see(1);
	EXPECT(!bareprof_values_hold(&values, 0) && !bareprof_open(&dump, &image));
	on_yield = disturb;
	n = bareprof_read(&dump, 0, file, sizeof(file));
	EXPECT(n == (intptr_t)dump.size && is_whole((size_t)n));
	n = bareprof_read(&dump, 0, NULL, ~(size_t)0);
	EXPECT(n == (intptr_t)dump.size);
	keep("sizes_stay", (size_t)dump.size);
}

void metadata_stays(void)
{
	static uint8_t before[sizeof(file)];
	size_t counters;
	size_t names;
	size_t size;

	begin(100, true);
	size = take_dump();
	EXPECT(size > 0);
	memcpy(before, file, size);
	on_yield = disturb;
	EXPECT(take_dump() == size);
	counters = dump.header_size + image.section[BAREPROF_DATA].size;
	names = counters + image.section[BAREPROF_CNTS].size;
	EXPECT(!memcmp(file, before, counters));
	EXPECT(!memcmp(file + names, before + names, size - names));
}

static struct bareprof_capture capture;

static void reset_once(void)
{
	on_yield = NULL;
	bareprof_reset(&image);
}

void reset_makes_stale(void)
{
	static uint64_t buffer[256];

	begin(100, true);
	EXPECT(!bareprof_values_hold(&values, 0) && !bareprof_open(&dump, &image));
	EXPECT(!bareprof_capture_values(&capture, &image, 1, buffer, sizeof(buffer)));
	EXPECT(bareprof_read(&dump, 0, file, 16) == 16 && bareprof_block(&capture, 0, buffer, sizeof(buffer)) > 0);
	bareprof_reset(&image);
	EXPECT(bareprof_read(&dump, 0, file, 16) == BAREPROF_E_STALE);
	EXPECT(bareprof_block(&capture, 1, buffer, sizeof(buffer)) == BAREPROF_E_STALE);
	/* If the counters are reset while a block is built, the block is stale. */
	EXPECT(!bareprof_capture_values(&capture, &image, 1, buffer, sizeof(buffer)));
	on_yield = reset_once;
	EXPECT(bareprof_block(&capture, capture.first[2], buffer, sizeof(buffer)) == BAREPROF_E_STALE);
	/* If the counters are reset during a read, the next read is stale. */
	EXPECT(!bareprof_open(&dump, &image));
	on_yield = reset_once;
	EXPECT(bareprof_read(&dump, 0, file, sizeof(file)) > 0);
	EXPECT(bareprof_read(&dump, dump.size, file, 0) == BAREPROF_E_STALE);
}

void release_makes_stale(void)
{
	static uint64_t buffer[256];

	begin(100, true);
	EXPECT(!bareprof_values_hold(&values, 0) && !bareprof_open(&dump, &image));
	EXPECT(!bareprof_capture_values(&capture, &image, 1, buffer, sizeof(buffer)));
	bareprof_values_release(&values);
	EXPECT(bareprof_read(&dump, 0, file, 16) == BAREPROF_E_STALE);
	EXPECT(bareprof_block(&capture, 1, buffer, sizeof(buffer)) == BAREPROF_E_STALE);
	/* A dump that is stale stays stale after the lists are held again. */
	EXPECT(!bareprof_values_hold(&values, 0));
	EXPECT(bareprof_read(&dump, 0, file, 16) == BAREPROF_E_STALE);
}

static bool zero(const struct bareprof_slice *span)
{
	const uint8_t *byte = span->start;
	size_t i;

	for (i = 0; i < span->size; i++)
		if (byte[i])
			return false;
	return true;
}

void reset_is_of_everything(void)
{
	begin(100, true);
	count_to(10);
	decide(1, 1, 0);
	see(1);
	EXPECT(!zero(&image.section[BAREPROF_CNTS]) && !zero(&image.section[BAREPROF_BITS]) && seen(1) == 1);
	bareprof_reset(&image);
	EXPECT(zero(&image.section[BAREPROF_CNTS]));
	EXPECT(zero(&image.section[BAREPROF_BITS]));
	EXPECT(seen(1) == 0);
}

void reset_never_relinks(void)
{
	static struct bareprof_node before[8];
	struct bareprof_node *node;
	uint64_t i;

	begin(8, true);
	for (i = 0; i < 8; i++)
		see(i);
	memcpy(before, nodes, sizeof(before));
	node = list();
	bareprof_reset(&image);
	EXPECT(list() == node);
	for (i = 0; i < 8; i++)
		EXPECT(nodes[i].value == before[i].value && nodes[i].next == before[i].next);
	/* The values that were recorded before the reset still have their nodes, so they need no new nodes. */
	for (i = 0; i < 8; i++)
		see(i);
	EXPECT(values.dropped == 0 && seen(7) == 1 && length() == 8);
	/* For a new value there is no free node, so the value is dropped. */
	see(100);
	EXPECT(values.dropped == 1 && length() == 8 && nodes[0].value == 0);
}

static uint64_t memory[1000];

void a_snapshot_stays(void)
{
	static uint8_t before[sizeof(file)];
	static struct bareprof_image then;
	size_t size;

	begin(100, true);
	count_to(10);
	see(1);
	size = take_dump();
	EXPECT(size > 0);
	memcpy(before, file, size);
	EXPECT(!bareprof_values_hold(&values, 0) && !bareprof_open(&dump, &image));
	EXPECT(!bareprof_snapshot(&then, &image, memory, sizeof(memory)));
	/* The open dump stays valid. The snapshot does not change when code counts from here on. */
	EXPECT(bareprof_read(&dump, 0, file, 16) == 16);
	count_to(10);
	decide(1, 1, 0);
	EXPECT(bareprof_write(&dump, &then, file, sizeof(file)) == (intptr_t)size && !memcmp(file, before, size));
	bareprof_reset(&image);
	EXPECT(!bareprof_open(&dump, &then) && bareprof_read(&dump, 0, file, dump.size) == (intptr_t)size);
	/* The two files are compared without their value data, because a snapshot shares the values with the image. */
	size = dump.header_size + image.section[BAREPROF_DATA].size + image.section[BAREPROF_CNTS].size;
	EXPECT(!memcmp(file, before, size));
}

static uint64_t added;

/* Increases a counter as code that is compiled with -fprofile-update=atomic does. */
static void increase(void)
{
	uint64_t *counter = (uint64_t *)(uintptr_t)image.section[BAREPROF_CNTS].start;

	__atomic_fetch_add(counter + added % image.counters, 1, __ATOMIC_RELAXED);
	added++;
}

static uint64_t sum(const struct bareprof_image *of)
{
	const uint64_t *counter = of->section[BAREPROF_CNTS].start;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < of->counters; i++)
		n += counter[i];
	return n;
}

void drain_and_rest_are_all(void)
{
	struct bareprof_image then;
	uint64_t drained = 0;
	unsigned int i;

	begin(100, true);
	bareprof_reset(&image);
	for (i = 0; i < 8; i++) {
		EXPECT(!STEP(increase, bareprof_drain(&then, &image, memory, sizeof(memory))));
		drained += sum(&then);
	}
	EXPECT(added > 500 && drained > 0 && drained + sum(&image) == added);
}

void drain_makes_stale(void)
{
	struct bareprof_image then;

	begin(100, true);
	EXPECT(!bareprof_values_hold(&values, 0) && !bareprof_open(&dump, &image));
	EXPECT(!bareprof_drain(&then, &image, memory, sizeof(memory)));
	EXPECT(bareprof_read(&dump, 0, file, 16) == BAREPROF_E_STALE);
	/* The drained counters belong to the previous generation. */
	EXPECT(image.generation == then.generation + 1);
}

void a_drain_leaves_lists(void)
{
	struct bareprof_image then;
	intptr_t n;

	begin(100, true);
	count_to(10);
	see(1);
	see(2);
	EXPECT(!bareprof_values_hold(&values, 0));
	EXPECT(!bareprof_drain(&then, &image, memory, sizeof(memory)));
	EXPECT(sum(&image) == 0 && seen(1) == 1 && length() == 2);
	n = bareprof_write(&dump, &then, file, sizeof(file));
	EXPECT(n > 0 && is_whole((size_t)n));
	keep("a_drain_leaves_lists", (size_t)n);
	bareprof_values_reset(&values);
	EXPECT(seen(1) == 0 && length() == 2);
}
