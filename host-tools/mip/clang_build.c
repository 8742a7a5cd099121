/* SPDX-License-Identifier: BSD-2-Clause */
/* clang_build.c - handles the inputs one after the other, and puts all outputs where clang would have put them. */
#include "clang_build.h"
#include "child.h"
#include "exit.h"
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the folder of @path with a slash at its end, or "". The caller frees it. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return format("%.*s", slash ? (int)(slash - path + 1) : 0, path);
}

/* Prints the error. Errors: SYSTEM. */
static enum status copy_file(const char *from, const char *to)
{
	struct input input = {0};
	struct error error;
	enum status status = input_read(&input, from, &error);

	if (status != STATUS_OK)
		error_print(from, &error);
	else if ((status = output_write(to, input.bytes, &error)) != STATUS_OK)
		error_print(to, &error);
	input_free(&input);
	return status;
}

/*
 * Moves the files that the compiler wrote beside the file @assembly, such as those of -fstack-usage, to @folder. The
 * names of bareprof's own files begin with a dot. Prints the error. Errors: SYSTEM.
 */
static enum status move_others(const struct clang_run *run, const char *assembly, const char *folder)
{
	enum status status = STATUS_OK;
	DIR *files = opendir(run->folder);
	struct dirent *entry;

	while (files && status == STATUS_OK && (entry = readdir(files))) {
		char *from = format("%s/%s", run->folder, entry->d_name);
		char *to = format("%s%s", folder, entry->d_name);

		if (entry->d_name[0] != '.' && strcmp(from, assembly) && rename(from, to))
			status = copy_file(from, to);
		free(from);
		free(to);
	}
	if (files)
		closedir(files);
	return status;
}

/* With -save-temps, keeps the assembly of the compiler under the name that clang gives it. Errors: SYSTEM. */
static enum status save_assembly(const struct compile_line *line, const char *source, const char *assembly)
{
	char *folder = format("%s", "");
	char *stem = file_stem(source);
	char *path;
	enum status status;

	if (line->saves_beside_output && line->output) {
		free(folder);
		folder = folder_of(line->output);
	}
	path = format("%s%s.s", folder, stem);
	status = copy_file(assembly, path);
	free(path);
	free(stem);
	free(folder);
	return status;
}

/* clang removes the object of an earlier compilation if the new compilation fails. */
static void remove_object(const char *object)
{
	struct stat file;

	if (!stat(object, &file) && S_ISREG(file.st_mode))
		unlink(object);
}

/* Rewrites the file @assembly and makes @object from it. @source is its name in messages. */
static enum status rewrite_and_assemble(
	struct clang_run *run, const char *assembly, const char *source, const char *object)
{
	struct assembly_file file;
	enum status status = assembly_file_rewrite(&file, assembly, source, run->settings);

	if (status == STATUS_OK)
		status = clang_assemble(run, &file, object);
	assembly_file_free(&file);
	return status;
}

static enum status build_source(struct clang_run *run, size_t input, const char *object, bool first)
{
	const struct compile_line *line = run->line;
	const char *source = line->words.list[input];
	char *stem = file_stem(line->action == LINE_COMPILE ? object : source);
	char *assembly = format("%s/%s.s", run->folder, stem);
	char *folder = folder_of(object);
	int before = run->exit_status;
	enum status status;

	run->exit_status = 0;
	if (run->settings->blocks)
		status = clang_compile_blocks(run, input, assembly, run->settings->only_blocks ? object : NULL, first);
	else
		status = clang_compile(run, input, assembly, first);
	if (status == STATUS_OK && !run->exit_status && !run->settings->only_blocks)
		status = rewrite_and_assemble(run, assembly, input_name(source), object);
	if (status == STATUS_OK && (line->action == LINE_COMPILE || line->saves_beside_output))
		status = move_others(run, assembly, folder);
	if (status == STATUS_OK && !run->exit_status && line->saves_temporaries)
		status = save_assembly(line, source, assembly);
	if (status != STATUS_OK || run->exit_status)
		remove_object(object);
	unlink(assembly);
	if (before)
		run->exit_status = before;
	free(folder);
	free(assembly);
	free(stem);
	return status;
}

/* Makes @text the standard input of the compiler, because bareprof has read the real one. Errors: SYSTEM. */
static enum status replace_input(const struct clang_run *run, struct bytes text)
{
	char *path = format("%s/.input.s", run->folder);
	enum status status = write_temporary(path, text);
	int file = -1;

