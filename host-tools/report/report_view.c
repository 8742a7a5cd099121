/* SPDX-License-Identifier: BSD-2-Clause */
/* report_view.c - names, numbers and colours of the views. */
#include "report_view.h"
#include "conditions.h"
#include "demangle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct bytes view_local_file(struct bytes name)
{
	const uint8_t *end = name.size ? memrchr(name.data, ';', name.size) : NULL;
	size_t i;

	for (i = 1; i + 1 < name.size && !end; i++) {
		if (name.data[i] != ':')
			continue;
		/* Names of files have a dot, and names of Objective-C begin with a bracket. */
		if (name.data[i + 1] == ':' || !memchr(name.data, '.', i) || memchr(name.data, '[', i))
			break;
		end = name.data + i;
	}
	return (struct bytes){name.data, end ? (size_t)(end - name.data) : 0};
}

/* Returns the symbol in the name @name of a profile. */
static struct bytes symbol_of(struct bytes name)
{
	size_t file = view_local_file(name).size;

	if (file)
		bytes_slice(name, file + 1, name.size - file - 1, &name);
	return name;
}

bool report_view_names(struct report_view *view)
{
	const struct coverage *coverage = view->coverage;
	size_t i;

	view->names = allocate(coverage->count, sizeof(*view->names));
	for (i = 0; i < coverage->count; i++) {
		struct bytes name = symbol_of(coverage->functions[i].name);
		char *copy = arena_take(&view->arena, name.size + 1);

		if (name.size)
			memcpy(copy, name.data, name.size);
		copy[name.size] = 0;
		view->names[i] = copy;
	}
	return source_names(view->names, coverage->count, &view->arena);
}

void report_view_free(struct report_view *view)
{
	free(view->names);
	arena_free(&view->arena);
	view->names = NULL;
}

bool report_view_takes(const struct report_view *view, uint32_t file)
{
	return file != FILE_NONE &&
	       (!view->filter || source_filter_takes(view->filter, view->coverage->files->list[file]));
}

size_t report_view_common(const struct report_view *view, const uint32_t *files, size_t count)
{
	struct bytes first;
	struct bytes last;
	size_t n = 0;

	if (!count)
		return 0;
	/* All names between the first and the last begin with the bytes that these two have in common. */
	first = view->coverage->files->list[files[0]];
	last = view->coverage->files->list[files[count - 1]];
	while (n < first.size && n < last.size && first.data[n] == last.data[n])
		n++;
	while (n && first.data[n - 1] != '/')
		n--;
	return n;
}

struct bytes last_component(struct bytes path)
{
	const uint8_t *slash = path.size ? memrchr(path.data, '/', path.size) : NULL;

	if (slash)
		bytes_slice(path, (size_t)(slash + 1 - path.data), path.size - (size_t)(slash + 1 - path.data), &path);
	return path;
}

bool is_end_of_path(struct bytes name, struct bytes end)
{
	return end.size && name.size >= end.size && !memcmp(name.data + name.size - end.size, end.data, end.size) &&
	       (name.size == end.size || end.data[0] == '/' || name.data[name.size - end.size - 1] == '/');
}

void add_own_location(
	struct buffer *buffer, const struct report_view *view, uint32_t file, const struct condition *condition)
{
	if (condition->nested && condition->own_file != file) {
		add_safe(buffer, last_component(view->coverage->files->list[condition->own_file]));
		buffer_add_text(buffer, ":");
	}
	buffer_printf(buffer, "%" PRIu32 ":%" PRIu32, condition->own_line, condition->own_column);
}

void add_safe(struct buffer *buffer, struct bytes text)
{
	size_t i;

	buffer_reserve(buffer, text.size);
	for (i = 0; i < text.size; i++) {
		uint8_t c = text.data[i];

		buffer->data[buffer->size++] = (c < ' ' && c != '\t') || c == 0x7f ? '?' : c;
	}
}

void add_safe_text(struct buffer *buffer, const char *text)
{
	add_safe(buffer, (struct bytes){(const uint8_t *)text, strlen(text)});
}

/* The number is rounded like that of the table. But 100.00% means that nothing is missing. */
uint64_t hundredths(struct rate rate)
{
	uint64_t rounded;

	if (!rate.total)
		return 0;
	rounded = (uint64_t)rintl((long double)rate.covered * 10000 / (long double)rate.total);
	return rate.covered < rate.total && rounded > 9999 ? 9999 : rounded;
}

void add_percent(struct buffer *buffer, struct rate rate)
{
	if (rate.total)
		buffer_printf(buffer, "%3" PRIu64 ".%02" PRIu64 "%%", hundredths(rate) / 100, hundredths(rate) % 100);
	else
		buffer_add_text(buffer, "      -");
}

void add_short_count(struct buffer *buffer, uint64_t count)
{
	static const char units[] = " kMGTPE";
	unsigned int unit = 0;
	uint64_t divisor = 1;

	while (count / divisor >= 1000) {
		divisor *= 1000;
		unit++;
	}
	buffer_add_number(buffer, count / divisor, 10);
	if (!unit)
		return;
	if (count / divisor < 10)
		buffer_printf(buffer, ".%02u", (unsigned int)(count / (divisor / 100) % 100));
	else if (count / divisor < 100)
		buffer_printf(buffer, ".%u", (unsigned int)(count / (divisor / 10) % 10));
	buffer_add(buffer, &units[unit], 1);
}

void color_start(struct buffer *buffer, const struct report_view *view, enum color color)
{
	static const char *const sequences[] = {
		[COLOR_MISSED] = "\033[41m",
		[COLOR_BAD] = "\033[31m",
		[COLOR_PARTLY] = "\033[33m",
		[COLOR_GOOD] = "\033[32m",
		[COLOR_TITLE] = "\033[1m",
	};

	if (view->color)
		buffer_add_text(buffer, sequences[color]);
}

void color_end(struct buffer *buffer, const struct report_view *view)
{
	if (view->color)
		buffer_add_text(buffer, "\033[0m");
}

void add_rate_columns(struct buffer *buffer, const struct report_view *view, struct rate rate)
{
	/* The limits of the colours are those of llvm-cov. */
	enum color color = rate.covered == rate.total          ? COLOR_GOOD
	                   : rate.covered / 4 >= missing(rate) ? COLOR_PARTLY
	                                                       : COLOR_BAD;

	buffer_printf(buffer, " %9" PRIu64 " %8" PRIu64 "  ", rate.total, missing(rate));
	if (rate.total)
		color_start(buffer, view, color);
	add_percent(buffer, rate);
	if (rate.total)
		color_end(buffer, view);
}

void add_rate_titles(struct buffer *buffer, const char *title)
{
	buffer_printf(buffer, " %9s %8s  %7s", title, "Missed", "Cover");
}
