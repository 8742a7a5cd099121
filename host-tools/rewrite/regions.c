// SPDX-License-Identifier: BSD-2-Clause
/*
 * regions.c - finds inline assembly, which the user wrote. It passes through unchanged, and it defines no functions.
 *
 * Compilers write markers around inline assembly, because the assembler treats it differently. Only gcc for Arm writes
 * no markers, but directives before and after it.
 */
#include "assembly.h"

static bool contains(struct bytes text, const char *part)
{
	return text.size && memmem(text.data, text.size, part, strlen(part)) != NULL;
}

/* Returns whether the line is the marker @name, after the comment sign of any processor. */
static bool is_marker(const struct line *line, const char *name)
{
	struct bytes text;

	if (line->kind != LINE_EMPTY || !line->text.size)
		return false;
	text = trimmed(line->text);
	if (bytes_begin(text, "//"))
		text.data++, text.size--;
	return text.size && strchr("#@/", text.data[0]) && text.size == strlen(name) + 1 &&
	       !memcmp(text.data + 1, name, strlen(name));
}

static bool is_state(const struct line *line)
{
	return line_is(line, ".thumb") || line_is(line, ".arm") || line_is(line, ".code");
}

/* Returns the next line from @index on that has a directive or an instruction, or the number of lines. */
static size_t next_statement(const struct assembly *assembly, size_t index)
{
	while (index < assembly->line_count && assembly->lines[index].kind == LINE_EMPTY &&
		!assembly->lines[index].label.size)
		index++;
	return index;
}

/* gcc for Arm begins the file with .file. In contrast, clang writes .syntax once, before .file. */
static bool is_gcc_arm(const struct assembly *assembly)
{
	size_t i;

	if (assembly->target != REWRITE_ARM)
		return false;
	for (i = 0; i < assembly->line_count; i++) {
		if (line_is(&assembly->lines[i], ".file"))
			return true;
		if (line_is(&assembly->lines[i], ".syntax"))
			return false;
	}
	return false;
}

/* In a function, the first line of inline assembly is a comment such as @ 7 "file.c" 1, which gcc writes. */
static bool is_place(const struct line *line)
{
	struct bytes text = line->text;

	if (bytes_begin(text, "//"))
		text.data++, text.size--;
	return line->kind == LINE_EMPTY && text.size > 2 && strchr("@#/", text.data[0]) && text.data[1] == ' ' &&
	       text.data[2] >= '0' && text.data[2] <= '9' && contains(text, "\"");
}

/*
 * Returns whether the directive .syntax on line @index begins inline assembly. gcc also writes .syntax unified before
 * the directive .arm or .thumb of a function, and at the start of the code that calls a nested function. @previous is
 * the index of the statement before.
 */
static bool begins_region(const struct assembly *assembly, size_t index, size_t previous)
{
	size_t next = next_statement(assembly, index + 1);

	if (index + 1 < assembly->line_count && is_place(&assembly->lines[index + 1]))
		return true;
	if (previous < assembly->line_count && bytes_begin(assembly->lines[previous].label, ".LTRAMP"))
		return false;
	return next == assembly->line_count || !is_state(&assembly->lines[next]);
}

/* gcc for Arm begins inline assembly with .syntax. It ends inline assembly with .arm or .thumb and .syntax unified. */
static void mark_gcc_arm(struct assembly *assembly)
{
	size_t previous = assembly->line_count;
	bool inside = false;
	size_t i;

	for (i = 0; i < assembly->line_count; i++) {
		struct line *line = &assembly->lines[i];
		bool after_state = previous < assembly->line_count && is_state(&assembly->lines[previous]);
		bool syntax = line_is(line, ".syntax");

		if (inside) {
			line->by_user = true;
			inside = !(syntax && after_state);
		} else if (syntax && !after_state) {
			inside = begins_region(assembly, i, previous);
			line->by_user = inside;
		}
		if (line->kind != LINE_EMPTY || line->label.size)
			previous = i;
	}
}

enum status regions_mark(struct assembly *assembly, struct error *error)
{
	size_t inline_begin = 0, file_begin = 0; /* numbers of lines from 1; 0: not inside */
	size_t i;

	assembly->by_gcc = is_gcc_arm(assembly);
	if (assembly->by_gcc)
		mark_gcc_arm(assembly);
	for (i = 0; i < assembly->line_count; i++) {
		struct line *line = &assembly->lines[i];
		bool comment = line->kind == LINE_EMPTY && !line->label.size;

		if (is_marker(line, "APP"))
			inline_begin = i + 1;
		if (comment && contains(line->text, " Start of file scope inline assembly"))
			file_begin = i + 1;
		line->by_user |= inline_begin || file_begin;
		if (is_marker(line, "NO_APP"))
			inline_begin = 0;
		if (comment && contains(line->text, " End of file scope inline assembly"))
			file_begin = 0;
		if (line->block_comment && !line->by_user)
			return reject(assembly, i, error,
				"a block comment is outside inline assembly; "
				"neither gcc nor clang writes such text, so assemble this file without bareprof mip");
	}
	/* If inline assembly outside of functions is the last part of a file, gcc does not mark its end. */
	if (inline_begin && inline_begin < assembly->line_count && !is_place(&assembly->lines[inline_begin]))
		inline_begin = 0;
	if (inline_begin || file_begin)
		return reject(assembly, (inline_begin ? inline_begin : file_begin) - 1, error,
			"the end of this inline assembly is missing; run the compiler again");
	return STATUS_OK;
}
