/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - from the start-up code to the shell. */
#include "board.h"
#include "console.h"
#include "cov.h"
#include "shell.h"

_Noreturn void kernel_main(void)
{
	board_init();
	cov_init();
	console_printf("bareprof demo on %s; help shows what it can do\n", board_name);
	shell();
}
