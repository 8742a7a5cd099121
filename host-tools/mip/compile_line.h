/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile_line.h - reads the command line of a compiler: what it makes, from which inputs, and where.
 */
#ifndef BAREPROF_HOST_COMPILE_LINE_H
#define BAREPROF_HOST_COMPILE_LINE_H

#include "compiler_options.h"
#include "error.h"
#include "words.h"

enum line_action {
	LINE_PASS, /* makes no machine code from source, so the compiler runs as it is */
	LINE_COMPILE, /* makes an object from each source */
	LINE_LINK, /* compiles and links */
};

enum input_kind {
	INPUT_SOURCE, /* the compiler makes assembly from it */
	INPUT_ASSEMBLY, /* assembly without preprocessor directives, which a compiler may have written */
	INPUT_UNCHANGED, /* a header, or assembly that is always written by hand */
	INPUT_LINKER, /* an object, or another file for the linker */
};

struct compile_word {
	const struct compiler_option *option; /* NULL: the word is an input */
	enum input_kind kind; /* of an input */
	const char *language; /* argument of the last -x before an input; NULL: the extension tells the language */
	bool is_argument; /* the word is the argument of the option in the word before it */
	bool is_end; /* the word "--", after which all words are inputs */
};

struct compile_line {
	struct words words; /* with the words of response files */
	struct compile_word *meanings; /* one for each word */
	bool has_response; /* there was a response file */
	enum line_action action;
	size_t sources; /* number of inputs of the kinds SOURCE and ASSEMBLY */
	size_t compiled; /* the same, and of the kind UNCHANGED */
	const char *target; /* target triple for clang; NULL: none */
	bool has_other_width; /* an option such as -m32 */
	bool is_big_endian; /* the last option about the byte order is -mbig-endian or -EB */
	bool is_little_endian; /* it is -mlittle-endian or -EL */
	const char *output; /* argument of -o; NULL: none */
	bool makes_dependencies;
	const char *dependency_file; /* NULL: the compiler chooses the name */
	bool has_dependency_target;
	bool position_independent;
	bool uses_gnu_assembler; /* clang calls another program to assemble */
	bool saves_temporaries; /* -save-temps */
	bool saves_beside_output; /* -save-temps=obj */
	bool uses_gcov;
	bool warns_fatally; /* -Wa,--fatal-warnings */
	bool warns_not; /* -Wa,--no-warn */
	const char *implicit_it; /* argument of -Wa,-mimplicit-it=; NULL: none */
};

/*
 * compile_line_read - reads @words, the arguments of a compiler, which end with NULL. The caller frees @line with
 * compile_line_free(), also after an error. Errors: USAGE if the compiler would make machine code in a way that cannot
 * be rewritten, for example with -flto.
 */
enum status compile_line_read(struct compile_line *line, char *const *words, struct error *error);
void compile_line_free(struct compile_line *line);

/* file_stem - returns the name of the file @path without folder and extension, as compilers name outputs. The caller
 * frees it. */
char *file_stem(const char *path);
/* with_extension - returns @path with @extension in place of its extension. The caller frees it. */
char *with_extension(const char *path, const char *extension);

#endif
