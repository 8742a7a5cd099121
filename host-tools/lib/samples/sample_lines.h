/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_lines.h - finds the source lines of addresses, and the functions that were inlined there. */
#ifndef BAREPROF_HOST_SAMPLE_LINES_H
#define BAREPROF_HOST_SAMPLE_LINES_H

#include "arena.h"
#include "sample_program.h"

/* A function at an address, and the line in it: the line of the instruction, or of a call that was inlined. */
struct sample_frame {
	const char *function; /* name as in a symbol table; NULL: not known */
	const char *file; /* NULL: not known */
	uint32_t line; /* 0: not known */
	uint32_t start; /* line of the declaration of the function; 0: not known */
	uint32_t discriminator; /* distinguishes blocks of one line; 0: none */
};

/* The frames of one address. The innermost inlined function comes first, and the function of the symbol table last. */
struct sample_place {
	struct sample_frame *frames;
	uint32_t count; /* 0: the debug information does not have the address */
};

struct sample_lines {
	struct sample_place *list; /* an element for each address, in the order of the addresses */
	size_t count;
	struct arena arena;
	void *debug; /* a Dwarf handle of libdw, which owns the strings; NULL: the file has no debug information */
};

/*
 * sample_lines_read - fills in @lines for the @count addresses in @addresses, which are sorted, each only once. Clears no
 * Thumb bits. The caller frees @lines with sample_lines_free(), before @program. Returns false if the file has no debug
 * information.
 */
bool sample_lines_read(
	struct sample_lines *lines, const struct sample_program *program, const uint64_t *addresses, size_t count);

/* The code of one line, from @start to @end. A line may have several such extents. */
struct sample_row {
	const char *file; /* belongs to struct sample_lines */
	uint32_t line;
	uint64_t start;
	uint64_t end;
};

/*
 * sample_rows_pass - calls @function with @context for each extent of each line in the code of @program. @lines was read
 * from @program before. Returns false if there is no debug information.
 */
bool sample_rows_pass(struct sample_lines *lines, const struct sample_program *program,
	void (*function)(void *context, const struct sample_row *row), void *context);

void sample_lines_free(struct sample_lines *lines);

#endif
