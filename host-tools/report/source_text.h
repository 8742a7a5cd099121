/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a message about a source that is newer than its program. */
#define HINT_SOURCE_NEWER ", so the lines may not be those that were compiled; compile again and take a new profile"

/* source_text.h - the lines of a source file on disk. */
#ifndef BAREPROF_HOST_SOURCE_TEXT_H
#define BAREPROF_HOST_SOURCE_TEXT_H

#include "input.h"

struct source_text {
	struct input input;
	struct bytes *lines; /* without their ends */
	size_t count; /* 0: the file cannot be read, or is empty */
	bool read; /* the file could be read */
	bool newer; /* the file changed after the program was made, so its lines may not be those that were compiled */
};

/*
 * source_text_read - reads the file @name. If this fails, the text has no lines. @program_time is the time of the
 * program, in seconds since 1970, or 0. The caller frees @text with source_text_free().
 */
void source_text_read(struct source_text *text, struct bytes name, int64_t program_time);
void source_text_free(struct source_text *text);

/* source_line - returns the line @number, from 1 on. If the file has no such line, the result is empty. */
struct bytes source_line(const struct source_text *text, uint64_t number);

/*
 * source_piece - returns the source from one location to another, but at most to the end of the first line. If the file
 * is newer than the program, or has no such piece, the result is empty.
 */
struct bytes source_piece(
	const struct source_text *text, uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column);

/* is_of_word - returns whether @c can be in a name. */
bool is_of_word(uint8_t c);

/* macro_name - returns the name of a macro or function that starts at a location. Without one, the result is empty. */
struct bytes macro_name(const struct source_text *text, uint32_t line, uint32_t column);

/* source_is_directive - returns whether @line belongs to a line of the preprocessor, such as a definition of a macro. */
bool source_is_directive(const struct source_text *text, uint64_t line);

#endif
