/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - parses the options of a command as the command's table says, and prints errors. */
#include "options.h"
#include "arguments.h"
#include "bytes.h"
#include "exit.h"
#include "option_hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX    64
#define OPTIONS_MAX 32

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the edit distance (Levenshtein) between two words, or SIZE_MAX if one of them is longer than WORD_MAX. */
static size_t distance(const char *a, const char *b)
{
	size_t row[WORD_MAX + 1];
	size_t columns = strlen(b);
	size_t i;
	size_t j;

	if (columns > WORD_MAX || strlen(a) > WORD_MAX)
		return SIZE_MAX;
	for (j = 0; j <= columns; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (j = 0; j < columns; j++) {
			size_t change = corner + (a[i] != b[j]);

			corner = row[j + 1];
			row[j + 1] = smaller(change, smaller(row[j], row[j + 1]) + 1);
		}
	}
	return row[columns];
}

const char *nearest(const char *word, const char *const *names)
{
	const char *best = NULL;
	size_t best_distance = 3; /* a name at this distance from @word, or farther away, is not similar to @word */

	for (; *names; names++) {
		size_t d = distance(word, *names);

		/* A word that is the beginning of a name is similar to that name. */
		if (strlen(word) > 1 && !strncmp(word, *names, strlen(word)))
			d = 1;
		if (d < best_distance && d < strlen(*names)) {
			best_distance = d;
			best = *names;
		}
	}
	return best;
}

static void put_usage(const struct command *command, FILE *stream)
{
	fprintf(stream, "usage: bareprof %s %s%s", command->name, command->options->name ? "[OPTIONS] " : "",
		command->operands);
	if (command->passed)
		fprintf(stream, " [-- %s]", command->passed_name);
	fputc('\n', stream);
}

void command_usage(const struct command *command, int given)
{
	fflush(stdout);
	if (given)
		fprintf(stderr, "bareprof: %s cannot take %d operand%s; ", command->name, given, given > 1 ? "s" : "");
	else
		fprintf(stderr, "bareprof: %s needs an operand; ", command->name);
	put_usage(command, stderr);
}

static bool is_called(const char *name, const char *word, size_t n)
{
	return name && strlen(name) == n && !strncmp(name, word, n);
}

static const struct option *find_by_name(const struct command *command, const char *name, size_t n)
{
	const struct option *option;

	for (option = command->options; option->name; option++)
		if (is_called(option->name, name, n) || is_called(option->old_name, name, n))
			return option;
	return NULL;
}

static const struct option *find_by_letter(const struct command *command, char letter)
{
	const struct option *option;

	for (option = command->options; option->name; option++)
		if (letter == option->letter || letter == option->old_letter)
			return option;
	return NULL;
}

/* Returns whether @word is "--", a request for help, or an option of @command. */
static bool is_option(const struct command *command, const char *word)
{
	if (!strcmp(word, "--") || !strcmp(word, "--help") || !strcmp(word, "-h"))
		return true;
	if (!strncmp(word, "--", 2))
		return find_by_name(command, word + 2, strcspn(word + 2, "="));
	return word[0] == '-' && word[1] && !word[2] && find_by_letter(command, word[1]);
}

static bool names_file(const struct option *option)
{
	return option->type == OPTION_FILE || option->type == OPTION_OUTPUT || option->type == OPTION_LIST;
}

enum status option_check_typed(const char *name, const char *text)
{
	const char *bad = text ? argument_bad_escape(text) : NULL;

	if (!bad)
		return STATUS_OK;
	complain(NULL, "--%s: '%.4s' is not an escape; use \\n, \\r, \\t, \\\\ or \\xHH", name, bad);
	return STATUS_USAGE;
}

static enum status refuse_unknown(const struct command *command, const char *word)
{
	const char *names[OPTIONS_MAX + 1] = {NULL};
	char *bare = strndup(word + strspn(word, "-"), strcspn(word + strspn(word, "-"), "="));
	const char *like;
	size_t i;

