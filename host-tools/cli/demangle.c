/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle.c - demangles names with the library in the program, or else with c++filt of binutils or LLVM. It prints one
 * line for each argument. The command line passes many names at once, because a process for each name would take
 * seconds.
 */
#include "demangle.h"
#include "child.h"
#include "demangle_library.h"
#include "llvm.h"

#include <ctype.h>
#include <stdlib.h>

/* The suffix that -funique-internal-linkage-names adds to a name; digits follow. */
#define UNIQUE ".__uniq."

/* At most this many names, with this many bytes together, are passed in one command line. */
#define BATCH_NAMES 1000
#define BATCH_BYTES 100000

static bool is_mangled(const char *name)
{
	return starts_with(name, "_Z") || starts_with(name, "_R");
}

/* Returns whether the program @tool demangles names. */
static bool demangles(char *tool)
{
	char *words[] = {tool, (char *)"_Z1fv", NULL};
	struct buffer output = {0};
	struct error error;
	int exit_status = 1;
	bool works = child_run(words, &output, &exit_status, &error) == STATUS_OK && !exit_status && output.size &&
	             !strncmp(buffer_string(&output), "f()", 3);

	buffer_free(&output);
	return works;
}

/* Returns a program that demangles names, or NULL. The caller frees it. */
static char *find_tool(void)
{
	char *tool = format("c++filt");

	if (!demangles(tool)) {
		free(tool);
		tool = llvm_tool("llvm-cxxfilt");
	}
	return tool;
}

/* Stores the lines of @output as the names whose indices are in @indices. */
static void take_lines(
	struct buffer *output, const char **names, const size_t *indices, size_t count, struct arena *arena)
{
	struct bytes rest = {output->data, output->size};
	size_t i;

	for (i = 0; i < count && rest.size; i++) {
		struct bytes line = bytes_line(&rest);
		char *copy = arena_take(arena, line.size + 1);

		memcpy(copy, line.data, line.size);
		copy[line.size] = 0;
		if (line.size)
			names[indices[i]] = copy;
	}
}

/* Demangles names from index *@next on, as many as fit into one command line. */
static bool demangle_batch(char *tool, const char **names, size_t count, size_t *next, struct arena *arena)
{
	char **words = allocate(BATCH_NAMES + 2, sizeof(*words));
	size_t *indices = allocate(BATCH_NAMES, sizeof(*indices));
	struct buffer output = {0};
	struct error error;
	int exit_status = 1;
	size_t used = 0;
	size_t size = 0;
	bool works = true;

	words[0] = tool;
	for (; *next < count && used < BATCH_NAMES && size < BATCH_BYTES; ++*next)
		if (is_mangled(names[*next])) {
			indices[used] = *next;
			size += strlen(names[*next]);
			/* execvp() does not change the words. */
			words[++used] = (char *)(uintptr_t)names[*next];
		}
	if (used)
		works = child_run(words, &output, &exit_status, &error) == STATUS_OK && !exit_status;
	if (works)
		take_lines(&output, names, indices, used, arena);
	buffer_free(&output);
	free(words);
	free(indices);
	return works;
}

bool demangle(const char **names, size_t count, struct arena *arena)
{
	size_t next = 0;
	char *tool;

	while (next < count && !is_mangled(names[next]))
		next++;
	if (next == count)
		return true;
	if (demangle_is_linked()) {
		for (; next < count; next++) {
			const char *demangled = is_mangled(names[next]) ? demangle_linked(names[next], arena) : NULL;

			if (demangled)
				names[next] = demangled;
		}
		return true;
	}
	tool = find_tool();
	if (!tool)
		return false;
	while (next < count && demangle_batch(tool, names, count, &next, arena))
		;
	free(tool);
	return true;
}

bool source_names(const char **names, size_t count, struct arena *arena)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *suffix = strstr(names[i], UNIQUE);
		const char *end = suffix ? suffix + strlen(UNIQUE) : NULL;
		char *name;

		if (!suffix || !isdigit((unsigned char)*end))
			continue;
		end += strspn(end, "0123456789");
		name = arena_take(arena, strlen(names[i]) + 1);
		memcpy(name, names[i], (size_t)(suffix - names[i]));
		memcpy(name + (suffix - names[i]), end, strlen(end) + 1);
		names[i] = name;
	}
	return demangle(names, count, arena);
}
