/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - starts the shell. The start-up code calls this file's function. */
#include "board.h"
#include "console.h"
#include "cov.h"
#include "idle.h"
#include "shell.h"

_Noreturn void kernel_main(void)
{
	board_init();
	cov_init();
	console_puts("bareprof demo on ");
	idle_board();
	console_puts("; help shows what it can do\n");
	shell();
}
