/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outputs.h - checks that a command neither overwrites its inputs nor writes a file twice.
 */
#ifndef BAREPROF_HOST_OUTPUTS_H
#define BAREPROF_HOST_OUTPUTS_H

#include "options.h"

/*
 * outputs_check - checks that @command writes each output only once, and that no output is also an
 * input. The outputs are the files of the command's options of type OPTION_OUTPUT. The inputs are
 * the @operands, which end with NULL, and the files of the command's other options. Files are
 * compared by device and inode, not by name. Call outputs_check() before the command starts. Prints
 * the error. Errors: USAGE.
 */
enum status outputs_check(const struct command *command, char *const *operands);

/*
 * outputs_check_input - checks that @command does not overwrite @input, a file that the
 * command found in a list or a folder. Prints the error. Errors: USAGE.
 */
enum status outputs_check_input(const struct command *command, const char *input);

#endif
