/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assembler_line.h - reads the command line of the GNU assembler.
 */
#ifndef BAREPROF_HOST_ASSEMBLER_LINE_H
#define BAREPROF_HOST_ASSEMBLER_LINE_H

#include "error.h"
#include "words.h"

#define ASSEMBLER_STDIN ((size_t)-1)

struct assembler_line {
	struct words words; /* the arguments, with the words of response files */
	bool assembles; /* false: the assembler only prints something, for example its version */
	bool position_independent;
	bool has_other_width; /* an option such as --32 */
	bool is_big_endian; /* -EB, and no -EL after it */
	size_t input; /* index of the word that names the input; ASSEMBLER_STDIN: there is none, or it is "-" */
	size_t inputs;
	const char *second; /* the second input; NULL: there is at most one */
	const char *dependency_file; /* argument of --MD; NULL: none */
};

/* assembler_line_read - reads @words, which end with NULL. The caller frees @line with assembler_line_free(). */
void assembler_line_read(struct assembler_line *line, char *const *words);
void assembler_line_free(struct assembler_line *line);

/*
 * is_assembler - returns whether the program @path may be an assembler. gcc's option -wrapper also passes the other
 * programs that gcc calls.
 */
bool is_assembler(const char *path);

#endif
