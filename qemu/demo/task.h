/* SPDX-License-Identifier: BSD-2-Clause */
/* task.h - cooperative tasks that run one step at a time. */
#ifndef TASK_H
#define TASK_H

#include <stdint.h>

#include "timer.h"

#define TASK_MAX 8u

enum task_state {
	TASK_READY,
	TASK_SLEEPING,
	TASK_DONE,
};

struct task;

/*
 * One step of a task. Returns the time in microseconds for which the task should sleep, or one of
 * the two constants below.
 */
typedef uint32_t (*task_step)(struct task *task);
#define TASK_AGAIN  0u /* run again, after the other tasks of the same priority */
#define TASK_FINISH UINT32_MAX

struct task {
	const char *name;
	task_step step;
	void *data; /* an argument for the step function */
	uint32_t priority; /* tasks with larger numbers run first */
	/* The scheduler owns the fields below. */
	enum task_state state;
	uint32_t steps; /* number of steps so far */
	uint32_t slot;
	struct task *next;
	struct timer timer;
};

/* Makes @task ready. Returns -1 if there are already TASK_MAX tasks. */
int task_add(struct task *task);
/* Runs all tasks until the last one is done. */
void task_run(void);

#endif
