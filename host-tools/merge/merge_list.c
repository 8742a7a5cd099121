/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_list.c - makes the list of the inputs of a merge, from operands, folders, and files that list inputs.
 */
#include "merge_list.h"
#include "arguments.h"
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_file(struct merge_list *list, const char *path, uint64_t weight)
{
	list->inputs = array_grow(list->inputs, list->count, &list->room, sizeof(*list->inputs));
	list->inputs[list->count++] = (struct bareprof_input){.path = format("%s", path), .weight = weight};
}

static int by_name(const FTSENT **left, const FTSENT **right)
{
	return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Adds all files in a folder and its subfolders, in the order of their names. */
static enum status add_folder(struct merge_list *list, char *path, uint64_t weight, struct error *error)
{
	char *const roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	size_t before = list->count;
	enum status status = STATUS_OK;
	FTSENT *entry;

	if (!tree)
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
	while (status == STATUS_OK && (entry = fts_read(tree)) != NULL) {
		if (entry->fts_info == FTS_F)
			add_file(list, entry->fts_path, weight);
		else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
			status = error_set(error, STATUS_SYSTEM, "has %s, which cannot be read: %s", entry->fts_path,
				strerror(entry->fts_errno));
	}
	fts_close(tree);
	if (status == STATUS_OK && list->count == before)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has no files in it; name the profiles, or the folder that they are in");
	return status;
}

enum status merge_list_add(struct merge_list *list, const char *path, uint64_t weight, struct error *error)
{
	enum status status = STATUS_OK;
	struct stat found;
	char *copy;

	if (!strcmp(path, "-") || stat(path, &found) || !S_ISDIR(found.st_mode)) {
		add_file(list, path, weight);
		return STATUS_OK;
	}
	copy = format("%s", path);
	status = add_folder(list, copy, weight, error);
	free(copy);
	return status;
}

const char *merge_list_weighted(const char *text, uint64_t *weight)
{
	const char *comma = strchr(text, ',');
	char *number;
	bool valid;

	if (!comma || !comma[1])
		return NULL;
	number = format("%.*s", (int)(comma - text), text);
	valid = argument_number(number, 1, WEIGHT_MAX, weight);
	free(number);
	return valid ? comma + 1 : NULL;
}

static enum status add_line(struct merge_list *list, char *line, size_t number, struct error *error)
{
	char *end = line + strlen(line);
	const char *path;
	uint64_t weight = 1;

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	while (isspace((unsigned char)*line))
		line++;
	path = line;
	if (!*line || *line == '#')
		return STATUS_OK;
	/*
	 * A path can also contain a comma. So the text before the first comma is a weight only if it consists of
	 * digits.
	 */
	if (line[strspn(line, "0123456789")] == ',') {
		path = merge_list_weighted(line, &weight);
		if (!path)
			return error_set(error, STATUS_INVALID_INPUT,
				"line %zu is not of the form PATH or WEIGHT,PATH with a weight from 1 to %" PRIu32,
				number, WEIGHT_MAX);
	}
	return merge_list_add(list, path, weight, error);
}

enum status merge_list_read(struct merge_list *list, const char *path, struct error *error)
{
	struct input input;
	enum status status = input_read(&input, path, error);
	size_t number = 0;
	char *text;
	char *line;
	char *rest;

	if (status != STATUS_OK)
		return status;
	rest = text = strndup((const char *)input.bytes.data, input.bytes.size);
	if (!text)
		die_of_memory();
	while (rest && status == STATUS_OK) {
		line = strsep(&rest, "\n");
		status = add_line(list, line, ++number, error);
	}
	free(text);
	input_free(&input);
	return status;
}

void merge_list_free(struct merge_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free((char *)(uintptr_t)list->inputs[i].path);
	free(list->inputs);
	*list = (struct merge_list){0};
}
