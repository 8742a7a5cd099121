/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang_features.c - finds the command line of clang's assembler, and adds processor features to it. The compiler has
 * no option that passes features to its assembler.
 */
#include "clang_features.h"
#include "child.h"
#include "exit.h"

#include <stdio.h>
#include <sys/wait.h>

/* clang 13 and 14 do not know "all". They ignore features that they do not know. */
static const char *const features[] = {"+all", "+v8.7a", "+crypto", "+sve2", "+sve2-aes", "+sve2-sha3", "+sve2-sm4",
	"+sve2-bitperm", "+fullfp16", "+fp16fml", "+mte", "+sm4", "+sha3", "+profile", "+rand", "+tme", "+ls64",
	"+pauth", "+f32mm", "+f64mm", "+bf16", "+i8mm", "+predres", "+ssbs", "+sb", "+crc", "+lse"};

/*
 * Runs @words, without standard input, and appends the program's messages to @messages. Sets *@exit_status. Prints the
 * error if the program cannot be run. Errors: SYSTEM.
 */
static enum status run_quietly(char *const *words, struct buffer *messages, int *exit_status)
{
	struct child child;
	struct error error;
	int ended;

	if (child_start(&child, words, CHILD_ALL, &error) != STATUS_OK) {
		error_print(NULL, &error);
		return STATUS_SYSTEM;
	}
	child_read(child.err, messages);
	ended = caught_signal() ? child_stop(&child) : child_wait(&child);
	*exit_status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return caught_signal() ? STATUS_SYSTEM : STATUS_OK;
}

/* Sets @words to the line of @messages that calls the assembler of AArch64. Without such a line, @words stays empty. */
static void find_assembler(struct bytes messages, struct words *words)
{
	while (messages.size && !words->count) {
		struct bytes line = bytes_line(&messages);

		if (memmem(line.data, line.size, "\"-cc1as\"", 8) && memmem(line.data, line.size, "\"aarch64", 8))
			words_split(words, line);
	}
}

/*
 * If @arguments call the assembler of AArch64, runs it with all features. If it succeeds, sets *@exit_status to 0.
 * Errors: SYSTEM.
 */
static enum status assemble_all(struct clang_run *run, const struct words *arguments, int *exit_status)
{
	struct words question = {0};
	struct words command = {0};
	struct words assembler = {0};
	struct buffer messages = {0};
	enum status status;
	int answer;
	size_t i;

	words_add(&question, "-###");
	words_add_all(&question, arguments->list);
	status = clang_command(run, &question, &command);
	if (status == STATUS_OK)
		status = run_quietly(command.list, &messages, &answer);
	if (status == STATUS_OK)
		find_assembler((struct bytes){messages.data, messages.size}, &assembler);
	if (assembler.count) {
		for (i = 0; i < sizeof(features) / sizeof(*features); i++) {
			words_add(&assembler, "-target-feature");
			words_add(&assembler, features[i]);
		}
		messages.size = 0;
		status = run_quietly(assembler.list, &messages, exit_status);
	}
	words_free(&question);
	words_free(&command);
	words_free(&assembler);
	buffer_free(&messages);
	return status;
}

enum status clang_call_assembler(struct clang_run *run, const struct words *arguments, const char *object)
{
	struct words command = {0};
	struct buffer messages = {0};
	int exit_status = 0;
	enum status status;

	/* If the object goes to standard output, the program must have that stream. */
	if (!strcmp(object, "-"))
		return clang_call(run, arguments);
	status = clang_command(run, arguments, &command);
	if (status == STATUS_OK)
		status = run_quietly(command.list, &messages, &exit_status);
	if (status == STATUS_OK && exit_status)
		status = assemble_all(run, arguments, &exit_status);
	if (status == STATUS_OK && exit_status && messages.size)
		fwrite(messages.data, 1, messages.size, stderr);
	if (!run->exit_status)
		run->exit_status = exit_status;
	words_free(&command);
	buffer_free(&messages);
	return status;
}
