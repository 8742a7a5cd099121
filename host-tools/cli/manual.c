/* SPDX-License-Identifier: BSD-2-Clause */
/* manual.c - prints the tables of the command line as sections of a manual page. */
#include "manual.h"
#include "bytes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_option(char c)
{
	return c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static void print_escaped(char c)
{
	switch (c) {
	case '\\':
		printf("\\e");
		break;
	case '\'':
		printf("\\(aq");
		break;
	case '`':
		printf("\\(ga");
		break;
	case '^':
		printf("\\(ha");
		break;
	case '~':
		printf("\\(ti");
		break;
	default:
		putchar(c);
	}
}

/*
 * Prints @n characters of a line. Words that look like options become bold. Each sentence starts on a new line, because
 * roff recognises the end of a sentence only at the end of a line.
 */
static void print_line(const char *text, size_t n)
{
	char before = '\n';
	size_t i = 0;

	while (i < n) {
		/* A dot at the start of a line would begin a request of roff. */
		if (text[i] == '.' && before == '\n')
			printf("\\&");
		if (text[i] != '-' || in_option(before)) {
			before = text[i] == ' ' && before == '.' ? '\n' : text[i];
			print_escaped(before);
			i++;
			continue;
		}
		printf("\\fB");
		for (; i < n && in_option(text[i]); i++)
			printf(text[i] == '-' ? "\\-" : "%c", text[i]);
		printf("\\fR");
		before = ' ';
	}
	putchar('\n');
}

/* Prints a summary or an option's help as a sentence: with a capital letter and a full stop. */
static void print_sentence(const char *text)
{
	char *line = format("%s.", text);

	*line = (char)toupper((unsigned char)*line);
	print_line(line, strlen(line));
	free(line);
}

/* Prints words of a usage line, or the argument of an option. */
static void print_argument(const char *text)
{
	printf("Ar ");
	for (; *text; text++)
		if (*text == '-')
			printf("\\-");
		else
			print_escaped(*text);
}

/* Prints paragraphs. Indented lines keep their spaces and line breaks. */
static void print_paragraphs(const char *text)
{
	bool literal = false;
	bool pending = false; /* the previous line was empty, so this line may start a paragraph */

	while (*text) {
		size_t n = strcspn(text, "\n");
		bool indented = *text == ' ' || *text == '\t';

		if (!n) {
			pending = true;
		} else {
			if (literal && !indented)
				printf(".Ed\n");
			if (!literal && indented)
				printf(".Bd -literal\n");
			else if (pending)
				printf(".Pp\n");
			literal = indented;
			pending = false;
			print_line(text, n);
		}
		text += n + (text[n] == '\n');
	}
	if (literal)
		printf(".Ed\n");
}

static void print_option(const struct option *option)
{
	const char *c;

	printf(".It ");
	if (option->letter)
		printf("Fl %c , ", option->letter);
	printf("Fl \\-");
	for (c = option->name; *c; c++)
		printf(*c == '-' ? "\\-" : "%c", *c);
	if (option->argument) {
		putchar(' ');
		print_argument(option->argument);
	}
	putchar('\n');
	print_sentence(option->help);
}

static void print_command(const struct command *command)
{
	const struct option *option;

	printf(".Ss bareprof %s\n", command->name);
	print_sentence(command->summary);
	if (command->options->name) {
		printf(".Bl -tag -width Ds\n");
		for (option = command->options; option->name; option++)
			print_option(option);
		printf(".El\n");
	}
	printf(".Pp\n");
	print_paragraphs(command->help);
}

void manual_print(const struct command *const *commands, const char *const *exit_codes, const char *exit_remark)
{
	size_t i;

	printf(".Sh SYNOPSIS\n");
	for (i = 0; commands[i]; i++) {
		printf(".Nm\n.Cm %s\n%s.", commands[i]->name, commands[i]->options->name ? ".Op Ar OPTIONS\n" : "");
		print_argument(commands[i]->operands);
		putchar('\n');
		if (commands[i]->passed)
			printf(".Op Fl \\- Ar %s\n", commands[i]->passed_name);
	}
	printf(".Nm\n.Cm help\n.Op Ar COMMAND\n.Nm\n.Cm version\n");
	printf(".Sh COMMANDS\n");
	for (i = 0; commands[i]; i++)
		print_command(commands[i]);
	printf(".Sh EXIT STATUS\n.Bl -tag -width Ds\n");
	for (i = 0; exit_codes[i]; i++) {
		printf(".It %zu\n", i);
		print_line(exit_codes[i], strlen(exit_codes[i]));
	}
	printf(".El\n.Pp\n");
	print_line(exit_remark, strlen(exit_remark));
}
