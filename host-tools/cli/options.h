/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - tables that describe commands and their options. The tables are used for parsing, for --help, for error
 * messages and for the manual page.
 */
#ifndef BAREPROF_HOST_OPTIONS_H
#define BAREPROF_HOST_OPTIONS_H

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

/* The maximum number of times that an option of type OPTION_LIST can be given. */
#define OPTION_TIMES 16

/*
 * A command can set the variable of an OPTION_CHOICE to this value. If the variable still has this value after parsing,
 * the option was not given.
 */
#define OPTION_NOT_CHOSEN (~0u)

enum option_type {
	OPTION_FLAG, /* bool: set to true */
	OPTION_TEXT, /* const char *: any text */
	OPTION_FILE, /* const char *: name of a file or folder */
	OPTION_OUTPUT, /* const char *: name of a file to write */
	OPTION_LIST, /* const char *[OPTION_TIMES + 1]: all texts that were given, ended by NULL */
	OPTION_NUMBER, /* uint64_t: decimal, from min to max */
	OPTION_SECONDS, /* double: above 0 */
	OPTION_PERCENT, /* double: from 0 to 100 */
	OPTION_CHOICE, /* unsigned int: index of the chosen word in @words */
	OPTION_CUSTOM, /* any type: the function @parse parses the text */
};

/*
 * One option. @value points to a variable of the command. enum option_type lists the type of the variable for each type
 * of option. The parser checks the argument and stores it in the variable. If the option is not given, the variable
 * keeps its default. Tables are written with the OPT_ macros. After a macro, designated initializers may set further
 * fields.
 */
struct option {
	const char *name; /* without the dashes; NULL ends a table */
	char letter; /* the option as a single letter; 0: none */
	enum option_type type;
	const char *argument; /* name of the argument in the help; NULL: the option has no argument */
	const char *help;
	union {
		bool *flag;
		const char **text; /* for OPTION_LIST: the first element of the array */
		uint64_t *number;
		double *real;
		unsigned int *choice;
		void *custom;
	} value;
	uint64_t min;
	uint64_t max;
	const char *const *words; /* the words of an OPTION_CHOICE, ended by NULL */
	bool (*parse)(const char *text, void *custom);
	/* error message with one %s, which the argument replaces; NULL: a message that suits the type */
	const char *invalid;
	const char *old_name; /* another name that is also accepted, but is not listed in the help */
	char old_letter;
};

#define OPT_FLAG(name, letter, target, help)           name, letter, OPTION_FLAG, NULL, help, .value.flag = target
#define OPT_TEXT(name, letter, argument, target, help) name, letter, OPTION_TEXT, argument, help, .value.text = target
#define OPT_FILE(name, letter, argument, target, help) name, letter, OPTION_FILE, argument, help, .value.text = target
#define OPT_OUTPUT(name, letter, argument, target, help)                                                               \
	name, letter, OPTION_OUTPUT, argument, help, .value.text = target
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
	const char *summary; /* one line that describes the command */
	const char *operands; /* names of the operands, for the usage line */
	int operands_min;
	int operands_max;
	const char *help; /* paragraphs that follow the options */
	const struct option *options;
	/* From the first operand on, all words are operands: they are the command line of another program. */
	bool passes_operands;
	enum status (*run)(char **operands);
	/* The next two fields are set only for a command that passes the words after "--" to another program. */
	const char *passed_name; /* name of these words in the usage line */
	/*
	 * points to a variable of the command; the parser stores in it an array of the words after "--", ended by NULL
	 */
	char ***passed;
};

/*
 * options_parse - parses @argv, the @argc words after the command's name. Afterwards @argv contains only the operands,
 * ended by NULL. Options may come between operands. The word "--" ends the options. If the command has @passed, the
 * words after "--" are passed to another program. Otherwise they are operands. *@help is set to true if --help or -h
 * was given, otherwise to false. Prints the error. Errors: USAGE.
 */
enum status options_parse(const struct command *command, int argc, char **argv, bool *help);

/*
 * option_check_typed - checks @text, the argument of the option @name. The command will type @text into a console. NULL
 * is valid. Prints the error. Errors: USAGE (a wrong escape).
 */
enum status option_check_typed(const char *name, const char *text);

/*
 * command_usage - prints an error and the usage line to standard error. The error says that the command cannot
 * take @given operands.
 * command_help - prints the help to standard output.
 */
void command_usage(const struct command *command, int given);
void command_help(const struct command *command);

/*
 * nearest - compares @word with each text in @names, and returns the most similar text. Returns NULL if no text is
 * similar. @names ends with NULL.
 */
const char *nearest(const char *word, const char *const *names);

#endif
