/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - commands described by tables: parsing, help and complaints all
 * come from the same description.
 */
#ifndef BAREPROF_HOST_OPTIONS_H
#define BAREPROF_HOST_OPTIONS_H

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

/* How often an option may be given that keeps all its arguments. */
#define OPTION_TIMES 16

/* A choice for which no option was given. */
#define OPTION_NOT_CHOSEN (~0u)

enum option_type {
	OPTION_FLAG, /* bool: set */
	OPTION_TEXT, /* const char *: any text */
	OPTION_FILE, /* const char *: name of a file or folder */
	OPTION_LIST, /* const char *[OPTION_TIMES + 1]: each text that was given, then NULL */
	OPTION_NUMBER, /* uint64_t: decimal, from min to max */
	OPTION_SECONDS, /* double: above 0 */
	OPTION_PERCENT, /* double: from 0 to 100 */
	OPTION_CHOICE, /* unsigned int: index of one of the words */
	OPTION_CUSTOM, /* parse() takes it apart */
};

/*
 * One option. The parser checks its argument and stores it through the pointer that goes
 * with the type; without the option the variable keeps its default. Made by OPT_ macros,
 * to which fields with a name can be added.
 */
struct option {
	const char *name; /* without the dashes; NULL ends a table */
	char letter; /* 0: none */
	enum option_type type;
	const char *argument; /* what to call it in the help; NULL: none */
	const char *help;
	union {
		bool *flag;
		const char **text; /* a list's first */
		uint64_t *number;
		double *real;
		unsigned int *choice;
		void *custom;
	} value;
	uint64_t min;
	uint64_t max;
	const char *const *words; /* of a choice, NULL at their end */
	bool (*parse)(const char *text, void *custom);
	const char *invalid; /* sentence with one %s, the argument; NULL: the one of the type */
	const char *old_name; /* understood as well, and in no help */
	char old_letter;
};

#define OPT_FLAG(name, letter, target, help)           name, letter, OPTION_FLAG, NULL, help, .value.flag = target
#define OPT_TEXT(name, letter, argument, target, help) name, letter, OPTION_TEXT, argument, help, .value.text = target
#define OPT_FILE(name, letter, argument, target, help) name, letter, OPTION_FILE, argument, help, .value.text = target
#define OPT_LIST(name, letter, argument, target, help) name, letter, OPTION_LIST, argument, help, .value.text = target
#define OPT_NUMBER(name, letter, argument, target, min_, max_, help)                                                   \
	name, letter, OPTION_NUMBER, argument, help, .value.number = target, .min = min_, .max = max_
#define OPT_SECONDS(name, letter, argument, target, help)                                                              \
	name, letter, OPTION_SECONDS, argument, help, .value.real = target
#define OPT_PERCENT(name, letter, argument, target, help)                                                              \
	name, letter, OPTION_PERCENT, argument, help, .value.real = target
#define OPT_CHOICE(name, letter, argument, target, words_, help)                                                       \
	name, letter, OPTION_CHOICE, argument, help, .value.choice = target, .words = words_
#define OPT_CUSTOM(name, letter, argument, target, parse_, help)                                                       \
	name, letter, OPTION_CUSTOM, argument, help, .value.custom = target, .parse = parse_
#define OPT_END NULL, 0, OPTION_FLAG, NULL, NULL, .value.flag = NULL

struct command {
	const char *name;
	const char *summary; /* one line */
	const char *operands; /* for the usage line */
	int operands_min;
	int operands_max;
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
