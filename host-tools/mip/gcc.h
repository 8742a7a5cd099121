/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gcc.h - compiles with gcc, and rewrites the assembly that gcc passes to the assembler.
 */
#ifndef BAREPROF_HOST_GCC_H
#define BAREPROF_HOST_GCC_H

#include "compile_line.h"
#include "mip_options.h"

/*
 * gcc_run - replaces this process by gcc, which calls `bareprof mip as` instead of its assembler. @compiler has the
 * words before the arguments, ended by NULL. Returns only after an error, which it prints. Errors: SYSTEM.
 */
enum status gcc_run(const struct compile_line *line, const struct mip_settings *settings, char *const *compiler);

/* become_program - replaces this process by the program @words, ended by NULL. Returns only after an error, which it
 * prints. Errors: SYSTEM. */
enum status become_program(char *const *words);

#endif
