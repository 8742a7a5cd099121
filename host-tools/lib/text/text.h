/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.h - text profiles (.proftext), as llvm-profdata reads and writes them.
 */
#ifndef BAREPROF_HOST_TEXT_H
#define BAREPROF_HOST_TEXT_H

#include "add_options.h"
#include "model.h"
#include "output.h"

/* Stands for a value that is not a function of the profile. */
#define TEXT_UNKNOWN "** External Symbol **"

/*
 * text_is_profile - returns whether @bytes begin like a text profile: with a header, or with a
 * function and its hash or its number of counters. Blank lines and comments are not enough, and
 * neither are lines of a log.
 */
bool text_is_profile(struct bytes bytes);

/*
 * text_read - adds the profile in @bytes to @model. After an error the model may have a part of
 * its functions; a caller that needs all or nothing reads into a separate model. Errors:
 * INVALID_INPUT; the message names the line.
 */
enum status text_read(struct model *model, struct bytes bytes, const struct add_options *options, struct error *error);

/* text_write - writes a sorted model. Returns the status of @output. */
enum status text_write(struct model *model, struct output *output);

/*
 * text_unsupported - appends to @list, separated by commas, the data of @model that a text
 * profile cannot hold; appends nothing if it can hold everything. @model must be sorted. Build
 * ids, the entry-only bit and names of vtables are not listed, because nobody expects them in
 * text.
 */
void text_unsupported(struct model *model, struct buffer *list);

#endif
