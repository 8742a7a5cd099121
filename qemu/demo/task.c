/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.c - a run queue, ordered by priority. A sleeping task is not in the queue. When the task's
 * timer fires, it puts the task's slot into a ring, in interrupt context. The scheduler empties the
 * ring before it selects the next task.
 */
#include <stddef.h>

#include "ring.h"
#include "task.h"

static struct task *tasks[TASK_MAX];
static struct task *ready;
static struct ring woken;
static uint32_t sleeping;

static void make_ready(struct task *task)
{
	struct task **link = &ready;

	while (*link != NULL && (*link)->priority >= task->priority)
		link = &(*link)->next;
	task->state = TASK_READY;
	task->next = *link;
	*link = task;
}

int task_add(struct task *task)
{
	uint32_t slot;

	for (slot = 0; slot < TASK_MAX; slot++) {
		if (tasks[slot] != NULL)
			continue;
		tasks[slot] = task;
		task->slot = slot;
		task->steps = 0;
		make_ready(task);
		return 0;
	}
	return -1;
}

/* Runs in interrupt context, so it must not touch the run queue. */
static bool on_timer(struct timer *timer)
{
	struct task *task = timer->owner;

	/* The ring is never full: each task has at most one entry, and there is space for two entries of each task. */
	return ring_put(&woken, (uint8_t)task->slot);
}

static void collect_woken(void)
{
	int slot;

	while ((slot = ring_get(&woken)) >= 0) {
		sleeping--;
		make_ready(tasks[slot]);
	}
}

static void run_one(void)
{
	struct task *task = ready;
	uint32_t wish;

	ready = task->next;
	task->steps++;
	wish = task->step(task);
	switch (wish) {
	case TASK_AGAIN:
		make_ready(task);
		break;
	case TASK_FINISH:
		task->state = TASK_DONE;
		tasks[task->slot] = NULL;
		break;
	default:
		task->state = TASK_SLEEPING;
		sleeping++;
		timer_start(&task->timer, wish, on_timer, task);
		break;
	}
}

void task_run(void)
{
	for (;;) {
		collect_woken();
		if (ready != NULL)
			run_one();
		else if (sleeping > 0)
			timer_wait();
		else
			return;
	}
}
