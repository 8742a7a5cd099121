/* SPDX-License-Identifier: BSD-2-Clause */
/* source_text.c - reads a source file, and finds its lines. */
#include "source_text.h"

#include <stdlib.h>
#include <sys/stat.h>

void source_text_read(struct source_text *text, struct bytes name, int64_t program_time)
{
	char *path = format("%.*s", (int)name.size, (const char *)name.data);
	struct error ignored;
	struct stat about;
	struct bytes rest;
	size_t room = 0;

	*text = (struct source_text){0};
	/* The name comes from the program. Reading a device or a pipe could block, or never end. */
	if (!stat(path, &about) && S_ISREG(about.st_mode) && input_read(&text->input, path, &ignored) == STATUS_OK) {
		text->read = true;
		text->newer = program_time && about.st_mtim.tv_sec > program_time;
	}
	free(path);
	for (rest = text->input.bytes; text->read && rest.size;) {
		text->lines = array_grow(text->lines, text->count, &room, sizeof(*text->lines));
		text->lines[text->count++] = bytes_line(&rest);
	}
}

void source_text_free(struct source_text *text)
{
	input_free(&text->input);
	free(text->lines);
	*text = (struct source_text){0};
}

struct bytes source_line(const struct source_text *text, uint64_t number)
{
	struct bytes line = {NULL, 0};

	if (number && number <= text->count)
		line = text->lines[number - 1];
	if (line.size && line.data[line.size - 1] == '\r')
		line.size--;
	return line;
}

struct bytes source_piece(
	const struct source_text *text, uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column)
{
	struct bytes whole = source_line(text, line);
	struct bytes piece = {NULL, 0};
	size_t end = end_line == line && end_column <= whole.size ? end_column - 1 : whole.size;

	if (!text->newer && column && column - 1 < end)
		bytes_slice(whole, column - 1, end - (column - 1), &piece);
	return piece;
}

bool is_of_word(uint8_t c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

struct bytes macro_name(const struct source_text *text, uint32_t line, uint32_t column)
{
	struct bytes name = source_piece(text, line, column, line, UINT32_MAX);
	size_t n = 0;

	while (n < name.size && is_of_word(name.data[n]))
		n++;
	name.size = n;
	return name;
}

bool source_is_directive(const struct source_text *text, uint64_t line)
{
	struct bytes first = source_line(text, line);
	struct bytes before = source_line(text, line - 1);
	size_t i = 0;

	/* A backslash at the end of a line joins it with the next one. */
	while (line > 1 && before.size && before.data[before.size - 1] == '\\') {
		first = before;
		line--;
		before = source_line(text, line - 1);
	}
	while (i < first.size && (first.data[i] == ' ' || first.data[i] == '\t'))
		i++;
	return i < first.size && first.data[i] == '#';
}
