/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.c - parse a command's options by its table, and say what is wrong.
 */
#include "options.h"
#include "bytes.h"
#include "exit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX    64
#define OPTIONS_MAX 32

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance (Levenshtein) between two short words. */
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
			row[j + 1] = least(change, least(row[j], row[j + 1]) + 1);
		}
	}
	return row[columns];
}

const char *nearest(const char *word, const char *const *names)
{
	const char *best = NULL;
	size_t best_distance = 3; /* more changes than two are another word */

	for (; *names; names++) {
		size_t d = distance(word, *names);

		/* What was typed may be the beginning. */
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

void command_usage(const struct command *command)
{
	put_usage(command, stderr);
}

static const struct option *by_name(const struct command *command, const char *name, size_t n)
{
	const struct option *option;

	for (option = command->options; option->name; option++)
		if (strlen(option->name) == n && !strncmp(option->name, name, n))
			return option;
	return NULL;
}

static const struct option *by_letter(const struct command *command, char letter)
{
	const struct option *option;

	for (option = command->options; option->name; option++)
		if (option->letter && option->letter == letter)
			return option;
	return NULL;
}

static enum status unknown(const struct command *command, const char *word)
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
		complain(NULL, "%s has no option '%s'; 'bareprof %s --help' lists them", command->name, word,
			command->name);
	free(bare);
	return STATUS_USAGE;
}

static enum status keep_value(const struct option *option, const char *value)
{
	const char **place = option->value;

	while (option->flag && *place)
		place++;
	if (place == option->value + OPTION_TIMES) {
		complain(NULL, "the option --%s may be given %d times, not more", option->name, OPTION_TIMES);
		return STATUS_USAGE;
	}
	*place = value;
	return STATUS_OK;
}

/* Handle the option @word; @next is the word after it, *@used is set if it was taken. */
static enum status take_option(const struct command *command, const char *word, const char *next, bool *used)
{
	bool is_long = word[1] == '-';
	const char *equals = is_long ? strchr(word, '=') : NULL;
	const struct option *option =
		is_long ? by_name(command, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2))
			: by_letter(command, word[1]);
	const char *value = equals ? equals + 1 : !is_long && word[2] ? word + 2 : NULL;

	if (!option)
		return unknown(command, word);
	if (!option->argument && value) {
		complain(NULL, "the option --%s takes no argument", option->name);
		return STATUS_USAGE;
	}
	if (option->flag)
		*option->flag = true;
	if (!option->argument)
		return STATUS_OK;
	if (!value && !next) {
		complain(NULL, "the option --%s needs an argument: %s", option->name, option->argument);
		return STATUS_USAGE;
	}
	*used = !value;
	return keep_value(option, value ? value : next);
}

enum status options_parse(const struct command *command, int argc, char **argv, bool *help)
{
	bool only_operands = false;
	int operands = 0;
	int i;

	*help = false;
	if (command->passed)
		*command->passed = argv + argc;
	for (i = 0; i < argc; i++) {
		char *word = argv[i];
		bool used = false;

		if (!only_operands && !strcmp(word, "--") && command->passed) {
			*command->passed = argv + i + 1;
			break;
		} else if (!only_operands && !strcmp(word, "--")) {
			only_operands = true;
		} else if (only_operands || word[0] != '-' || !word[1]) {
			argv[operands++] = word;
		} else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			*help = true;
			return STATUS_OK;
		} else if (take_option(command, word, i + 1 < argc ? argv[i + 1] : NULL, &used) != STATUS_OK) {
			return STATUS_USAGE;
		}
		i += used;
	}
	argv[operands] = NULL;
	if (operands >= command->operands_least && operands <= command->operands_most)
		return STATUS_OK;
	command_usage(command);
	return STATUS_USAGE;
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
