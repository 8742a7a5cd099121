/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_panic.c - dumps in the middle of an append to a value list, at each instruction of the append. Such a dump
 * comes from an NMI, or from a panic that stopped another CPU at any instruction.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

#include "promises.h"
#include "promises_step.h"

static void (*each)(void);
static size_t steps;
static bool stop;

static void trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	steps++;
	stop = false;
	each();
	if (stop)
		((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100ll;
}

void step_stop(void)
{
	stop = true;
}

void step_begin(void (*function)(void))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = trap;
	action.sa_flags = SA_SIGINFO;
	each = function;
	steps = 0;
	sigaction(SIGTRAP, &action, NULL);
}

size_t step_end(void)
{
	return steps;
}

static size_t busy;
static size_t calm;

static int see_it(uint64_t value)
{
	see(value);
	return 0;
}

static void try_to_hold(void)
{
	const struct bareprof_node *before = list();

	if (bareprof_values_hold(&values, 0)) {
		busy++;
		return;
	}
	/*
	 * The hold succeeded, so no append was in progress. No append can begin before the release, so the list must
	 * stay the same.
	 */
	calm++;
	EXPECT(list() == before);
	bareprof_values_release(&values);
}

void hold_is_busy_in_an_append(void)
{
	begin(100, true);
	see(1);
	busy = 0;
	STEP(try_to_hold, see_it(2));
	/* The lists must be busy at some instructions of the append, but not at the first and last instructions. */
	EXPECT(busy > 5 && calm > 5 && length() == 2 && seen(2) == 1);
	EXPECT(bareprof_values_hold(&values, 0) == BAREPROF_OK);
}

static void panic(void)
{
	const uintptr_t held = values.held;

	if (held)
		busy++;
	EXPECT(bareprof_values_hold(&values, 1) == BAREPROF_OK);
	EXPECT(bareprof_open(&dump, &image) == BAREPROF_OK);
	/* Undoes the hold, because the interrupted code continues here. After a real panic, it would not continue. */
	values.held = held;
}

void panic_is_never_busy(void)
{
	begin(100, true);
	busy = 0;
	STEP(panic, see_it(1));
	EXPECT(busy > 5);
}

static size_t countdown;
static bool done;

static void append_once(void)
{
	if (countdown--)
		return;
	see(3);
	done = true;
	step_stop();
}

void appends_at_once_lose_none(void)
{
	size_t i = 0;

	/* In round i, another append starts after i instructions of the first append. */
	do {
		memset(nodes, 0, sizeof(nodes));
		begin(100, true);
		see(1);
		countdown = i++;
		done = false;
		STEP(append_once, see_it(2));
		EXPECT(seen(1) == 1 && seen(2) + seen(3) + values.dropped == 1u + done);
		EXPECT(length() == 2u + done - values.dropped);
	} while (done);
	EXPECT(i > 20);
}

static uint64_t most_seen; /* All values that were recorded so far are between 100 and 100 + most_seen. */

/*
 * Checks that the list ends, that it has only values that were recorded, and that no count is above 3. A dump must
 * have complete value data.
 */
static void look(void)
{
	const struct bareprof_node *node;
	const uintptr_t held = values.held;
	intptr_t size;
	size_t n = 0;

	for (node = list(); node && n <= 30; node = node->next, n++) {
		EXPECT((const char *)node >= (char *)nodes && (const char *)node < values.pool[1].next);
		EXPECT(node->value >= 100 && node->value <= 100 + most_seen && node->count <= 3);
	}
	EXPECT(n <= 24);
	EXPECT(bareprof_values_hold(&values, 1) == BAREPROF_OK);
	EXPECT(bareprof_open(&dump, &image) == BAREPROF_OK);
	size = bareprof_read(&dump, 0, file, sizeof(file));
	EXPECT(size == (intptr_t)dump.size && is_whole((size_t)size));
	values.held = held;
}

void lists_are_whole_at_every_instruction(void)
{
	uint64_t i;

	/* This byte makes nodes that are not written yet differ from every valid node. */
	memset(nodes, 0xa5, sizeof(nodes));
	begin(1000, true);
	/*
	 * Records values that are new and values that are known. From the 25th value on, each value replaces another.
	 */
	for (i = 0; i < 30; i++) {
		most_seen = i;
		if (i > 1 && i < 22)
			see(100 + i);
		else
			STEP(look, see_it(100 + i));
		EXPECT(step_end() > 10);
	}
	STEP(look, see_it(101));
	EXPECT(length() == 24 && seen(129) == 1);
}
