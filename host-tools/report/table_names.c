/* SPDX-License-Identifier: BSD-2-Clause */
/* table_names.c - shortens the names of files as llvm-cov does. */
#include "table_names.h"
#include "error.h"
#include "path_map.h"

#include <stdlib.h>

/*
 * Returns the end of the component of @name that starts at @at, with the slashes after it. The slash at the start of an
 * absolute name is a component of its own.
 */
static size_t component_end(struct bytes name, size_t at)
{
	if (at || !name.size || name.data[0] != '/')
		while (at < name.size && name.data[at] != '/')
			at++;
	while (at < name.size && name.data[at] == '/')
		at++;
	return at;
}

/* Returns the length of the component from @at to before @end, without slashes. */
static size_t component_length(struct bytes name, size_t at, size_t end)
{
	while (end > at && name.data[end - 1] == '/')
		end--;
	return end - at;
}

/*
 * Returns how many bytes at the start of @first belong to components that @other has too. Only the @length bytes at the
 * start of @first are compared. If @other ends first, it does not count.
 */
static size_t common_length(struct bytes first, size_t length, struct bytes other)
{
	size_t at = 0;
	size_t other_at = 0;

	while (at < length && other_at < other.size) {
		size_t end = component_end(first, at);
		size_t other_end = component_end(other, other_at);
		size_t n = component_length(first, at, end);

		if (n != component_length(other, other_at, other_end) ||
			(n && memcmp(first.data + at, other.data + other_at, n) != 0))
			return at;
		at = end;
		other_at = other_end;
	}
	return length;
}

static size_t prefix_length(const struct coverage_selection *selection)
{
	struct bytes first;
	size_t length;
	size_t i;

	if (selection->file_count < 2)
		return 0;
	first = selection_name(selection, selection->files[0]);
	length = first.size;
	for (i = 1; i < selection->file_count && length; i++)
		length = common_length(first, length, selection_name(selection, selection->files[i]));
	return length;
}

/* Makes the name fit for the table. LLVM takes a backslash for another slash here. */
static char *clean(struct bytes name, bool slashes_first)
{
	char *slashed = format("%.*s", (int)name.size, name.data);
	struct buffer clean = {0};
	char *result;
	char *at;

	for (at = slashed; slashes_first && (at = strchr(at, '\\'));)
		*at = '/';
	if (*slashed == '/')
		buffer_add(&clean, "/", 1);
	path_append(&clean, (struct bytes){(const uint8_t *)slashed, strlen(slashed)});
	result = format("%s", buffer_string(&clean));
	for (at = result; (at = strchr(at, '\\'));)
		*at = '/';
	printable(result);
	buffer_free(&clean);
	free(slashed);
	return result;
}

void table_names_make(struct table_names *names, const struct coverage_selection *selection)
{
	/* LLVM 19 removes the folders . and .. after it replaced the backslashes, and older releases do so before. */
	bool slashes_first = selection->coverage->rules.release >= 19;
	size_t prefix = prefix_length(selection);
	size_t i;

	names->count = selection->file_count;
	names->list = allocate(names->count, sizeof(*names->list));
	for (i = 0; i < names->count; i++) {
		struct bytes name = selection_name(selection, selection->files[i]);
		size_t skipped = prefix < name.size ? prefix : name.size;

		name = (struct bytes){name.data + skipped, name.size - skipped};
		names->list[i] = clean(name, slashes_first);
		if (name.size > names->width)
			names->width = name.size;
	}
}

void table_names_free(struct table_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	*names = (struct table_names){0};
}