	if (!bare)
		die_of_memory();
	for (i = 0; i < OPTIONS_MAX && command->options[i].name; i++)
		names[i] = command->options[i].name;
	like = nearest(bare, names);
	if (like)
		complain(NULL, "%s has no option '%s'; did you mean '--%s'?", command->name, word, like);
	else
		complain(NULL, "%s has no option '%s'; 'bareprof %s --help' lists its options", command->name, word,
			command->name);
	free(bare);
	return STATUS_USAGE;
}

/*
 * Returns whether @word is an option in the style of other programs. If it is, prints an error. Without this error, the
 * word would be parsed as a letter with an argument. For example, -o=x would write a file "=x", and -output=x would
 * write a file "utput=x".
 */
static bool refuse_with_hint(const struct command *command, const char *word)
{
	const char *bare = word + 1;
	size_t n = strcspn(bare, "=");
	const struct option *letter = find_by_letter(command, *bare);
	const char *hint = option_hint(command->name, word);

	if (*bare != '-' && n > 1 && find_by_name(command, bare, n))
		complain(NULL, "%s has no option '%s'; did you mean '-%s'?", command->name, word, word);
	else if (n == 1 && bare[1] == '=' && letter && letter->argument)
		complain(NULL, "%s has no option '%s'; use '-%c %s' or '--%s=%s'", command->name, word, *bare, bare + 2,
			letter->name, bare + 2);
	else if (hint)
		complain(NULL, "%s has no option '%s'; %s", command->name, word, hint);
	else
		return false;
	return true;
}

static enum status add_to_list(const struct option *option, const char *text)
{
	const char **list = option->value.text;
	size_t i = 0;

	while (list[i])
		i++;
	if (i == OPTION_TIMES) {
		complain(NULL, "--%s can be given at most %d times", option->name, OPTION_TIMES);
		return STATUS_USAGE;
	}
	list[i] = text;
	return STATUS_OK;
}

static bool choose_word(const struct option *option, const char *text)
{
	unsigned int i;

	for (i = 0; option->words[i]; i++)
		if (!strcmp(option->words[i], text)) {
			*option->value.choice = i;
			return true;
		}
	return false;
}

