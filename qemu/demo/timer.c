/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timer.c - a tickless clock: a list of timers, ordered by time. Each timer stores the time that passes from the
 * previous timer in the list to itself. One interrupt is armed for the first timer.
 *
 * The clock advances only at the timer interrupt. The kernel arms the timer interrupt just before it
 * idles, and does not arm it again until it was raised. So the same list of timers causes the same
 * interrupts on every machine, no matter how long the tasks run.
 */
#include <stddef.h>

#include "board.h"
#include "idle.h"
#include "timer.h"

static struct timer *first;
static volatile int awake;

void timer_start(struct timer *timer, uint32_t microseconds, timer_function function, void *owner)
{
	struct timer **link = &first;
	uint32_t left = microseconds;

	/* Inserts @timer after the timers that expire at the same time, because these were started earlier. */
	while (*link != NULL && (*link)->delta <= left) {
		left -= (*link)->delta;
		link = &(*link)->next;
	}
	if (*link != NULL)
		(*link)->delta -= left;
	timer->delta = left;
	timer->function = function;
	timer->owner = owner;
	timer->next = *link;
	*link = timer;
}

bool timer_stop(struct timer *timer)
{
	struct timer **link = &first;

	while (*link != NULL && *link != timer)
		link = &(*link)->next;
	if (*link == NULL)
		return false;
	*link = timer->next;
	if (timer->next != NULL)
		timer->next->delta += timer->delta;
	return true;
}

static struct timer *pop(void)
{
	struct timer *timer = first;

	first = timer->next;
	return timer;
}

/* Arms the interrupt, at least 1 microsecond ahead, so that boards need not support a timeout of 0. */
static void arm(void)
{
	board_timer(first->delta > 0 ? first->delta : 1);
}

void kernel_tick(void)
{
	struct timer *timer;
	bool wake = false;

	if (first != NULL)
		first->delta = 0;
	while (first != NULL && first->delta == 0) {
		timer = pop();
		if (timer->function(timer))
			wake = true;
	}
	if (wake || first == NULL)
		awake = 1;
	else
		arm();
}

void timer_wait(void)
{
	if (first == NULL)
		return;
	awake = 0;
	arm();
	idle_until(&awake);
}
