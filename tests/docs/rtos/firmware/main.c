/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - prepares memory and the board, starts the threads, and becomes the idle thread. */
#include "app.h"
#include "board.h"
#include "interrupt.h"
#include "rtos.h"

extern uint32_t _sidata[], _sdata[], _edata[], _sbss[], _ebss[];
void start(void);

__attribute__((weak)) void hook_ram(void)
{
}

__attribute__((weak)) void hook_idle(void)
{
}

__attribute__((weak)) void hook_assert(const char *condition, const char *file, int line)
{
	(void)condition;
	(void)file;
	(void)line;
	board_exit(4);
}

__attribute__((weak)) void hook_fault(void)
{
	board_exit(3);
}

void start(void)
{
	static uint32_t kernel_stack[512] __attribute__((aligned(8)));
	static uint32_t worker_stack[128] __attribute__((aligned(8)));
	uint32_t *to;

	for (to = _sdata; to < _edata; to++)
		*to = _sidata[to - _sdata];
	for (to = _sbss; to < _ebss; to++)
		*to = 0;
	hook_ram();
	board_console();
	board_init();
	rtos_thread(RTOS_KERNEL, app_kernel, kernel_stack, sizeof(kernel_stack) / 4);
	rtos_thread(RTOS_WORKER, app_worker, worker_stack, sizeof(worker_stack) / 4);
	rtos_run();
	for (;;)
		hook_idle();
}
