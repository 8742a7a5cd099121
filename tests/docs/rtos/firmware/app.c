/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.c - the application: tests of the demo kernel, and then three tasks and a thread that never end. The commands on
 * the console are d (dump), a (an assertion fails) and f (a fault).
 */
#include "app.h"
#include "board.h"
#include "console.h"
#include "rtos.h"
#include "selftest.h"
#include "task.h"

volatile int app_wants_dump;

void app_worker(void)
{
	uint32_t rounds = 0;

	for (;;)
		mix(rounds++);
}

static uint32_t sampler(struct task *task)
{
	mix(task->steps);
	return 150;
}

static uint32_t printer(struct task *task)
{
	rtos_lock();
	console_printf("step %u\n", task->steps);
	rtos_unlock();
	return 300;
}

void selftest_expect(bool holds, const char *condition, const char *file, int line)
{
	if (!holds)
		hook_assert(condition, file, line);
}

static uint32_t reader(struct task *task)
{
	switch (board_getc()) {
	case 'd':
		app_wants_dump = 1;
		break;
	case 'a':
		EXPECT(task->steps == 0);
		break;
	case 'f':
		((void (*)(void))(uintptr_t)0xe0000000u)();
		break;
	default:
		break;
	}
	return 1000;
}

void app_kernel(void)
{
	static struct task tasks[] = {
		{.name = "sampler", .step = sampler, .priority = 3},
		{.name = "printer", .step = printer, .priority = 2},
		{.name = "reader", .step = reader, .priority = 1},
	};
	uint32_t i;

	board_irq_save();
	test_strings();
	test_format();
	test_ring();
	test_alloc();
	test_timer();
	test_task();
	console_puts("tests passed\n");
	for (i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		task_add(&tasks[i]);
	task_run();
}
