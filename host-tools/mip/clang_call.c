/* SPDX-License-Identifier: BSD-2-Clause */
/* clang_call.c - calls clang, with a response file if the command line is long. */
#include "clang_call.h"
#include "assembly_file.h"
#include "child.h"
#include "exit.h"

#include <stdlib.h>

/* Command lines that are longer are passed in a response file, if the user passed one. */
#define LINE_MAX_BYTES 65536

static size_t length_of(const struct words *words)
{
	size_t length = 0;
	size_t i;

	for (i = 0; i < words->count; i++)
		length += strlen(words->list[i]) + 1;
	return length;
}

enum status clang_command(const struct clang_run *run, const struct words *arguments, struct words *command)
{
	enum status status = STATUS_OK;

	words_add_all(command, run->compiler);
	if (run->line->has_response && length_of(arguments) > LINE_MAX_BYTES) {
		char *path = format("%s/.arguments", run->folder);
		struct buffer text = {0};
		char *word;

		words_quote(&text, arguments->list);
		status = write_temporary(path, (struct bytes){text.data, text.size});
		word = format("@%s", path);
		words_add(command, word);
		free(word);
		buffer_free(&text);
		free(path);
	} else {
		words_add_all(command, arguments->list);
	}
	return status;
}

enum status clang_call(struct clang_run *run, const struct words *arguments)
{
	struct words command = {0};
	struct error error;
	int exit_status = 0;
	enum status status = clang_command(run, arguments, &command);

	if (status == STATUS_OK) {
		status = child_run(command.list, NULL, &exit_status, &error);
		if (status != STATUS_OK && !caught_signal())
			error_print(NULL, &error);
	}
	if (!run->exit_status)
		run->exit_status = exit_status;
	words_free(&command);
	return status;
}
