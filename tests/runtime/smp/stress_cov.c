/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress_cov.c - the work of CPU 0 while the other CPUs count. It dumps, drains and resets, and sends every profile
 * over the board's channel. Before each profile it sends a word that names the kind of the profile.
 */
#include <bareprof/snapshot.h>

#include "cpus.h"
#include "profile.h"
#include "stress.h"

/*
 * The pause before each round, in microseconds. Without it, one minute would make more profiles than the test can
 * check.
 */
#define PAUSE 20000u

/*
 * On a busy host, the time may end after a few rounds. Therefore at least ROUNDS_MIN rounds are run, and for dropped
 * values the test waits up to PATIENCE microseconds longer.
 */
#define ROUNDS_MIN 8u
#define PATIENCE   20000000ull

static uint64_t profile[(1 << 18) / 8];
static uint64_t counters[(1 << 16) / 8];
static struct bareprof_image drained;
static struct bareprof_dump dump;
static uint32_t busy;

static void say(const char *what, uint64_t number)
{
	char digits[20];
	unsigned int n = 0;

	while (*what)
		board_putc(*what++);
	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (n)
		board_putc(digits[--n]);
}

static void send(const char kind[8], intptr_t n)
{
	uint64_t size = (uint64_t)n;

	if (n < 0) {
		say("\nfailed: ", (uint64_t)-n);
		say("\n", 0);
		return;
	}
	board_write(kind, 8);
	board_write(&size, 8);
	board_write(profile, size);
}

static void hold(void)
{
	while (bareprof_values_hold(bareprof_global_state.images, 0))
		busy++;
}

static void dump_it(const char kind[8], const struct bareprof_image *image)
{
	intptr_t n = bareprof_write(&dump, image, profile, sizeof(profile));

	bareprof_values_release(bareprof_global_state.images);
	send(kind, n);
}

static void drain(void)
{
	int error;

	hold();
	error = bareprof_drain(&drained, &kernel_image, counters, sizeof(counters));
	if (error)
		send("failed  ", error);
	dump_it("drained ", &drained);
}

/* Reads the live profile in windows, and sends it. A reset between two windows would make the dump stale. */
static void windows(void)
{
	size_t at = 0;
	intptr_t n;

	hold();
	n = bareprof_open(&dump, &kernel_image);
	while (!n && at < dump.size) {
		n = bareprof_read(&dump, at, (char *)profile + at, 1000);
		at += n > 0 ? (size_t)n : 0;
		n = n > 0 ? 0 : n ? n : -1;
	}
	bareprof_values_release(bareprof_global_state.images);
	send("windows ", n < 0 ? n : (intptr_t)at);
}

void stress_run(uint32_t seconds)
{
	struct bareprof_values *values = bareprof_global_state.images;
	struct bareprof_node *nodes = (struct bareprof_node *)(void *)values->pool[1].start;
	size_t n = (size_t)(values->pool[1].end - values->pool[1].start) / sizeof(*nodes);
	uint64_t turns = 0;
	uint64_t ticks = 0;
	uint64_t end = stress_time() + seconds * 250000ull;
	uint32_t rounds = 0;
	uint32_t i;

	/*
	 * The first part resets the counters, which loses counts. Therefore the sums of the profiles of this part are
	 * not checked.
	 */
	stress_begin();
	for (; stress_time() < end || rounds < ROUNDS_MIN; rounds++) {
		cpu_delay(PAUSE);
		bareprof_reset(&kernel_image);
		hold();
		dump_it("reset   ", &kernel_image);
	}
	stress_end();
	/* For the second part, all counters and values start again from zero. */
	bareprof_reset(&kernel_image);
	if (bareprof_values_start(values, &kernel_image, nodes, n))
		send("failed  ", BAREPROF_E_NO_SPACE);
	for (i = 0; i < BOARD_CPUS_MAX; i++)
		own[i].turns = own[i].ticks = 0;
	busy = 0;
	hold();
	stress_begin();
	end = stress_time() + seconds * 750000ull;
	/* Keeps the lists held until the CPUs have dropped enough values. */
	while (__atomic_load_n(&values->dropped, __ATOMIC_RELAXED) < 1000 && stress_time() < end + PATIENCE)
		;
	bareprof_values_release(values);
	for (rounds = 0; stress_time() < end || rounds < ROUNDS_MIN; rounds++) {
		cpu_delay(PAUSE);
		hold();
		dump_it("dump    ", &kernel_image);
		drain();
		windows();
	}
	stress_end();
	hold();
	dump_it("rest    ", &kernel_image);
	for (i = 0; i < BOARD_CPUS_MAX; i++) {
		say("\ncpu ", i);
		say(" turns ", own[i].turns);
		say(" ticks ", own[i].ticks);
		turns += own[i].turns;
		ticks += own[i].ticks;
	}
	say("\nall turns ", turns);
	say(" ticks ", ticks);
	say(" dropped ", values->dropped);
	say(" busy ", busy);
	say(" unknown ", bareprof_global_state.dropped);
	say("\nstress done ", rounds);
	board_putc('\n');
}
