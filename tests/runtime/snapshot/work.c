/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - the instrumented part: a function that only tasks call, and the timer interrupt. The tasks run in this
 * interrupt, so they preempt the idle task in preempted.c.
 */
#include "preempted.h"
#include "task.h"

/* The boards call kernel_tick(). In this image, EXTRA renames the demo's own kernel_tick() to timer_tick(). */
#undef kernel_tick
void kernel_tick(void);
void timer_tick(void);

#define CALLS 3u /* the number of calls of work() by each task in each interrupt */

volatile uint32_t ticks;
static volatile uint32_t sink;
static volatile bool always = true;
static struct task task;

#define CASE(n)                                                                                                        \
	case n:                                                                                                        \
		sink += n;                                                                                             \
		break;
#define CASES4(n)   CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASES16(n)  CASES4(n) CASES4(n + 4) CASES4(n + 8) CASES4(n + 12)
#define CASES64(n)  CASES16(n) CASES16(n + 16) CASES16(n + 32) CASES16(n + 48)
#define CASES256(n) CASES64(n) CASES64(n + 64) CASES64(n + 128) CASES64(n + 192)

/*
 * In memory, the counter of the calls comes first, then the counters of the cases, then the counter of the last
 * branch. A dump or snapshot copies the counters in this order. In the meantime, tasks can call work(), so the two
 * copied counts can come from different moments. The host computes the count of the line "never": it subtracts the
 * count of the last branch from the count of the calls.
 */
void work(uint32_t n)
{
	switch (n % 1024) {
		CASES256(0)
		CASES256(256)
		CASES256(512)
		CASES256(768)
	}
	if (always)
		sink += 1;
	else
		sink += 2; /* never */
}

static uint32_t step(struct task *self)
{
	uint32_t i;

	for (i = 0; i < CALLS; i++)
		work(ticks * 7 + i);
	return self->steps < 2 ? TASK_AGAIN : TASK_FINISH;
}

void kernel_tick(void)
{
	ticks++;
	task.name = "work";
	task.step = step;
	task_add(&task);
	task_run();
	board_timer(20 + ticks * 37 % 101);
}
