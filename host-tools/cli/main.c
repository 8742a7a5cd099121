/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - finds the command in the command line, parses the options of the command, and runs the command. */
#include "child.h"
#include "commands.h"
#include "exit.h"
#include "manual.h"
#include "outputs.h"
#include "unfinished.h"

#include <bareprof/bareprof.h>
#include <bareprof/profile.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The help lists the commands in the order of this table, which is the order in which users usually need them. */
static const struct command *const commands[] = {&command_check, &command_stamp, &command_run, &command_pull,
	&command_reset, &command_info, &command_merge, &command_convert, &command_show, &command_report, NULL};
#define COMMANDS (sizeof(commands) / sizeof(*commands) - 1)

static const char *const exit_codes[] = {
	"success",
	"the profile or another input is damaged, incomplete or does not match",
	"the command line is wrong",
	"a file cannot be opened or written, or a tool is missing",
	"run: the guest failed and reported no status, or with --each a test failed",
	"run: the guest did not end in time; pull: --timeout expired",
	"report: coverage is below --fail-under",
	"check: warnings, but no errors; report: impossible counts, or an incomplete report",
	NULL,
};
static const char exit_remark[] = "run exits with the status of the guest if that is not 0.";

static void help(void)
{
	size_t i;

	printf("bareprof - LLVM profiles of programs without an operating system\n\n"
	       "usage: bareprof COMMAND [OPTIONS] [FILES]\n\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	printf("\n'bareprof COMMAND --help' describes a command.\n\nexit codes:\n");
	for (i = 0; exit_codes[i]; i++)
		printf("  %zu  %s\n", i, exit_codes[i]);
	printf("%s\n", exit_remark);
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static enum status refuse_unknown(const char *name)
{
	const char *names[COMMANDS + 1];
	const char *like;
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		names[i] = commands[i]->name;
	names[COMMANDS] = NULL;
	like = nearest(name, names);
	if (like)
		complain(NULL, "there is no command '%s'; did you mean '%s'?", name, like);
	else
		complain(NULL, "there is no command '%s'; 'bareprof help' lists all commands", name);
	return STATUS_USAGE;
}

/*
 * Writes buffered standard output and returns the exit code. If standard output cannot be written, a command that
 * succeeded fails with SYSTEM.
 */
static int finish(enum status status)
{
	bool failed = ferror(stdout) != 0;

	failed = fflush(stdout) || failed;
	/* If the reader of the pipe, such as `head`, closed the pipe early, end by SIGPIPE without an error message. */
	if (failed && errno == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	if (failed && status == STATUS_OK) {
		complain("standard output", "cannot be written: %s", strerror(errno));
		return STATUS_SYSTEM;
	}
	return (int)status;
}

static enum status run_command(const struct command *command, int argc, char **argv)
{
	enum status status;
	bool wants_help;

	status = options_parse(command, argc, argv, &wants_help);
	if (status != STATUS_OK)
		return status;
	if (wants_help) {
		command_help(command);
		return STATUS_OK;
	}
	status = outputs_check(command, argv);
	return status == STATUS_OK ? command->run(argv) : status;
}

/*
 * Replaces the library's bareprof_out_of_memory(). The library's function calls abort(). This function removes
 * incomplete outputs and temporary files, and then ends the program with the exit code SYSTEM.
 */
void bareprof_out_of_memory(void)
{
	complain(NULL, "out of memory");
	unfinished_remove();
	temporary_remove_last();
	exit(STATUS_SYSTEM);
}

/* Handles a signal that the command does not catch: removes output files that are not yet complete, then ends. */
static void end_by_signal(int number)
{
	unfinished_remove();
	signal(number, SIG_DFL);
	raise(number);
}

static void handle_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGPIPE};
	struct sigaction action;
	size_t i;

	/* Ignore SIGXFSZ, so that a write above the limit of the file size fails, and the error is reported. */
	signal(SIGXFSZ, SIG_IGN);
	/*
	 * Do not handle a signal that the parent process has set to be ignored. For example, nohup sets SIGHUP to be
	 * ignored.
	 */
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler == SIG_DFL)
			signal(numbers[i], end_by_signal);
}

/*
 * Opens /dev/null for each standard stream that the calling shell closed (2>&-). Otherwise the next file that this
 * program opens would get the number of a closed stream, and messages would be written into this file. Returns false if
 * standard output was closed; the program must then do nothing.
 */
static bool open_streams(void)
{
	bool has_output = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	if (!has_output)
		complain("standard output", "is closed; send it to a file, or to /dev/null");
	return has_output;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "help";
	const struct command *command;

	handle_signals();
	if (!open_streams())
		return STATUS_SYSTEM;
	if (!strcmp(name, "--version") || !strcmp(name, "-V") || !strcmp(name, "version")) {
		printf("bareprof %d.%d\n", BAREPROF_VERSION_MAJOR, BAREPROF_VERSION_MINOR);
		return finish(STATUS_OK);
	}
	if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
		/* host.mk builds the manual page with 'help --man'. */
		if (argc > 2 && !strcmp(argv[2], "--man")) {
			manual_print(commands, exit_codes, exit_remark);
			return finish(STATUS_OK);
		}
		command = argc > 2 ? find_command(argv[2]) : NULL;
		if (argc > 2 && !command && strcmp(argv[2], "help"))
			return (int)refuse_unknown(argv[2]);
		if (command)
			command_help(command);
		else
			help();
		return finish(STATUS_OK);
	}
	command = find_command(name);
	if (!command)
		return (int)refuse_unknown(name);
	return finish(run_command(command, argc - 2, argv + 2));
}
