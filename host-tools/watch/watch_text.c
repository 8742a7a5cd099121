/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_text.c - a headline, then a line for each new function, then the new lines of each file. */
#include "watch_text.h"
#include "demangle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Names up to this length are padded, so that the locations after them are in one column. */
#define NAME_COLUMNS 28

const char *watch_text_name(const struct watched *watched)
{
	const char *slash = strrchr(watched->path, '/');

	return slash ? slash + 1 : watched->path;
}

/* Appends @text without control characters, which could harm a terminal. */
static void add_safe(struct buffer *out, struct bytes text)
{
	size_t i;

	buffer_reserve(out, text.size);
	for (i = 0; i < text.size; i++)
		out->data[out->size++] = text.data[i] < ' ' || text.data[i] == 0x7f ? '?' : text.data[i];
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_totals(struct buffer *out, const struct look *look)
{
	buffer_printf(out, "%" PRIu64 " of %" PRIu64 " functions and %" PRIu64 " of %" PRIu64 " lines",
		look->functions.covered, look->functions.total, look->lines.covered, look->lines.total);
}

static void add_headline(
	struct buffer *out, const struct watch_text *text, const struct watched *watched, const struct look *look)
{
	buffer_printf(out, "%s  ", text->time);
	if (text->named)
		buffer_printf(out, "%s: ", watch_text_name(watched));
	if (look->base) {
		buffer_add_text(out, "base line: ");
		add_totals(out, look);
		buffer_add_text(out, " have run\n");
		return;
	}
	buffer_printf(out, "%s%zu function%s and %" PRIu64 " line%s",
		look->reset ? "the counters were reset; since then ran " : "new: ", look->function_count,
		plural(look->function_count), look->line_count, plural(look->line_count));
	if (text->totals) {
		buffer_add_text(out, "; now ");
		add_totals(out, look);
	}
	buffer_add_text(out, "\n");
}

/* Appends the name of a file without the folder that all files have in common. */
static void add_file(struct buffer *out, const struct watched *watched, uint32_t file)
{
	struct bytes name = watched->files.list[file];

	if (name.size > watched->common)
		bytes_slice(name, watched->common, name.size - watched->common, &name);
	add_safe(out, name);
}

/*
 * Returns @name without the name of its file, which clang adds to the names of static functions: "ring.c:take" or
 * "lib/ring.c;take". The location follows the name anyway.
 */
static struct bytes without_file(struct bytes name, struct bytes file)
{
	size_t n;

	for (n = 0; n + 1 < name.size; n++)
		if ((name.data[n] == ':' || name.data[n] == ';') && n && n <= file.size &&
			!memcmp(name.data, file.data + file.size - n, n) && name.data[n + 1] != ':') {
			bytes_slice(name, n + 1, name.size - n - 1, &name);
			break;
		}
	return name;
}

/* Returns the names of the new functions as in the source. They belong to @arena; the caller frees the list. */
static const char **name_functions(const struct watched *watched, const struct look *look, struct arena *arena)
{
	const char **names = allocate(look->function_count, sizeof(*names));
	size_t i;

	for (i = 0; i < look->function_count; i++) {
		const struct look_function *function = &look->function_list[i];
		struct bytes name = without_file(function->name, watched->files.list[function->file]);
		char *copy = arena_take(arena, name.size + 1);

		memcpy(copy, name.data, name.size);
		copy[name.size] = 0;
		names[i] = copy;
	}
	/* Names that cannot be demangled are shown as they are. */
	source_names(names, look->function_count, arena);
	return names;
}

static void add_functions(struct buffer *out, const struct watched *watched, const struct look *look)
{
	struct arena arena = {0};
	const char **names = name_functions(watched, look, &arena);
	size_t i;

	for (i = 0; i < look->function_count; i++) {
		size_t length = strlen(names[i]);

		buffer_add_text(out, "  + ");
		add_safe(out, (struct bytes){(const uint8_t *)names[i], length});
		buffer_printf(out, "%*s", length < NAME_COLUMNS ? (int)(NAME_COLUMNS - length) + 1 : 1, "");
		add_file(out, watched, look->function_list[i].file);
		buffer_printf(out, ":%" PRIu32 "\n", look->function_list[i].line);
	}
	free(names);
	arena_free(&arena);
}

/* Appends the lines of one file. If the list is wider than @columns, it goes on in further lines. */
static void add_ranges(struct buffer *out, const struct line_ranges *ranges, size_t columns)
{
	size_t start = out->size;
	size_t i;

	while (start && out->data[start - 1] != '\n')
		start--;
	for (i = 0; i < ranges->count; i++) {
		const struct line_range *range = &ranges->list[i];
		char text[32];
		int length = snprintf(text, sizeof(text),
			range->first == range->last ? "%" PRIu32 : "%" PRIu32 "-%" PRIu32, range->first, range->last);

		if (i)
			buffer_add_text(out, ",");
		if (i && columns && out->size - start + (size_t)length + 2 > columns) {
			buffer_add_text(out, "\n       ");
			start = out->size - 7;
		}
		buffer_printf(out, " %s", text);
	}
	buffer_add_text(out, "\n");
}

void watch_text_add(
	struct buffer *out, const struct watch_text *text, const struct watched *watched, const struct look *look)
{
	size_t i;

	add_headline(out, text, watched, look);
	if (look->function_count)
		add_functions(out, watched, look);
	for (i = 0; i < look->line_list_count; i++) {
		buffer_add_text(out, "    ");
		add_file(out, watched, look->line_list[i].file);
		buffer_add_text(out, ":");
		add_ranges(out, &look->line_list[i].ranges, text->columns);
	}
}
