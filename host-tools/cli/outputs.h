/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outputs.h - before a command starts: its outputs are neither inputs nor each other.
 */
#ifndef BAREPROF_HOST_OUTPUTS_H
#define BAREPROF_HOST_OUTPUTS_H

#include "options.h"

/*
 * outputs_check - checks that each file that @command writes, by its options of type
 * OPTION_OUTPUT, is written once and is not an input. Inputs are its @operands (NULL at
 * their end) and the files of its other options. Files are compared by device and inode,
 * not by name. Prints what is wrong. Errors: USAGE.
 */
enum status outputs_check(const struct command *command, char *const *operands);

/*
 * outputs_check_input - the same for one more input: a file that the command found in a list or
 * a folder.
 */
enum status outputs_check_input(const struct command *command, const char *input);

#endif
