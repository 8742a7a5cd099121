/* SPDX-License-Identifier: BSD-2-Clause */
/* outputs.c - compares the outputs of a command with each other, and with the inputs of the command. */
#include "outputs.h"
#include "exit.h"
#include "input.h"
#include "output.h"

#include <string.h>

/* Returns the output file that the user gave with @option, or NULL. */
static const char *output_of(const struct option *option)
{
	return option->type == OPTION_OUTPUT ? *option->value.text : NULL;
}

enum status outputs_check_input(const struct command *command, const char *input)
{
	/*
	 * The input "-" is standard input. But output_same() would treat "-" as standard output, so use a path of
	 * standard input.
	 */
	const char *file = strcmp(input, "-") ? input : "/dev/fd/0";
	const struct option *option;

	for (option = command->options; option->name; option++) {
		const char *output = output_of(option);

		if (!output || !output_same(output, file))
			continue;
		complain(output, "--%s would overwrite the input %s; name another file", option->name,
			input_name(input));
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* Checks that no option after @option in the command's table writes to the same output as @option. */
static enum status check_others(const struct option *option)
{
	const char *path = output_of(option);
	const struct option *other;

	for (other = option + 1; path && other->name; other++) {
		if (!output_of(other) || !output_same(path, output_of(other)))
			continue;
		if (!strcmp(path, "-"))
			complain(NULL, "--%s and --%s would both go to standard output; name a file for one of them",
				option->name, other->name);
		else
			complain(path, "--%s and --%s would write the same file; name another file for one of them",
				option->name, other->name);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* Checks that no input file that the user gave with @option is also an output. */
static enum status check_inputs(const struct command *command, const struct option *option)
{
	enum status status = STATUS_OK;
	const char *const *input;

	if (option->type == OPTION_FILE && *option->value.text)
		return outputs_check_input(command, *option->value.text);
	if (option->type == OPTION_LIST)
		for (input = option->value.text; *input && status == STATUS_OK; input++)
			status = outputs_check_input(command, *input);
	return status;
}

enum status outputs_check(const struct command *command, char *const *operands)
{
	const struct option *option;
	enum status status = STATUS_OK;

	for (option = command->options; option->name && status == STATUS_OK; option++) {
		status = check_inputs(command, option);
		if (status == STATUS_OK)
			status = check_others(option);
	}
	for (; *operands && status == STATUS_OK; operands++)
		status = outputs_check_input(command, *operands);
	return status;
}
