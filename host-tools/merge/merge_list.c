/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_list.c - inputs, a line each.
 */
#include "merge_list.h"
#include "input.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void merge_list_add(struct merge_list *list, const char *path, uint64_t weight)
{
	list->inputs = grow(list->inputs, list->count, &list->room, sizeof(*list->inputs));
	list->inputs[list->count++] = (struct bareprof_input){.path = format("%s", path), .weight = weight};
}

static enum status add_line(struct merge_list *list, char *line, size_t number, struct error *error)
{
	char *end = line + strlen(line);
	uint64_t weight = 1;
	char *comma;

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	while (isspace((unsigned char)*line))
		line++;
	comma = strchr(line, ',');
	if (!*line || *line == '#')
		return STATUS_OK;
	/* A path may have a comma as well: a weight is a number. */
	if (comma && line + strspn(line, "0123456789") == comma) {
		weight = strtoull(line, NULL, 10);
		line = comma + 1;
		if (!weight || weight > WEIGHT_MAX || !*line)
			return error_set(error, STATUS_BAD,
				"line %zu is not of the form PATH or WEIGHT,PATH with a weight from 1 to %" PRIu32,
				number, WEIGHT_MAX);
	}
	merge_list_add(list, line, weight);
	return STATUS_OK;
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
