/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - commands described by tables: parsing, help and complaints all
 * come from the same description.
 */
#ifndef BAREPROF_HOST_OPTIONS_H
#define BAREPROF_HOST_OPTIONS_H

#include "error.h"

#include <stdbool.h>

/* How often an option may be given that keeps all its arguments. */
#define OPTION_TIMES 16

/*
 * One option: sets *flag, or stores its argument in *value. With both, value is
 * an array of OPTION_TIMES + 1 that starts as all NULL and gets each argument.
 */
struct option {
	const char *name; /* without the dashes; NULL ends a table */
	char letter; /* 0: none */
	const char *argument; /* what to call it in the help; NULL: none */
	const char *help;
	bool *flag;
	const char **value;
};

struct command {
	const char *name;
	const char *summary; /* one line */
	const char *operands; /* for the usage line */
	int operands_least;
	int operands_most;
	const char *help; /* paragraphs after the options */
	const struct option *options;
	enum status (*run)(char **operands);
	/* For a command that passes words after "--" on: what to call them, and where they go, NULL at their end. */
	const char *passed_name;
	char ***passed;
};

/*
 * options_parse - take the options out of @argv (@argc words, the command's
 * name not among them): what is left are the operands, from argv[0] on, with
 * NULL after them. Options may stand between operands; "--" ends them, and what
 * follows are operands, or words to pass on if the command has such. Prints what
 * is wrong. Errors: USAGE. *@help is set if help was asked for.
 */
enum status options_parse(const struct command *command, int argc, char **argv, bool *help);

void command_usage(const struct command *command);
void command_help(const struct command *command);

/* nearest - the text among @names (NULL at the end) most like @word, or NULL if none is. */
const char *nearest(const char *word, const char *const *names);

#endif
