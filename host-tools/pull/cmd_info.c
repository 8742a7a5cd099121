/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_info.c - `bareprof info`: lists running images and their properties, without reading their profiles. docs/JSON.md
 * describes the JSON output.
 */
#include "../ports/linux/debugfs_names.h"
#include "backends.h"
#include "commands.h"
#include "exit.h"
#include "json.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "bareprof-info-1"

static const char *from_text;
static bool as_json;

static const struct option options[] = {
	{OPT_TEXT("from", 0, "BACKEND", &from_text, "get images from debugfs, debugfs:DIR, xen or xen:DEVICE")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON with all properties instead of a table")},
	{OPT_END},
};

/* An image and its properties, which are the lines of its ITEM_INFO. */
struct image_info {
	const char *name;
	struct buffer text;
};

/* Columns of the table. A key of NULL stands for the image's name. An image without the key may have the other key. */
static const struct column {
	const char *head;
	const char *key;
	bool number;
	const char *other_key;
} columns[] = {
	{"NAME", NULL, false, NULL},
	{"STATE", BAREPROF_INFO_STATE, false, NULL},
	{"KIND", BAREPROF_INFO_KIND, false, NULL},
	{"FUNCTIONS", BAREPROF_INFO_FUNCTIONS, true, BAREPROF_INFO_RECORDING},
	{"COUNTERS", BAREPROF_INFO_COUNTERS, true, NULL},
	{"PROFRAW BYTES", BAREPROF_INFO_PROFRAW_BYTES, true, NULL},
	{"KEPT LOADS", BAREPROF_INFO_KEPT_LOADS, true, NULL},
	{"RESETS", BAREPROF_INFO_RESETS, true, NULL},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static struct bytes lines_of(const struct image_info *info)
{
	return (struct bytes){info->text.data, info->text.size};
}

static struct bytes cell(const struct image_info *info, const struct column *column)
{
	struct bytes text = column->key ? info_value(lines_of(info), column->key)
	                                : (struct bytes){(const uint8_t *)info->name, strlen(info->name)};

	if (!text.size && column->other_key)
		text = info_value(lines_of(info), column->other_key);
	return text.size ? text : (struct bytes){(const uint8_t *)"-", 1};
}

/* Appends a cell: numbers are aligned to the right, text to the left. */
static void add_cell(struct buffer *line, struct bytes text, size_t width, bool number)
{
	int gap = (int)(width - text.size);

	buffer_printf(line, "%*s", number ? gap : 0, "");
	buffer_add(line, text.data, text.size);
	buffer_printf(line, "%*s", number ? 2 : gap + 2, "");
}

/*
 * Prints @line without spaces at its end, and empties @line. Control characters are replaced, because the text comes
 * from the image.
 */
static void put_line(struct buffer *line)
{
	while (line->size && line->data[line->size - 1] == ' ')
		line->size--;
	printable((char *)buffer_string(line));
	puts(buffer_string(line));
	line->size = 0;
}

static size_t column_width(const struct image_info *infos, size_t count, const struct column *column)
{
	size_t width = strlen(column->head);
	size_t row;

	for (row = 0; row < count; row++) {
		struct bytes text = cell(&infos[row], column);

		width = text.size > width ? text.size : width;
	}
	return width;
}

static void put_table(const struct image_info *infos, size_t count)
{
	struct buffer line = {0};
	size_t width[COLUMNS];
	size_t row;
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		struct bytes head = {(const uint8_t *)columns[i].head, strlen(columns[i].head)};

		width[i] = column_width(infos, count, &columns[i]);
		add_cell(&line, head, width[i], columns[i].number);
	}
	put_line(&line);
	for (row = 0; row < count; row++) {
		for (i = 0; i < COLUMNS; i++)
			add_cell(&line, cell(&infos[row], &columns[i]), width[i], columns[i].number);
		put_line(&line);
	}
	buffer_free(&line);
	/* Print the reasons why images cannot be read. */
	for (row = 0; row < count; row++) {
		struct bytes error = info_value(lines_of(&infos[row]), BAREPROF_INFO_ERROR);

		if (error.size)
			complain(infos[row].name, "%.*s", (int)error.size, (const char *)error.data);
	}
}

/*
 * Returns the JSON key for the key of a line, for example "profraw_bytes" for "profraw bytes". The caller frees the
 * JSON key.
 */
static char *property(struct bytes key)
{
	char *name = format("%.*s", (int)key.size, (const char *)key.data);
	char *c;

	for (c = name; *c; c++)
		*c = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_');
	return name;
}

/* Returns whether the value of @key is text even if it consists of digits. */
static bool is_text(struct bytes key)
{
	static const char *const keys[] = {
		BAREPROF_INFO_STATE, BAREPROF_INFO_ERROR, BAREPROF_INFO_KIND, BAREPROF_INFO_BUILD_ID};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (key.size == strlen(keys[i]) && !memcmp(key.data, keys[i], key.size))
			return true;
	return false;
}

static void put_json(const struct origin *origin, const struct image_info *infos, size_t count)
{
	struct json json = {.stream = stdout};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_text(&json, "backend", origin->backend->name);
	json_text(&json, "location", origin->location);
	/*
	 * "from" is the old key for "backend", and "place" is the old key for "location". This version of bareprof
	 * writes both old keys too, because existing programs may read them.
	 */
	json_text(&json, "from", origin->backend->name);
	json_text(&json, "place", origin->location);
	json_open(&json, "images", '[');
	for (i = 0; i < count; i++) {
		struct bytes rest = lines_of(&infos[i]);
		struct bytes key;
		struct bytes value;

		json_open(&json, NULL, '{');
		json_text(&json, "name", infos[i].name);
		while (info_line(&rest, &key, &value)) {
			char *name = property(key);
			uint64_t number;

			if (!is_text(key) && info_number(value, &number))
				json_number(&json, name, number);
			else
				json_bytes(&json, name, value);
			free(name);
		}
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

static enum status print_infos(const struct origin *origin, const struct image_names *names)
{
	struct image_info *infos = allocate(names->count + 1, sizeof(*infos));
	enum status status = STATUS_OK;
	struct error error;
	size_t count = 0;
	size_t i;

	for (i = 0; i < names->count; i++) {
		char *path = origin->backend->path(origin->location, names->name[i], ITEM_INFO);
		enum status one;

		infos[count].name = names->name[i];
		one = backend_info(origin, names->name[i], &infos[count].text, &error);
		if (one == STATUS_OK) {
			count++;
		} else {
			error_print(path, &error);
			status = one;
		}
		free(path);
	}
	if (as_json)
		put_json(origin, infos, count);
	else
		put_table(infos, count);
	for (i = 0; i < names->count; i++)
		buffer_free(&infos[i].text);
	free(infos);
	return status;
}

static enum status info(char **operands)
{
	struct image_names names;
	struct origin origin;
	enum status status = backends_find(&origin, &names, "info", from_text, operands);

	if (status == STATUS_OK)
		status = print_infos(&origin, &names);
	image_names_free(&names);
	return status;
}

const struct command command_info = {
	.name = "info",
	.summary = "list running images that have a profile",
	.operands = "--from debugfs[:DIR]|xen [NAME...]",
	.operands_min = 0,
	.operands_max = INT_MAX,
	.help = "List the images NAME: modules of Linux, vmlinux for the kernel itself, or xen for\n"
		"the hypervisor. Without NAME, list all images. The state 'gone' marks a module that\n"
		"was unloaded; its profile is kept until it is reset. The state 'broken' marks an image\n"
		"that cannot be read; the reason is printed. docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = info,
};
