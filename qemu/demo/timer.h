/* SPDX-License-Identifier: BSD-2-Clause */
/* timer.h - calls a function after a while, from interrupt context. */
#ifndef TIMER_H
#define TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct timer;

/* Called when the time is over. True: whoever waits in timer_wait() goes on. */
typedef bool (*timer_function)(struct timer *timer);

struct timer {
	struct timer *next;
	uint32_t delta; /* microseconds after the timer before it in the list */
	timer_function function;
	void *owner;
};

/* Start @timer; it is the kernel's until it has fired or is stopped. */
void timer_start(struct timer *timer, uint32_t microseconds, timer_function function, void *owner);
/* False if it was not running. */
bool timer_stop(struct timer *timer);
/* Idle until a function has said true, or no timer is left. */
void timer_wait(void);

#endif
