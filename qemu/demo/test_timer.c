/* SPDX-License-Identifier: BSD-2-Clause */
/* test_timer.c - tests that each timer fires once, the earliest timer first, and that a stopped timer does not fire. */
#include "selftest.h"
#include "timer.h"

#define TIMERS 5u

static struct timer timers[TIMERS];
static volatile uint32_t fired;
static volatile uint32_t order; /* one decimal digit for each timer that fired */

static bool note(struct timer *timer)
{
	fired++;
	order = order * 10 + (uint32_t)(timer - timers);
	return false;
}

static bool note_and_wake(struct timer *timer)
{
	note(timer);
	return true;
}

/* Starts the timer again until the timer has fired three times. */
static bool again(struct timer *timer)
{
	note(timer);
	if (fired < 3)
		timer_start(timer, 300, again, NULL);
	return false;
}

static void begin(void)
{
	fired = 0;
	order = 0;
}

void test_timer(void)
{
	begin();
	timer_wait(); /* returns at once, because no timer is running */
	EXPECT(fired == 0);

	timer_start(&timers[3], 900, note, NULL);
	timer_start(&timers[1], 300, note, NULL);
	timer_start(&timers[4], 1200, note, NULL);
	timer_start(&timers[2], 300, note, NULL);
	timer_wait();
	EXPECT(fired == 4);
	EXPECT(order == 1234);

	begin();
	timer_start(&timers[1], 200, note_and_wake, NULL);
	timer_start(&timers[2], 400, note, NULL);
	timer_start(&timers[3], 600, note, NULL);
	timer_wait();
	EXPECT(order == 1);
	EXPECT(timer_stop(&timers[2]));
	EXPECT(!timer_stop(&timers[2]));
	timer_wait();
	EXPECT(order == 13);

	begin();
	timer_start(&timers[4], 100, again, NULL);
	timer_wait();
	EXPECT(order == 444);
}
