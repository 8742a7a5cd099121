/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_cc.c - `bareprof mip cc`: compiles, and adds machine-profile code to all functions. */
#include "child.h"
#include "clang_build.h"
#include "compiler.h"
#include "commands.h"
#include "exit.h"
#include "gcc.h"
#include "target_name.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns whether the folder of @path exists. */
static bool has_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? format("%.*s.", (int)(slash - path + 1), path) : format(".");
	bool exists = !access(folder, F_OK);

	free(folder);
	return exists;
}

/*
 * Returns whether clang would make nothing: an input or the folder of the output is missing, or several sources would
 * have the same output.
 */
static bool is_refused_by_clang(const struct compile_line *line)
{
	size_t i;

	if (line->output && line->compiled > 1 && line->action == LINE_COMPILE)
		return true;
	for (i = 0; i < line->words.count; i++)
		if (!line->meanings[i].option && !line->meanings[i].is_end && strcmp(line->words.list[i], "-") &&
			access(line->words.list[i], F_OK))
			return true;
	return line->output && !has_folder(line->output);
}

static enum status use_clang(
	const struct compile_line *line, const struct mip_settings *settings, struct words *compiler, char **operands)
{
	struct clang_run run = {.line = line, .settings = settings, .compiler = compiler->list};
	enum status status;

	if (is_refused_by_clang(line))
		return become_program(operands);
	if (line->uses_gcov) {
		complain(NULL,
			"clang's coverage files get wrong names if mip cc compiles the source; leave --coverage, "
			"-fprofile-arcs and -ftest-coverage out");
		return STATUS_USAGE;
	}
	status = clang_build(&run);
	die_of_signal();
	return run.exit_status ? (enum status)run.exit_status : status;
}

/* Returns the processor for which clang makes code. gcc passes the name of its processor to `mip as` in its own way. */
static enum rewrite_target find_target(const struct compile_line *line, const char *compiler)
{
	enum rewrite_target target = target_of_name(line->target ? line->target : compiler);

	if (line->is_big_endian || (target == REWRITE_BIG_ENDIAN && !line->is_little_endian))
		return REWRITE_BIG_ENDIAN;
	if (line->has_other_width || target == REWRITE_BIG_ENDIAN)
		return REWRITE_ANY;
	return target == REWRITE_ANY && !line->target ? target_of_host() : target;
}

static enum status compile(const struct compile_line *line, const struct compiler *compiler, char **operands)
{
	struct mip_settings settings;
	struct words words = {0};
	enum status status = mip_settings_read(&settings);
	size_t i;

	settings.rewrite.position_independent |= line->position_independent;
	settings.rewrite.target = find_target(line, operands[compiler->words - 1]);
	for (i = 0; i < compiler->words; i++)
		words_add(&words, operands[i]);
	if (status == STATUS_OK && settings.blocks && compiler->kind == COMPILER_GCC) {
		complain(NULL,
			"gcc has no instrumentation of blocks that bareprof could use; use clang, or --mode calls");
		status = STATUS_USAGE;
	} else if (status == STATUS_OK && compiler->kind == COMPILER_GCC)
		status = gcc_run(line, &settings, words.list);
	else if (status == STATUS_OK)
		status = use_clang(line, &settings, &words, operands);
	words_free(&words);
	mip_settings_free(&settings);
	return status;
}

static enum status run(char **operands)
{
	struct compiler compiler;
	struct compile_line line = {0};
	struct error error;
	enum status status = compiler_find(&compiler, operands, &error);

	if (status == STATUS_OK)
		status = compile_line_read(&line, operands + compiler.words, &error);
	if (status != STATUS_OK)
		error_print(NULL, &error);
	else if (line.action == LINE_PASS)
		status = become_program(operands);
	else
		status = compile(&line, &compiler, operands);
	compile_line_free(&line);
	return status;
}

static const struct option options[] = {MIP_OPTIONS(mip_options), {OPT_END}};

const struct command command_mip_cc = {
	.name = "mip cc",
	.summary = "compile, and make each function record that it ran",
	.operands = "COMPILER ARGS...",
	.operands_min = 1,
	.operands_max = INT_MAX,
	.passes_operands = true,
	.options = options,
	.run = run,
	.help = "Write 'bareprof mip cc' before the command of gcc or clang, for example as CC of make.\n"
		"The compiler makes assembly, bareprof adds the machine-profile code, and the assembler\n"
		"makes the object. All other outputs, the messages and the exit status are those of the\n"
		"compiler. If the compiler makes no object from C, C++ or Objective-C, for example if it\n"
		"only links, the compiler runs without a change. Assembly that no compiler wrote stays\n"
		"as it is.\n\n" MIP_MODES(
			"clang only") "In the modes 'blocks' and 'calls,blocks', clang itself adds the code of blocks, "
				      "through\n"
				      "LLVM IR. The options that leave out functions do not apply "
				      "to\n"
				      "blocks: write __attribute__((no_sanitize(\"coverage\"))) at such a function. "
				      "Messages\n"
				      "about inline assembly then name no line of the source.\n\n"
				      "Options that come after COMPILER belong to the compiler. The environment "
				      "variable\n"
				      "BAREPROF_MIP can contain further options of 'mip cc', separated by spaces; the "
				      "command\n"
				      "line wins. ccache may come before COMPILER. If ccache comes before 'bareprof', "
				      "write\n"
				      "all options on the command line, because ccache ignores BAREPROF_MIP.\n\n"
				      "bareprof refuses options with which the compiler would write more than "
				      "assembly:\n"
				      "-flto, -fembed-bitcode, -gsplit-dwarf, -MJ, and with clang the options of "
				      "gcov.\n",
};
