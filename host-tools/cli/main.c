/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - finds the command in the command line, parses the options of the command, and runs the command. */
#include "bytes.h"
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
	&command_reset, &command_info, &command_merge, &command_convert, &command_show, &command_compare,
	&command_report, &command_doctor, &command_mip_cc, &command_mip_as, &command_mip_create, &command_mip_merge,
	&command_mip_show, &command_mip_report, &command_mip_convert, &command_mip_order, &command_mip_graph,
	&command_probes_check, &command_probes_show, &command_sample_start, &command_sample_stop, &command_sample_show,
	&command_sample_merge, &command_sample_profile, NULL};
#define COMMANDS (sizeof(commands) / sizeof(*commands) - 1)

static const char *const exit_codes[] = {
	"success",
	"the profile or another input is damaged, incomplete or does not match",
	"the command line is wrong",
	"a file cannot be opened or written, or a tool is missing",
	"run: the guest failed and reported no status, or with --each a test failed",
	"run: the guest did not end in time; pull: --timeout expired",
	"report: coverage is below --fail-under; compare: fewer counts fit than --fail-under",
	"check: warnings, but no errors; report: impossible counts, or an incomplete report",
	NULL,
};
static const char exit_remark[] = "run exits with the status of the guest if that is not 0.";

/* Prints the name and the summary of each command whose name starts with @prefix. */
static void list_commands(const char *prefix)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (starts_with(commands[i]->name, prefix))
			printf("  %-14s  %s\n", commands[i]->name, commands[i]->summary);
}

static void help(void)
{
	size_t i;

	printf("bareprof - LLVM profiles of programs without an operating system\n\n"
	       "usage: bareprof COMMAND [OPTIONS] [FILES]\n\n");
	list_commands("");
	printf("\n'bareprof COMMAND --help' describes a command.\n\nexit codes:\n");
	for (i = 0; exit_codes[i]; i++)
		printf("  %zu  %s\n", i, exit_codes[i]);
	printf("%s\n", exit_remark);
}

/* Commands whose names have two words. The first word is the name of the group. */
static const struct {
	const char *name;
	const char *prefix; /* the start of the names of the commands in the group */
	const char *summary;
} groups[] = {
	{"mip", "mip ", "machine profiles: which functions ran, how often and in which order"},
	{"probes", "probes ", "pseudo probes: blocks and calls in the machine code, for profiles made from samples"},
	{"sample", "sample ", "samples of the program counter: where a running system spends its time"},
};
#define GROUPS (sizeof(groups) / sizeof(*groups))

/* Returns the index of the group with the name @name, or GROUPS if there is none. */
static size_t find_group(const char *name)
{
	size_t i = 0;

	while (i < GROUPS && strcmp(groups[i].name, name) != 0)
		i++;
	return i;
}

static void group_help(size_t group)
{
	printf("bareprof %s - %s\n\nusage: bareprof %s COMMAND [OPTIONS] [FILES]\n\n", groups[group].name,
		groups[group].summary, groups[group].name);
	list_commands(groups[group].prefix);
	printf("\n'bareprof %s COMMAND --help' describes a command.\n", groups[group].name);
}

/* Returns whether the @count words of @words begin with the words of the command's name. */
static bool is_named(const struct command *command, int count, char *const *words)
{
	const char *second = strchr(command->name, ' ');
	size_t n = second ? (size_t)(second - command->name) : strlen(command->name);

	return strlen(words[0]) == n && !memcmp(words[0], command->name, n) &&
	       (!second || (count > 1 && !strcmp(words[1], second + 1)));
}

/*
 * Returns the command that the first of the @count words of @words name, or NULL. If there is such a command, sets
 * *@used to the number of words in its name.
 */
static const struct command *find_command(int count, char *const *words, int *used)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (is_named(commands[i], count, words)) {
			*used = strchr(commands[i]->name, ' ') ? 2 : 1;
			return commands[i];
		}
	return NULL;
}

/* @words are the @count words that should begin with the name of a command. */
static enum status refuse_unknown(int count, char *const *words)
{
	bool in_group = find_group(words[0]) < GROUPS && count > 1;
	char *name = in_group ? format("%s %s", words[0], words[1]) : format("%s", words[0]);
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
	free(name);
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
	bool asks_help;

	status = options_parse(command, argc, argv, &asks_help);
	if (status != STATUS_OK)
		return status;
	if (asks_help) {
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
	/* A filter of messages may need memory, too. */
	messages_ask(NULL, NULL);
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

/* Handles 'bareprof help WORDS'. @words are the @count words that follow "help", ended by NULL. */
static enum status help_about(int count, char *const *words)
{
	const struct command *command;
	int used;

	if (!count || !strcmp(words[0], "help")) {
		help();
		return STATUS_OK;
	}
	/* host.mk builds the manual page with 'help --man'. */
	if (!strcmp(words[0], "--man")) {
		manual_print(commands, exit_codes, exit_remark);
		return STATUS_OK;
	}
	command = find_command(count, words, &used);
	if (command)
		command_help(command);
	else if (count == 1 && find_group(words[0]) < GROUPS)
		group_help(find_group(words[0]));
	else
		return refuse_unknown(count, words);
	return STATUS_OK;
}

/* Returns whether @word, which may be NULL, is a request for help. */
static bool wants_help(const char *word)
{
	return !word || !strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h");
}

int main(int argc, char **argv)
{
	const struct command *command;
	int used;

	handle_signals();
	if (!open_streams())
		return STATUS_SYSTEM;
	argv++;
	argc--;
	if (argc > 0 && (!strcmp(argv[0], "--version") || !strcmp(argv[0], "-V") || !strcmp(argv[0], "version"))) {
		printf("bareprof %d.%d\n", BAREPROF_VERSION_MAJOR, BAREPROF_VERSION_MINOR);
		return finish(STATUS_OK);
	}
	if (argc < 1 || wants_help(argv[0]))
		return finish(help_about(argc > 0 ? argc - 1 : 0, argv + 1));
	if (find_group(argv[0]) < GROUPS && wants_help(argv[1])) {
		/* 'bareprof mip help create' is the same as 'bareprof help mip create'. */
		if (argc > 2)
			argv[1] = argv[0];
		return finish(help_about(argc > 2 ? argc - 1 : 1, argc > 2 ? argv + 1 : argv));
	}
	command = find_command(argc, argv, &used);
	if (!command)
		return (int)refuse_unknown(argc, argv);
	return finish(run_command(command, argc - used, argv + used));
}
