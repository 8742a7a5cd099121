/* SPDX-License-Identifier: BSD-2-Clause */
/* source_filter.c - compares the names of source files with --ignore-filename and --sources. */
#include "source_filter.h"
#include "exit.h"

#include <stdlib.h>
#include <unistd.h>

/*
 * A file or folder of --sources. The program has the names with which the compiler was called. So a name is compared
 * with the argument itself, with the argument in the current folder, and with the path to which symbolic links lead.
 */
struct source_place {
	const char *argument;
	struct buffer names[3]; /* without the folders . and .., and without a slash at the end; no bytes: not used */
	bool whole; /* the argument is the current folder, which has all files without an absolute name */
};

/* Adds the components of @path to @name, as the compiler's names have them: without . and .. */
static void set_name(struct buffer *name, const char *folder, const char *path)
{
	if (*path == '/' || *folder == '/')
		buffer_add_text(name, "/");
	path_append(name, (struct bytes){(const uint8_t *)folder, strlen(folder)});
	path_append(name, (struct bytes){(const uint8_t *)path, strlen(path)});
	while (name->size > 1 && name->data[name->size - 1] == '/')
		name->size--;
}

static void start_place(struct source_place *place, const char *path)
{
	char *folder = *path == '/' ? NULL : realpath(".", NULL);
	char *target = realpath(path, NULL);

	place->argument = path;
	set_name(&place->names[0], *path == '/' ? "/" : folder ? folder : "", path);
	if (target)
		set_name(&place->names[1], "/", target);
	if (*path != '/')
		set_name(&place->names[2], "", path);
	place->whole = *path != '/' && !place->names[2].size;
	free(target);
	free(folder);
}

/* Compiles @text. Returns false after it printed an error. */
static bool compile(regex_t *regex, const char *text)
{
	char reason[200];
	int code;

	/* This expression matches every name. */
	if (!*text) {
		complain(NULL, "--ignore-filename takes a regular expression, not an empty text");
		return false;
	}
	code = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (!code)
		return true;
	regerror(code, regex, reason, sizeof(reason));
	complain(NULL, "--ignore-filename: invalid regular expression '%s': %s", text, reason);
	return false;
}

static size_t list_size(const char *const *list)
{
	size_t count = 0;

	while (list[count])
		count++;
	return count;
}

bool source_filter_start(struct source_filter *filter, const char *const *ignored, const char *const *sources)
{
	size_t i;

	*filter = (struct source_filter){.ignored_texts = ignored, .sources = sources};
	filter->ignored = allocate(list_size(ignored), sizeof(*filter->ignored));
	filter->places = allocate(list_size(sources), sizeof(*filter->places));
	for (; sources[filter->place_count]; filter->place_count++)
		start_place(&filter->places[filter->place_count], sources[filter->place_count]);
	for (i = 0; ignored[i]; i++, filter->ignored_count++)
		if (!compile(&filter->ignored[i], ignored[i])) {
			source_filter_free(filter);
			return false;
		}
	return true;
}

bool source_filter_is_used(const struct source_filter *filter)
{
	return filter->ignored_count || filter->place_count;
}

void source_filter_free(struct source_filter *filter)
{
	size_t i;
	size_t n;

	for (i = 0; i < filter->ignored_count; i++)
		regfree(&filter->ignored[i]);
	for (i = 0; i < filter->place_count; i++)
		for (n = 0; n < 3; n++)
			buffer_free(&filter->places[i].names[n]);
	free(filter->ignored);
	free(filter->places);
	*filter = (struct source_filter){0};
}

static bool is_in(const struct source_place *place, struct bytes name)
{
	size_t i;

	if (place->whole && name.size && name.data[0] != '/')
		return true;
	for (i = 0; i < 3; i++) {
		const struct buffer *start = &place->names[i];
		bool is_root = start->size == 1 && start->data[0] == '/';

		if (start->size && name.size >= start->size && !memcmp(name.data, start->data, start->size) &&
			(is_root || name.size == start->size || name.data[start->size] == '/'))
			return true;
	}
	return false;
}

static bool is_match(const regex_t *regex, struct bytes name)
{
	struct buffer text = {0};
	bool found;

	buffer_add(&text, name.data, name.size);
	found = !regexec(regex, buffer_string(&text), 0, NULL, 0);
	buffer_free(&text);
	return found;
}

/* Returns whether --ignore-filename leaves out the file @name. */
static bool is_ignored(const struct source_filter *filter, struct bytes name)
{
	size_t i;

	for (i = 0; i < filter->ignored_count; i++)
		if (is_match(&filter->ignored[i], name))
			return true;
	return false;
}

bool source_filter_takes(const struct source_filter *filter, struct bytes name)
{
	bool taken = !filter->place_count;
	size_t i;

	for (i = 0; i < filter->place_count && !taken; i++)
		taken = is_in(&filter->places[i], name);
	return taken && !(filter->ignored_count && is_ignored(filter, name));
}

uint32_t *source_filter_files(const struct source_filter *filter, const struct coverage *coverage, size_t *count)
{
	uint32_t *files = allocate(coverage->source_count, sizeof(*files));
	size_t i;

	*count = 0;
	for (i = 0; i < coverage->source_count; i++)
		if (!filter || source_filter_takes(filter, coverage->files->list[coverage->sources[i]]))
			files[(*count)++] = coverage->sources[i];
	return files;
}

/* Warns of expressions of --ignore-filename that fit no file, because they are often misspelled. */
static void warn_of_useless(const struct source_filter *filter, const struct coverage *coverage)
{
	size_t i;
	size_t n;

	for (i = 0; i < filter->ignored_count; i++) {
		for (n = 0; n < coverage->source_count; n++)
			if (is_match(&filter->ignored[i], coverage->files->list[coverage->sources[n]]))
				break;
		if (n == coverage->source_count)
			complain(NULL,
				"--ignore-filename %s: matches no source file of the program; the table lists their "
				"names",
				filter->ignored_texts[i]);
	}
}

enum status source_filter_check(
	const struct source_filter *filter, const struct coverage *coverage, struct error *error)
{
	size_t count;
	size_t i;
	size_t n;

	for (i = 0; i < filter->place_count; i++) {
		for (n = 0; n < coverage->source_count; n++)
			if (is_in(&filter->places[i], coverage->files->list[coverage->sources[n]]))
				break;
		if (n == coverage->source_count)
			return error_set(error, STATUS_INVALID_INPUT,
				"--sources %s: the program has no source file there; the table without --sources lists "
				"its files, and --path-map A=B changes their folders",
				filter->places[i].argument);
	}
	free(source_filter_files(filter, coverage, &count));
	if (count || !coverage->source_count) {
		warn_of_useless(filter, coverage);
		return STATUS_OK;
	}
	return error_set(error, STATUS_INVALID_INPUT,
		"--ignore-filename leaves out all source files; the table without it lists their names");
}