/* Appends a list of words, such as "any, all or warn". */
static void list_words(const char *const *words, struct buffer *text)
{
	size_t i;

	for (i = 0; words[i]; i++)
		buffer_printf(text, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static enum status refuse_argument(const struct option *option, const char *text)
{
	struct buffer words = {0};

	if (option->invalid)
		complain(NULL, option->invalid, text);
	else if (option->type == OPTION_NUMBER)
		complain(NULL, "--%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option->name,
			option->min, option->max, text);
	else if (option->type == OPTION_SECONDS)
		complain(NULL, "--%s takes a number of seconds above 0, not '%s'", option->name, text);
	else if (option->type == OPTION_PERCENT)
		complain(NULL, "--%s takes a percentage from 0 to 100, not '%s'", option->name, text);
	if (!option->invalid && option->type == OPTION_CHOICE) {
		list_words(option->words, &words);
		complain(NULL, "--%s takes %s, not '%s'", option->name, buffer_string(&words), text);
		buffer_free(&words);
	}
	return STATUS_USAGE;
}

/* Checks the argument @text and stores it. */
static enum status store_argument(const struct option *option, const char *text)
{
	bool valid = true;

	switch (option->type) {
	case OPTION_FLAG:
		break;
	case OPTION_TEXT:
		*option->value.text = text;
		break;
	case OPTION_FILE:
	case OPTION_OUTPUT:
		if (!*text) {
			complain(NULL, "--%s takes the name of a file, which cannot be empty", option->name);
			return STATUS_USAGE;
		}
		*option->value.text = text;
		break;
	case OPTION_LIST:
		return add_to_list(option, text);
	case OPTION_NUMBER:
		valid = argument_number(text, option->min, option->max, option->value.number);
		break;
	case OPTION_SECONDS:
		valid = argument_seconds(text, option->value.real);
		break;
	case OPTION_PERCENT:
		valid = argument_percent(text, option->value.real);
		break;
	case OPTION_CHOICE:
		valid = choose_word(option, text);
		break;
	case OPTION_CUSTOM:
		valid = option->parse(text, option->value.custom);
		break;
	}
	return valid ? STATUS_OK : refuse_argument(option, text);
}

/*
 * Handles the option @word. @next is the word after it, or NULL. If @next is the argument of @word, *@used is set to
 * true.
 */
static enum status take_option(const struct command *command, const char *word, const char *next, bool *used)
{
	bool is_long = word[1] == '-';
	const char *equals = is_long ? strchr(word, '=') : NULL;
	const struct option *option =
		is_long ? find_by_name(command, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2))
			: find_by_letter(command, word[1]);
	const char *value = equals ? equals + 1 : !is_long && word[2] ? word + 2 : NULL;

	if ((!is_long || !option) && refuse_with_hint(command, word))
		return STATUS_USAGE;
	if (!option)
		return refuse_unknown(command, word);
	if (option->type == OPTION_FLAG && value) {
		complain(NULL, "--%s takes no argument", option->name);
		return STATUS_USAGE;
	}
	if (option->type == OPTION_FLAG) {
		*option->value.flag = true;
		return STATUS_OK;
	}
	if (!value && !next) {
		complain(NULL, "--%s needs an argument: %s", option->name, option->argument);
		return STATUS_USAGE;
	}
	if (!value && names_file(option) && is_option(command, next)) {
		complain(NULL,
			"--%s needs an argument: %s, but the option '%s' follows; "
			"if you mean a file or folder with this name, write './%s'",
			option->name, option->argument, next, next);
		return STATUS_USAGE;
	}
	*used = !value;
	return store_argument(option, value ? value : next);
}

enum status options_parse(const struct command *command, int argc, char **argv, bool *help)
{
	bool only_operands = false;
	bool passed = false;
	int operands = 0;
	int i;

	*help = false;
	if (command->passed)
		*command->passed = argv + argc;
	for (i = 0; i < argc; i++) {
		char *word = argv[i];
		bool used = false;

		if (passed) {
			argv[operands++] = word;
		} else if (!only_operands && !strcmp(word, "--") && command->passed) {
			*command->passed = argv + i + 1;
			break;
		} else if (!only_operands && !strcmp(word, "--")) {
			only_operands = true;
		} else if (!*word) {
			complain(NULL, "%s got an empty operand; check the variable that should contain it",
				command->name);
			return STATUS_USAGE;
		} else if (only_operands || word[0] != '-' || !word[1]) {
			argv[operands++] = word;
			passed = command->passes_operands;
		} else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			*help = true;
			return STATUS_OK;
		} else if (take_option(command, word, i + 1 < argc ? argv[i + 1] : NULL, &used) != STATUS_OK) {
			return STATUS_USAGE;
		}
		i += used;
	}
	argv[operands] = NULL;
	if (operands < command->operands_min || operands > command->operands_max) {
		command_usage(command, operands);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

void command_help(const struct command *command)
{
	const struct option *option;

	printf("bareprof %s - %s\n\n", command->name, command->summary);
	put_usage(command, stdout);
	putchar('\n');
	for (option = command->options; option->name; option++) {
		char *name = format("%s--%s%s%s", option->letter ? "-x, " : "    ", option->name,
			option->argument ? " " : "", option->argument ? option->argument : "");

		if (option->letter)
			name[1] = option->letter;
		printf("  %-24s %s\n", name, option->help);
		free(name);
	}
	printf("%s%s", command->options->name ? "\n" : "", command->help);
}
