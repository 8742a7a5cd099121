/* SPDX-License-Identifier: BSD-2-Clause */
/* timer.h - calls a function after a given time, in interrupt context. */
#ifndef TIMER_H
#define TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct timer;

/* The kernel calls this function when the time is over. If the function returns true, timer_wait() returns. */
typedef bool (*timer_function)(struct timer *timer);

struct timer {
	struct timer *next;
	uint32_t delta; /* microseconds from the previous timer in the list to this timer; first timer: from now */
	timer_function function;
	void *owner;
};

/* Starts @timer, which belongs to the kernel until it has fired or is stopped. */
void timer_start(struct timer *timer, uint32_t microseconds, timer_function function, void *owner);
/* Stops @timer. Returns false if the timer was not running. */
bool timer_stop(struct timer *timer);
/* Idles until a timer's function returns true, or until no timer is left. */
void timer_wait(void);

#endif
