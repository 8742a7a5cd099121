/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lcov.c - reads the text format of LCOV. The reader uses three kinds of lines:
 *
 * - The line "SF:name" gives the name of a file. The lines after it belong to this file.
 * - The line "DA:line,hits" says that a line of the file ran @hits times.
 * - The line "BRDA:line,block,branch,taken" says that a branch was taken @taken times.
 *
 * The name of a file goes up to the end of the line, and can have any characters.
 */
#include "lcov.h"
#include "path_map.h"

#include <stdlib.h>
#include <string.h>

/* Reads the number at the start of @text, and removes it and the comma after it from @text. */
static bool take_number(struct bytes *text, uint64_t *value)
{
	size_t n = 0;

	*value = 0;
	while (n < text->size && text->data[n] >= '0' && text->data[n] <= '9') {
		unsigned int digit = text->data[n++] - '0';

		*value = *value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *value * 10 + digit;
	}
	if (!n || (n < text->size && text->data[n] != ','))
		return false;
	n += n < text->size;
	return bytes_slice(*text, n, text->size - n, text);
}

/* Reads the number of a line. A number that is too large is damaged. */
static bool take_line(struct bytes *text, struct lcov_line *line)
{
	uint64_t number;

	if (!take_number(text, &number) || number >= UINT32_MAX)
		return false;
	line->number = (uint32_t)number;
	return true;
}

static struct lcov_file *add_file(struct lcov *lcov, struct bytes name)
{
	struct buffer clean = {0};
	struct lcov_file *file;

	/* llvm-cov before 15 can write names with "..". path_append() removes the "..". */
	if (name.size && *name.data == '/')
		buffer_add(&clean, "/", 1);
	path_append(&clean, name);
	lcov->files = array_grow(lcov->files, lcov->count, &lcov->room, sizeof(*lcov->files));
	file = &lcov->files[lcov->count++];
	*file = (struct lcov_file){.name = format("%s", buffer_string(&clean))};
	buffer_free(&clean);
	return file;
}

static void add_line(struct lcov_file *file, struct lcov_line line)
{
	file->lines = array_grow(file->lines, file->count, &file->room, sizeof(*file->lines));
	file->lines[file->count++] = line;
}

static void read_line(struct lcov *lcov, struct lcov_file **file, struct bytes text)
{
	struct lcov_line line = {.lines = 1};
	uint64_t block;
	uint64_t branch;
	uint64_t taken;

	if (bytes_after(&text, "SF:")) {
		*file = add_file(lcov, text);
	} else if (!*file) {
		return;
	} else if (bytes_after(&text, "DA:")) {
		if (take_line(&text, &line) && take_number(&text, &line.hits))
			add_line(*file, line);
	} else if (bytes_after(&text, "BRDA:")) {
		/* If a line never ran, its branches have "-" instead of a number. */
		if (!take_line(&text, &line) || !take_number(&text, &block) || !take_number(&text, &branch))
			return;
		line.branches = 1;
		line.taken = take_number(&text, &taken) && taken;
		add_line(*file, line);
	}
}

static int compare_lines(const void *left, const void *right)
{
	return compare_uint(((const struct lcov_line *)left)->number, ((const struct lcov_line *)right)->number);
}

/* Compares the line number at @key with a range of lines. */
static int compare_range(const void *key, const void *element)
{
	const struct lcov_line *line = element;
	uint64_t number = *(const uint64_t *)key;

	return number < line->number ? -1 : number - line->number >= line->lines;
}

static int compare_files(const void *left, const void *right)
{
	return strcmp(((const struct lcov_file *)left)->name, ((const struct lcov_file *)right)->name);
}

/* Sorts the lines. If the same line occurs several times, adds up its hits and branches, and keeps it once. */
static void join_lines(struct lcov_file *file)
{
	size_t kept = 0;
	size_t i;

	if (file->count)
		qsort(file->lines, file->count, sizeof(*file->lines), compare_lines);
	for (i = 0; i < file->count; i++) {
		struct lcov_line *line = &file->lines[i];
		struct lcov_line *last = kept ? &file->lines[kept - 1] : NULL;

		if (!last || last->number != line->number) {
			file->lines[kept++] = *line;
			continue;
		}
		last->hits += line->hits;
		last->branches += line->branches;
		last->taken += line->taken;
	}
	file->count = kept;
}

void lcov_read(struct lcov *lcov, struct bytes bytes)
{
	struct lcov_file *file = NULL;
	size_t i;

	while (bytes.size) {
		struct bytes line = bytes_line(&bytes);

		read_line(lcov, &file, line);
	}
	for (i = 0; i < lcov->count; i++)
		join_lines(&lcov->files[i]);
	if (lcov->count)
		qsort(lcov->files, lcov->count, sizeof(*lcov->files), compare_files);
}

const struct lcov_line *lcov_line(const struct lcov_file *file, uint64_t number)
{
	return file->count ? bsearch(&number, file->lines, file->count, sizeof(*file->lines), compare_range) : NULL;
}

void lcov_add(const struct lcov_file *file, struct lcov_rate *lines, struct lcov_rate *branches)
{
	size_t i;

	for (i = 0; i < file->count; i++) {
		lines->valid += file->lines[i].lines;
		lines->covered += file->lines[i].hits ? file->lines[i].lines : 0;
		branches->valid += file->lines[i].branches;
		branches->covered += file->lines[i].taken;
	}
}

void lcov_free(struct lcov *lcov)
{
	size_t i;

	for (i = 0; i < lcov->count; i++) {
		free(lcov->files[i].name);
		free(lcov->files[i].lines);
	}
	free(lcov->files);
	*lcov = (struct lcov){0};
}
