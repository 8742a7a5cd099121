/* SPDX-License-Identifier: BSD-2-Clause */
/* test_task.c - tests that tasks run in the order of priority, sleep, and finish. */
#include "selftest.h"
#include "strings.h"
#include "task.h"

/* The steps that were run, one letter for each step. */
static char trace[32];
static uint32_t traced;

static void note(const struct task *task)
{
	if (traced + 1 < sizeof(trace))
		trace[traced++] = task->name[0];
	trace[traced] = '\0';
}

/* Runs three steps, then finishes. */
static uint32_t thrice(struct task *task)
{
	note(task);
	return task->steps < 3 ? TASK_AGAIN : TASK_FINISH;
}

/* Sleeps twice, for *data microseconds each. */
static uint32_t sleeper(struct task *task)
{
	const uint32_t *nap = task->data;

	note(task);
	return task->steps < 3 ? *nap : TASK_FINISH;
}

static uint32_t once(struct task *task)
{
	note(task);
	return TASK_FINISH;
}

static void set(struct task *task, const char *name, task_step step, uint32_t priority)
{
	task->name = name;
	task->step = step;
	task->priority = priority;
}

void test_task(void)
{
	static struct task task[TASK_MAX + 1];
	static uint32_t nap[2] = {400, 1000};
	uint32_t i;

	traced = 0;
	set(&task[0], "a", thrice, 1);
	set(&task[1], "b", thrice, 1);
	set(&task[2], "s", sleeper, 2);
	set(&task[3], "t", sleeper, 3);
	task[2].data = &nap[0];
	task[3].data = &nap[1];
	for (i = 0; i < 4; i++)
		EXPECT(task_add(&task[i]) == 0);
	EXPECT(task[0].state == TASK_READY);
	task_run();
	/* The two sleeping tasks, s and t, run first. The clock does not advance until a and b have finished. */
	EXPECT(str_equal(trace, "tsabababsstt"));
	EXPECT(task[2].steps == 3);
	EXPECT(task[3].state == TASK_DONE);

	traced = 0;
	for (i = 0; i < TASK_MAX; i++) {
		set(&task[i], &"01234567"[i], once, i & 1);
		EXPECT(task_add(&task[i]) == 0);
	}
	EXPECT(task_add(&task[TASK_MAX]) == -1);
	task_run();
	EXPECT(str_equal(trace, "13570246"));
}
