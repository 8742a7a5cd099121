/* SPDX-License-Identifier: BSD-2-Clause */
/* task.h - cooperative tasks that run a step at a time. */
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
 * One step of a task. Returns for how many microseconds the task wants to
 * sleep, or one of the two below.
 */
typedef uint32_t (*task_step)(struct task *task);
#define TASK_AGAIN  0u /* after the others of the same priority */
#define TASK_FINISH UINT32_MAX

struct task {
	const char *name;
	task_step step;
	void *data; /* the step's own */
	uint32_t priority; /* a larger one goes first */
	/* The rest is the scheduler's. */
	enum task_state state;
	uint32_t steps; /* how often it ran */
	uint32_t slot;
	struct task *next;
	struct timer timer;
};

/* Make @task ready; -1 if there are TASK_MAX already. */
int task_add(struct task *task);
/* Run all tasks until the last one is done. */
void task_run(void);

#endif
