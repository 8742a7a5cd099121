// SPDX-License-Identifier: BSD-2-Clause
/*
 * lines.c - splits assembly text into lines with label, word and operands.
 */
#include "assembly.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum status reject(const struct assembly *assembly, size_t index, struct error *error, const char *format, ...)
{
	char text[3000];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(error, STATUS_INVALID_INPUT, "%s:%zu: %s", assembly->path, index + 1, text);
}

bool bytes_are(struct bytes bytes, const char *text)
{
	return bytes.size == strlen(text) && !memcmp(bytes.data, text, bytes.size);
}

bool bytes_begin(struct bytes bytes, const char *prefix)
{
	return bytes.size >= strlen(prefix) && !memcmp(bytes.data, prefix, strlen(prefix));
}

bool line_is(const struct line *line, const char *word)
{
	return line->word.size == strlen(word) && !memcmp(line->word.data, word, line->word.size);
}

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Bytes from 0x80 on are part of names, because compilers accept names in UTF-8. */
static bool is_name(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
	       c == '$' || c >= 0x80;
}

struct bytes trimmed(struct bytes text)
{
	while (text.size && is_space(text.data[0])) {
		text.data++;
		text.size--;
	}
	while (text.size && is_space(text.data[text.size - 1]))
		text.size--;
	return text;
}

bool next_word(struct bytes *text, struct bytes *word)
{
	while (text->size && !is_name(text->data[0])) {
		text->data++;
		text->size--;
	}
	word->data = text->data;
	while (text->size && is_name(text->data[0])) {
		text->data++;
		text->size--;
	}
	word->size = (size_t)(text->data - word->data);
	return word->size;
}

static bool is_comment(enum rewrite_target target, struct bytes text, size_t at)
{
	switch (target) {
	case REWRITE_X86_64:
		return text.data[at] == '#';
	case REWRITE_ARM:
		return text.data[at] == '@';
	default:
		return text.data[at] == '/' && at + 1 < text.size && text.data[at + 1] == '/';
	}
}

/* Removes the comment at the end of @text. A line that begins with '#' is a comment for all processors. */
static struct bytes without_comment(struct line *line, enum rewrite_target target, struct bytes text)
{
	bool quoted = false;
	size_t i;

	if (text.size && text.data[0] == '#')
		text.size = 0;
	for (i = 0; i < text.size; i++) {
		if (text.data[i] == '\\' && quoted)
			i++;
		else if (text.data[i] == '"')
			quoted = !quoted;
		else if (!quoted && is_comment(target, text, i))
			text.size = i;
		else if (!quoted && text.data[i] == '/' && i + 1 < text.size && text.data[i + 1] == '*')
			line->block_comment = true;
	}
	return trimmed(text);
}

/* Returns the number of bytes of the name at the start of @text, and sets @name to the name without quotes. */
static size_t take_name(struct bytes text, struct bytes *name)
{
	size_t n = 0;

	if (text.size && text.data[0] == '"') {
		for (n = 1; n < text.size && text.data[n] != '"'; n++)
			n += text.data[n] == '\\';
		if (n >= text.size)
			return 0;
		name->data = text.data + 1;
		name->size = n - 1;
		return n + 1;
	}
	while (n < text.size && is_name(text.data[n]))
		n++;
	name->data = text.data;
	name->size = n;
	return n;
}

static void read_line(struct line *line, enum rewrite_target target)
{
	struct bytes text = without_comment(line, target, trimmed(line->text));
	struct bytes name;
	size_t n = take_name(text, &name);

	if (n && n < text.size && text.data[n] == ':') {
		line->label = name;
		text.data += n + 1;
		text.size -= n + 1;
		text = trimmed(text);
	}
	if (!text.size)
		return;
	line->kind = text.data[0] == '.' ? LINE_DIRECTIVE : LINE_INSTRUCTION;
	line->word.data = text.data;
	while (line->word.size < text.size && !is_space(text.data[line->word.size]))
		line->word.size++;
	line->operands.data = text.data + line->word.size;
	line->operands.size = text.size - line->word.size;
	line->operands = trimmed(line->operands);
}

enum status lines_read(struct assembly *assembly, struct bytes text, struct error *error)
{
	size_t room = 0, i;

	for (i = 0; i < text.size; i++)
		room += text.data[i] == '\n';
	if (text.size && text.data[text.size - 1] != '\n')
		return reject(assembly, room, error, "the assembly text ends within a line; run the compiler again");
	assembly->lines = allocate(room + 1, sizeof(*assembly->lines));
	while (text.size) {
		struct line *line = &assembly->lines[assembly->line_count++];

		line->text = bytes_line(&text);
		read_line(line, assembly->target);
	}
	return STATUS_OK;
}

void assembly_free(struct assembly *assembly)
{
	free(assembly->lines);
	free(assembly->sections);
	free(assembly->functions);
}
