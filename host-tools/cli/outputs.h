/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outputs.h - checks that a command neither overwrites its inputs nor writes a file twice.
 */
#ifndef BAREPROF_HOST_OUTPUTS_H
#define BAREPROF_HOST_OUTPUTS_H

#include "options.h"

/*
 * outputs_check - checks that each file that @command writes is written once and is not an
 * input. The outputs are the files of its options of type OPTION_OUTPUT. The inputs are its
 * @operands, ended by NULL, and the files of its other options. Files are compared by device
 * and inode, not by name. Call it before the command starts. Prints the error. Errors: USAGE.
 */
enum status outputs_check(const struct command *command, char *const *operands);

/*
 * outputs_check_input - checks that @command does not overwrite @input, a file that the
 * command found in a list or a folder. Prints the error. Errors: USAGE.
 */
enum status outputs_check_input(const struct command *command, const char *input);

#endif