	if (status == STATUS_OK)
		file = open(path, O_RDONLY | O_CLOEXEC);
	if (status == STATUS_OK && (file < 0 || dup2(file, STDIN_FILENO) < 0)) {
		complain(path, "cannot be the input of the compiler: %s", strerror(errno));
		status = STATUS_SYSTEM;
	}
	if (file >= 0)
		close(file);
	free(path);
	return status;
}

/*
 * Makes @object from the assembly @input. Assembly that no compiler wrote goes to the compiler, or to the command that
 * links; then sets *@is_made to false.
 */
static enum status build_assembly(struct clang_run *run, size_t input, const char *object, bool first, bool *is_made)
{
	const struct compile_line *line = run->line;
	const char *source = line->words.list[input];
	struct assembly_file file;
	enum status status;

	/* Assembly has no blocks that clang could instrument. */
	if (run->settings->only_blocks) {
		*is_made = line->action == LINE_COMPILE;
		return *is_made ? clang_compile_unchanged(run, input, line->output, first) : STATUS_OK;
	}
	status = assembly_file_rewrite(&file, source, input_name(source), run->settings);
	*is_made = !file.is_unchanged || line->action == LINE_COMPILE;
	if (status == STATUS_OK && !file.is_unchanged)
		status = clang_assemble(run, &file, object);
	else if (status == STATUS_OK && !strcmp(source, "-"))
		status = replace_input(run, file.input.bytes);
	if (status == STATUS_OK && file.is_unchanged && *is_made)
		status = clang_compile_unchanged(run, input, line->output, first);
	assembly_file_free(&file);
	return status;
}

/*
 * Makes @object from the input @input. If @input is assembly that the linking command can assemble, makes no object and
 * sets *@is_made to false.
 */
static enum status build_input(struct clang_run *run, size_t input, const char *object, bool first, bool *is_made)
{
	const struct compile_line *line = run->line;

	if (line->meanings[input].kind == INPUT_ASSEMBLY)
		return build_assembly(run, input, object, first, is_made);
	*is_made = line->meanings[input].kind == INPUT_SOURCE || line->action == LINE_COMPILE;
	if (line->meanings[input].kind == INPUT_SOURCE)
		return build_source(run, input, object, first);
	return *is_made ? clang_compile_unchanged(run, input, line->output, first) : STATUS_OK;
}

/* Returns the name of the object of the input @input. The caller frees it. */
static char *object_name(const struct clang_run *run, size_t input)
{
	const struct compile_line *line = run->line;
	char *stem = file_stem(line->words.list[input]);
	char *folder;
	char *object;

	if (line->action == LINE_COMPILE) {
		object = line->output ? format("%s", line->output) : format("%s.o", stem);
	} else if (line->saves_temporaries) {
		folder = folder_of(line->saves_beside_output && line->output ? line->output : "");
		object = format("%s%s.o", folder, stem);
		free(folder);
	} else {
		object = format("%s/.%zu.o", run->folder, input);
	}
	free(stem);
	return object;
}

static enum status build_all(struct clang_run *run)
{
	const struct compile_line *line = run->line;
	char **objects = allocate(line->words.count + 1, sizeof(*objects));
	enum status status = STATUS_OK;
	bool first = true;
	bool is_made;
	size_t i;

	for (i = 0; i < line->words.count && status == STATUS_OK; i++) {
		const struct compile_word *meaning = &line->meanings[i];

		if (meaning->option || meaning->is_end || meaning->kind == INPUT_LINKER)
			continue;
		objects[i] = object_name(run, i);
		status = build_input(run, i, objects[i], first, &is_made);
		first = false;
		if (!is_made) {
			free(objects[i]);
			objects[i] = NULL;
		}
	}
	if (status == STATUS_OK && !run->exit_status && line->action == LINE_LINK)
		status = clang_link(run, objects);
	for (i = 0; i < line->words.count; i++)
		free(objects[i]);
	free(objects);
	return status;
}

enum status clang_build(struct clang_run *run)
{
	struct error error;
	enum status status;

	catch_signals();
	status = temporary_folder(&run->folder, &error);
	if (status != STATUS_OK) {
		error_print(NULL, &error);
		return status;
	}
	status = build_all(run);
	temporary_remove(run->folder);
	free(run->folder);
	return status;
}
