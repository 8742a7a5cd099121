/* SPDX-License-Identifier: BSD-2-Clause */
/* save.h - lists the dumps that arrived, or writes them to files. */
#ifndef BAREPROF_HOST_SAVE_H
#define BAREPROF_HOST_SAVE_H

#include "dump_receiver.h"

/*
 * save_name - returns the file name for a dump whose default name is @path. If the dump is
 * written as a capture, .profraw is replaced by .capture. If @named is true, the user chose @path, and @path is not
 * changed. The caller frees the result.
 */
char *save_name(const struct dump_receiver *dump, const char *path, bool named);

/*
 * save_list - prints a list of the dumps. Errors: INVALID_INPUT (there is no dump).
 * save_report - prints a description of the file written to @path, and the warnings about
 * it.
 */
enum status save_list(struct dump_receiver *dump, struct error *error);
void save_report(const struct dump_receiver *dump, const char *path);

/*
 * save_all - creates @folder if it does not exist. Writes each complete dump to a file in @folder, and prints why the
 * other dumps are not complete. @name is the name of the source in messages. Errors: INVALID_INPUT (a dump is not
 * complete), SYSTEM.
 *
 * save_all_possible - checks that @folder can be written to, or created. Errors: SYSTEM.
 * save_make_folder - creates @folder if it does not exist. Errors: SYSTEM.
 */
enum status save_all(struct dump_receiver *dump, const char *name, const char *folder);
enum status save_all_possible(const char *folder, struct error *error);
enum status save_make_folder(const char *folder, struct error *error);

#endif
