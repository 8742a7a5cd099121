/* SPDX-License-Identifier: BSD-2-Clause */
/* save_capture.h - writes a capture that was read as a whole, or the profile that an ELF file makes from it. */
#ifndef BAREPROF_HOST_SAVE_CAPTURE_H
#define BAREPROF_HOST_SAVE_CAPTURE_H

#include "completion.h"

/*
 * save_capture - writes @capture, in which all dumps must be complete, to @path. If @completion has ELF files, makes a
 * profile of each dump and writes the profiles instead. @source is the origin of @capture in messages. Prints errors,
 * warnings and the size of the file. Errors: INVALID_INPUT, SYSTEM.
 */
enum status save_capture(
	struct bytes capture, const char *source, const char *path, const struct completion_options *completion);

/*
 * save_size - prints the size of a file that was written. If @count is above 1, also prints that the file contains
 * @count profiles or captures. The file of a module contains one for each load of the module. @parts is the word
 * "profiles" or "captures".
 */
void save_size(const char *path, uint64_t size, uint64_t count, const char *parts);

/*
 * save_machine - writes the .mipraw of @capture, which has one dump of a machine profile, to the file @path. Prints the size
 * of the file and all errors. @source names the origin of the capture in messages. Returns the exit code.
 */
enum status save_machine(struct bytes capture, const char *source, const char *path);

#endif
