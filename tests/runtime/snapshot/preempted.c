/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * preempted.c - the idle task, which dumps while interrupts run tasks that count. Before it dumps a snapshot, it
 * takes many snapshots, and stops at the first that is torn.
 */
#include <bareprof/snapshot.h>

#include "cov.h"
#include "preempted.h"
#include "profile.h"

#define COUNTERS 6000u
#define ENOUGH   200u /* stop after this many snapshots during which an interrupt came */
#define TRIES    3000000u

#ifdef __x86_64__
#define ENABLED 0x200u
#else
#define ENABLED 0u
#endif

static uint64_t memory[COUNTERS];
static uint64_t before[COUNTERS];
static struct bareprof_image then;
static struct bareprof_capture capture;
static uint64_t block[1024 / 8];
static uint32_t calls; /* index of the counter that counts the calls of work() */
static uint32_t branch; /* index of the counter of the last branch in work() */

static void say(const char *what, uint32_t number)
{
	static const uint32_t power[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	uint32_t i;
	char digit;

	while (*what != '\0')
		board_putc(*what++);
	for (i = 0; i < sizeof(power) / sizeof(power[0]); i++) {
		for (digit = '0'; number >= power[i]; digit++)
			number -= power[i];
		board_putc(digit);
	}
}

static int put(void *context, const void *data, size_t n)
{
	const char *c = data;

	(void)context;
	for (; n > 0; n--)
		board_putc(*c++);
	return 0;
}

/*
 * Finds the counters `calls` and `branch`. To find them, it compares two snapshots, with one call of work() between
 * them. This call changes three counters: in memory, `calls` is the first of them, and `branch` is the last. Returns 0,
 * or -1 if the counters are not as expected.
 */
static int find_counters(void)
{
	uint32_t n = (uint32_t)(kernel_image.section[BAREPROF_CNTS].size / 8);
	uint32_t i;

	if (bareprof_snapshot(&then, &kernel_image, before, sizeof(before)))
		return -1;
	work(0);
	if (bareprof_snapshot(&then, &kernel_image, memory, sizeof(memory)))
		return -1;
	for (calls = 0; calls < n && memory[calls] == before[calls]; calls++)
		;
	for (i = branch = calls; i < n; i++)
		if (memory[i] != before[i])
			branch = i;
	return branch > calls + 1000 ? 0 : -1;
}

/*
 * Returns true if the snapshot is torn. The idle task makes the snapshot. The idle task never runs in the middle of
 * work(), so the counters `calls` and `branch` of the image are equal whenever the idle task runs. In a torn snapshot,
 * these two counters differ.
 */
static bool is_torn(void)
{
	return memory[calls] != memory[branch];
}

static void snapshots(uint32_t how)
{
	uint32_t interrupted = 0;
	uint32_t torn = 0;
	uint32_t i;

	for (i = 0; i < TRIES && interrupted < ENOUGH && !torn; i++) {
		uint32_t at = ticks;

		if (how == 2)
			bareprof_snapshot_masked(&then, &kernel_image, memory, sizeof(memory));
		else
			bareprof_snapshot(&then, &kernel_image, memory, sizeof(memory));
		interrupted += ticks != at;
		torn += is_torn();
	}
	say("\nsnapshots ", i);
	say(" interrupted ", interrupted);
	say(" torn ", torn);
	board_putc('\n');
}

void stress_run(uint32_t how)
{
	if (find_counters()) {
		say("\nno counters ", branch);
		return;
	}
	board_timer(50);
	board_irq_restore(ENABLED);
	while (ticks < 10)
		;
	if (how)
		snapshots(how);
	else
		cov_dump();
	board_irq_save();
	if (how && !bareprof_capture_open(&capture, &then, board_nonce(), block, sizeof(block)))
		bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, NULL);
	say("\nticks ", ticks);
	board_putc('\n');
}
