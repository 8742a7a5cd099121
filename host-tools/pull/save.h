/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.h - what becomes of dumps that arrived: a list of them, or files.
 */
#ifndef BAREPROF_HOST_SAVE_H
#define BAREPROF_HOST_SAVE_H

#include "dump_receiver.h"

/*
 * save_name - the file name for the dump that goes to @path: unless @named, the user's own
 * choice, a dump that is kept as a capture does not end in .profraw. The caller frees it.
 */
char *save_name(const struct dump_receiver *dump, const char *path, bool named);

/* save_list - print which dumps there are; save_report - say what was written to @path. */
enum status save_list(struct dump_receiver *dump, struct error *error);
void save_report(const struct dump_receiver *dump, const char *path);

/*
 * save_all - write each complete dump into @folder, which is made if it is not
 * there, and say what is wrong with the others; @name is what they came from.
 * Errors: INVALID_INPUT, SYSTEM. save_all_possible - could @folder be written to?
 * save_make_folder - make it. Errors: SYSTEM.
 */
enum status save_all(struct dump_receiver *dump, const char *name, const char *folder);
enum status save_all_possible(const char *folder, struct error *error);
enum status save_make_folder(const char *folder, struct error *error);

#endif
