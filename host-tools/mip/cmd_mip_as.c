/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_as.c - `bareprof mip as`: adds machine-profile code to the assembly of a compiler, and assembles it. */
#include "assembler_line.h"
#include "assembly_file.h"
#include "child.h"
#include "commands.h"
#include "exit.h"
#include "gcc.h"
#include "target_name.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* Runs the assembler on the file @path, with the other words of @line. Returns its status as waitpid() does. */
static enum status assemble(const char *assembler, const struct assembler_line *line, const char *path, int *ended)
{
	struct words words = {0};
	struct child child;
	struct error error;
	enum status status;
	size_t i;

	words_add(&words, assembler);
	for (i = 0; i < line->words.count; i++)
		if (i != line->input && strcmp(line->words.list[i], "-") && strcmp(line->words.list[i], "--"))
			words_add(&words, line->words.list[i]);
	words_add(&words, path);
	status = child_start(&child, words.list, 0, &error);
	if (status == STATUS_OK)
		*ended = child_wait(&child);
	else
		error_print(NULL, &error);
	words_free(&words);
	return status;
}

/* Assembles @text, which is in a temporary file meanwhile. Errors: SYSTEM. */
static enum status assemble_text(
	const char *assembler, const struct assembler_line *line, struct bytes text, int *ended)
{
	struct error error;
	char *folder;
	char *path;
	enum status status;

	catch_signals();
	status = temporary_folder(&folder, &error);
	if (status != STATUS_OK) {
		error_print(NULL, &error);
		return status;
	}
	path = format("%s/rewritten.s", folder);
	status = write_temporary(path, text);
	if (status == STATUS_OK)
		status = assemble(assembler, line, path, ended);
	free(path);
	temporary_remove(folder);
	free(folder);
	die_of_signal();
	return status;
}

/* Prints the error. Errors: USAGE. */
static enum status check_line(const struct assembler_line *line)
{
	if (line->second) {
		complain(line->second,
			"the assembler makes one object from several files, but 'mip as' can rewrite only "
			"one file; call the assembler once for each file");
		return STATUS_USAGE;
	}
	if (line->dependency_file) {
		complain(line->dependency_file,
			"this dependency file would name a temporary file; leave --MD out, or let the compiler "
			"write the dependency file");
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static enum status rewrite_and_assemble(
	char **operands, const struct assembler_line *line, const struct mip_settings *settings)
{
	struct assembly_file file;
	struct bytes text;
	int ended = 0;
	enum status status = assembly_file_rewrite(
		&file, line->input == ASSEMBLER_STDIN ? "-" : line->words.list[line->input], NULL, settings);

	if (status == STATUS_OK && file.is_unchanged && line->input != ASSEMBLER_STDIN) {
		assembly_file_free(&file);
		return become_program(operands);
	}
	if (status == STATUS_OK)
		status = check_line(line);
	if (status == STATUS_OK) {
		text = (struct bytes){file.text.data, file.text.size};
		status = assemble_text(operands[0], line, text, &ended);
	}
	assembly_file_free(&file);
	if (status != STATUS_OK)
		return status;
	/* gcc reports that its assembler was killed, so end in the same way. */
	if (WIFSIGNALED(ended)) {
		signal(WTERMSIG(ended), SIG_DFL);
		raise(WTERMSIG(ended));
	}
	return (enum status)WEXITSTATUS(ended);
}

static enum rewrite_target find_target(const char *assembler, const struct assembler_line *line)
{
	enum rewrite_target target = target_of_name(assembler);

	if (line->is_big_endian)
		return REWRITE_BIG_ENDIAN;
	if (line->has_other_width)
		return REWRITE_ANY;
	return target == REWRITE_ANY ? target_of_host() : target;
}

static enum status run(char **operands)
{
	struct assembler_line line;
	struct mip_settings settings;
	enum status status;

	/* If the compiler is killed, this program ends too, and so does a program that takes its place. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (!is_assembler(operands[0]))
		return become_program(operands);
	assembler_line_read(&line, operands + 1);
	if (!line.assembles) {
		status = become_program(operands);
	} else {
		status = mip_settings_read(&settings);
		settings.rewrite.position_independent |= line.position_independent;
		settings.rewrite.target = find_target(operands[0], &line);
		if (status == STATUS_OK && settings.blocks) {
			complain(NULL,
				"an assembler cannot instrument blocks: use 'bareprof mip cc' with clang, or --mode "
				"calls");
			status = STATUS_USAGE;
		}
		if (status == STATUS_OK)
			status = rewrite_and_assemble(operands, &line, &settings);
		mip_settings_free(&settings);
	}
	assembler_line_free(&line);
	return status;
}

static const struct option options[] = {MIP_OPTIONS(mip_options), {OPT_END}};

const struct command command_mip_as = {
	.name = "mip as",
	.summary = "assemble, and make each function of a compiler record that it ran",
	.operands = "AS ARGS...",
	.operands_min = 1,
	.operands_max = INT_MAX,
	.passes_operands = true,
	.options = options,
	.run = run,
	.help = "Write 'bareprof mip as' before the command of the GNU assembler. Use it if a compiler\n"
		"calls the assembler, and 'mip cc' cannot come before the compiler. Write a script with\n"
		"the name 'as' that runs\n"
		"    bareprof mip as /usr/bin/as \"$@\"\n"
		"and pass the folder of the script to the compiler with -B DIR. clang also needs\n"
		"-fno-integrated-as, which it ignores for some targets without an operating system.\n\n" MIP_MODES(
			"only with 'mip cc'") "Assembly that no compiler wrote stays as it is. So does a text that was "
					      "rewritten\n"
					      "before. A program that is one of gcc's compilers or linkers runs "
					      "without a change, so\n"
					      "that gcc's option -wrapper bareprof,mip,as works too. The environment "
					      "variable\n"
					      "BAREPROF_MIP can contain further options of 'mip as'; the command line "
					      "wins.\n",
};
