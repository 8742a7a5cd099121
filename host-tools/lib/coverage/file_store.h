/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_store.h - stores what a function adds to the coverage of one of its files. A region takes about 8 bytes, which is
 * a tenth of struct region. Reading it takes less time than reading the mapping and computing the counts again.
 */
#ifndef BAREPROF_HOST_FILE_STORE_H
#define BAREPROF_HOST_FILE_STORE_H

#include "coverage.h"

/*
 * file_store_write - appends the areas and branches of @file, which come from one function, to @out. @has_decisions tells
 * whether the function has MC/DC decisions, which are not stored.
 * file_store_read - adds what file_store_write() has written to @file. Returns @has_decisions.
 */
void file_store_write(const struct file_coverage *file, bool has_decisions, struct buffer *out);
bool file_store_read(struct file_coverage *file, struct bytes stored);

#endif
