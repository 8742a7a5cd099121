/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler.c - recognizes a compiler by its name, or by its predefined macros. */
#include "compiler.h"
#include "child.h"

#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Programs that run the compiler that their arguments name. */
static bool is_launcher(const char *name)
{
	static const char *const launchers[] = {"ccache", "sccache", "buildcache", "distcc", "icecc"};
	size_t i;

	for (i = 0; i < sizeof(launchers) / sizeof(*launchers); i++)
		if (!strcmp(name, launchers[i]))
			return true;
	return false;
}

static enum status ask(struct compiler *compiler, char *const *words, struct error *error)
{
	const char *name = words[compiler->words - 1];
	const char *const command[] = {name, "-E", "-dM", "-x", "c", "/dev/null", NULL};
	struct buffer output = {0};
	enum status status;
	int exit_status;

	status = child_run((char *const *)(uintptr_t)command, &output, &exit_status, error);
	if (status == STATUS_OK && strstr(buffer_string(&output), "__clang__"))
		compiler->kind = COMPILER_CLANG;
	else if (status == STATUS_OK && strstr(buffer_string(&output), "__GNUC__"))
		compiler->kind = COMPILER_GCC;
	else if (status == STATUS_OK)
		status = error_set(error, STATUS_SYSTEM,
			"%s is neither gcc nor clang, as its predefined macros show; give one of these compilers",
			name);
	buffer_free(&output);
	return status;
}

enum status compiler_find(struct compiler *compiler, char *const *words, struct error *error)
{
	const char *name;

	*compiler = (struct compiler){COMPILER_GCC, 1};
	while (words[compiler->words - 1] && is_launcher(base_name(words[compiler->words - 1])))
		compiler->words++;
	if (!words[compiler->words - 1])
		return error_set(
			error, STATUS_USAGE, "no compiler follows %s; give the compiler and its arguments", words[0]);
	name = base_name(words[compiler->words - 1]);
	if (strstr(name, "clang"))
		compiler->kind = COMPILER_CLANG;
	else if (!strstr(name, "gcc") && !strstr(name, "g++"))
		return ask(compiler, words, error);
	return STATUS_OK;
}
