/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assembly_file.h - reads, rewrites and writes files with assembly.
 */
#ifndef BAREPROF_HOST_ASSEMBLY_FILE_H
#define BAREPROF_HOST_ASSEMBLY_FILE_H

#include "input.h"
#include "mip_options.h"

struct assembly_file {
	struct input input; /* the text before the rewriting */
	struct buffer text; /* the text after the rewriting */
	bool is_unchanged; /* both texts are equal, because the text is written by hand, or was rewritten before */
	bool has_line_table; /* the compiler wrote a line table, so the assembler need not make one */
};

/*
 * assembly_file_rewrite - rewrites the text of the file @path for @settings. The path "-" means standard input. @name
 * is the name of the source in messages; if @name is NULL, messages contain the name that the text contains. With
 * --verbose, prints how many functions record. Prints the error. The caller frees @file with assembly_file_free(), also
 * after an error. Errors: those of input_read() and rewrite().
 */
enum status assembly_file_rewrite(
	struct assembly_file *file, const char *path, const char *name, const struct mip_settings *settings);
void assembly_file_free(struct assembly_file *file);

/*
 * write_temporary - writes @content to the file @path in a temporary folder. In contrast to output_write(), does not
 * wait until the file is on disk. Prints the error. Errors: SYSTEM.
 */
enum status write_temporary(const char *path, struct bytes content);

#endif
