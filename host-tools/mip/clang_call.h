/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang_call.h - calls clang.
 */
#ifndef BAREPROF_HOST_CLANG_CALL_H
#define BAREPROF_HOST_CLANG_CALL_H

#include "compile_line.h"
#include "mip_options.h"

/* The data that all steps of one command line share. */
struct clang_run {
	const struct compile_line *line;
	const struct mip_settings *settings;
	char *const *compiler; /* the words before the arguments, ended by NULL */
	char *folder; /* the temporary folder */
	int exit_status; /* of the first program that failed; 0: none failed */
};

/*
 * clang_call - runs the compiler with @arguments and waits for it. Prints the error if the compiler cannot be run.
 * Errors: SYSTEM.
 * clang_command - appends the words that run the compiler with @arguments to @command. Errors: SYSTEM.
 */
enum status clang_call(struct clang_run *run, const struct words *arguments);
enum status clang_command(const struct clang_run *run, const struct words *arguments, struct words *command);

#endif
