// SPDX-License-Identifier: BSD-2-Clause
/*
 * rewriter.c - calls the rewriter for a file: rewriter FILE [calls] [atomic] [pic] [small=N] [name=PATTERN]
 * [section=PATTERN] [x86_64|aarch64|arm]. Prints the result, and the numbers of functions on standard error.
 */
#include "rewrite.h"
#include "input.h"

#include <stdio.h>
#include <stdlib.h>

static const char *names[8], *sections[8];

static void read_option(struct rewrite_options *options, const char *text)
{
	static size_t name_count, section_count;

	if (!strcmp(text, "calls"))
		options->mode = REWRITE_CALLS;
	else if (!strcmp(text, "atomic"))
		options->atomic = true;
	else if (!strcmp(text, "pic"))
		options->position_independent = true;
	else if (!strcmp(text, "x86_64"))
		options->target = REWRITE_X86_64;
	else if (!strcmp(text, "aarch64"))
		options->target = REWRITE_AARCH64;
	else if (!strcmp(text, "arm"))
		options->target = REWRITE_ARM;
	else if (starts_with(text, "small="))
		options->min_size = strtoul(text + strlen("small="), NULL, 10);
	else if (starts_with(text, "name=") && name_count < 7)
		names[name_count++] = text + strlen("name=");
	else if (starts_with(text, "section=") && section_count < 7)
		sections[section_count++] = text + strlen("section=");
	else if (strcmp(text, "coverage"))
		exit(2);
}

int main(int argc, char **argv)
{
	struct rewrite_options options = {.exclude = names, .exclude_sections = sections};
	struct rewrite_counts counts;
	struct buffer result = {NULL, 0, 0};
	struct input input;
	struct error error;
	enum status status;
	int i;

	if (argc < 2)
		return 2;
	for (i = 2; i < argc; i++)
		read_option(&options, argv[i]);
	status = input_read(&input, argv[1], &error);
	if (!status) {
		status = rewrite(input.bytes, argv[1], &options, &result, &counts, &error);
		input_free(&input);
	}
	if (status) {
		fprintf(stderr, "%s\n", error.text);
		return (int)status;
	}
	fwrite(result.data, 1, result.size, stdout);
	fprintf(stderr, "functions %llu", (unsigned long long)counts.functions);
	for (i = 1; i <= BAREPROF_MIP_REASON_SMALL; i++)
		fprintf(stderr, " %llu", (unsigned long long)counts.left_out[i]);
	fprintf(stderr, "%s%s\n", counts.by_hand ? " by hand" : "", counts.rewritten_before ? " rewritten before" : "");
	buffer_free(&result);
	return 0;
}
