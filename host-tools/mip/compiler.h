/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compiler.h - tells gcc from clang.
 */
#ifndef BAREPROF_HOST_COMPILER_H
#define BAREPROF_HOST_COMPILER_H

#include "error.h"

#include <stddef.h>

enum compiler_kind {
	COMPILER_GCC,
	COMPILER_CLANG,
};

struct compiler {
	enum compiler_kind kind;
	size_t words; /* number of words before the arguments: 1, or more if programs such as ccache come first */
};

/*
 * compiler_find - finds out which compiler @words calls. @words is a whole command line, which ends with NULL. Asks the
 * compiler for its predefined macros if its name does not say whether it is gcc or clang. Errors: USAGE (there is no
 * compiler), SYSTEM (the compiler cannot be run, or is neither gcc nor clang).
 */
enum status compiler_find(struct compiler *compiler, char *const *words, struct error *error);

#endif
