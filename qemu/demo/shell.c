/* SPDX-License-Identifier: BSD-2-Clause */
/* shell.c - the table of commands, and the loop that executes them. */
#include <stddef.h>

#include "alloc.h"
#include "board.h"
#include "console.h"
#include "cov.h"
#include "crash.h"
#include "mip.h"
#include "race.h"
#include "sample.h"
#include "selftest.h"
#include "shell.h"
#include "strings.h"
#include "timer.h"

struct command {
	const char *name;
	const char *usage; /* the arguments, for the help text */
	const char *help;
	/*
	 * @argument is the text after the name of the command, or NULL. Returns 0, or -1 if @argument is not valid.
	 */
	int (*function)(const char *argument);
};

static int do_help(const char *argument);

static int do_test(const char *argument)
{
	if (selftest_run(argument) >= 0)
		return 0;
	console_printf("no test is called %s\n", argument);
	return 0;
}

static int do_cov(const char *argument)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} action[] = {
		{"info", cov_info},
		{"reset", cov_reset},
		{"dump", cov_dump},
		{"save", cov_save},
		{"counters", cov_counters},
		{"both", cov_both},
		{"save-counters", cov_save_counters},
		{"serve", cov_serve},
		{"repeat", cov_repeat},
	};
	size_t i;

#ifdef DEMO_SAMPLES
	if (argument != NULL && str_starts(argument, "sample ")) {
		sample_command(argument + sizeof("sample"));
		return 0;
	}
#endif
	for (i = 0; argument != NULL && i < sizeof(action) / sizeof(action[0]); i++) {
		if (str_equal(argument, action[i].name)) {
			action[i].function();
			return 0;
		}
	}
	return -1;
}

#ifdef DEMO_MIP
static int do_mip(const char *argument)
{
	if (argument != NULL && str_equal(argument, "info"))
		mip_info();
	else if (argument != NULL && str_equal(argument, "reset"))
		mip_reset();
	else if (argument != NULL && str_equal(argument, "dump"))
		mip_dump();
	else if (argument != NULL && str_equal(argument, "both"))
		mip_both();
	else if (argument != NULL && str_equal(argument, "save"))
		mip_save();
	else
		return -1;
	return 0;
}
#endif

static bool wake(struct timer *timer)
{
	(void)timer;
	return true;
}

static int do_sleep(const char *argument)
{
	static struct timer timer;
	uint32_t milliseconds;

	if (argument == NULL || !str_number(argument, &milliseconds) || milliseconds > 60000)
		return -1;
	timer_start(&timer, milliseconds * 1000, wake, NULL);
	timer_wait();
	return 0;
}

static int do_memory(const char *argument)
{
	struct alloc_state state;

	if (argument != NULL)
		return -1;
	alloc_state(&state);
	console_printf("%u pieces used, %u bytes free in %u, largest %u\n", state.used, state.free, state.pieces,
		state.largest);
	return 0;
}

static int do_race(const char *argument)
{
	if (argument != NULL && str_equal(argument, "start"))
		race_start();
	else if (argument != NULL && str_equal(argument, "stop"))
		console_printf("%u turns\n", race_stop());
	else
		return -1;
	return 0;
}

#ifdef DEMO_STRESS
/* This command is only in images that contain tests/runtime/smp/stress.c. */
void stress_run(uint32_t seconds);

static int do_stress(const char *argument)
{
	uint32_t seconds;

	if (argument == NULL || !str_number(argument, &seconds))
		return -1;
	stress_run(seconds);
	return 0;
}
#endif

static int do_panic(const char *argument)
{
	crash_panic(argument != NULL ? argument : "on request");
}

static int do_fault(const char *argument)
{
	if (argument != NULL)
		return -1;
	crash_fault();
	return 0;
}

static int do_hang(const char *argument)
{
	if (argument != NULL)
		return -1;
	crash_hang();
}

static int do_exit(const char *argument)
{
	uint32_t status = selftest_failures() > 0;

	if (argument != NULL && (!str_number(argument, &status) || status > 127))
		return -1;
	board_exit((int)status);
}

static const struct command commands[] = {
	{"help", "", "show this", do_help},
	{"test", "[NAME]", "run one self test, or all", do_test},
	{"cov", "info|reset|[save-]counters|dump|both|save", "look at, clear, print or save the profile", do_cov},
	{"cov", "serve|repeat", "answer for lost blocks up to cov end, or repeat", do_cov},
#ifdef DEMO_SAMPLES
	{"cov", "sample on|jitter HZ|off|dump|save|info|reset", "take samples of the program counter", do_cov},
#endif
#ifdef DEMO_MIP
	{"mip", "info|reset|dump|both|save", "look at, clear, print or save the machine profile", do_mip},
#endif
	{"sleep", "MILLISECONDS", "wait for a timer", do_sleep},
	{"memory", "", "show the state of the allocator", do_memory},
	{"race", "start|stop", "run one function on all other CPUs", do_race},
#ifdef DEMO_STRESS
	{"stress", "SECONDS", "dump, drain and reset while all other CPUs count", do_stress},
#endif
	{"panic", "[WHY]", "dump the profile and end with status 4", do_panic},
	{"fault", "", "jump to where no code is", do_fault},
	{"hang", "", "loop for ever", do_hang},
	{"exit", "[STATUS]", "end; without a status, 1 if a self test has failed", do_exit},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int do_help(const char *argument)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (argument == NULL || str_starts(commands[i].name, argument))
			console_printf("%-6s %-37s %s\n", commands[i].name, commands[i].usage, commands[i].help);
	return 0;
}

static void execute(char *line)
{
	char *word[2];
	size_t i;

	word[1] = NULL;
	if (str_split(line, word, 2) == 0)
		return;
	for (i = 0; i < COMMANDS; i++) {
		if (!str_equal(word[0], commands[i].name))
			continue;
		if (commands[i].function(word[1]) < 0)
			console_printf("usage: %s %s\n", commands[i].name, commands[i].usage);
		return;
	}
	console_printf("%s: unknown; try help\n", word[0]);
}

_Noreturn void shell(void)
{
	static char line[80];

	for (;;) {
		console_puts("> ");
		console_line(line, sizeof(line));
		execute(line);
	}
}
