/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.h - reads and writes text profiles (.proftext) in the same form as llvm-profdata.
 */
#ifndef BAREPROF_HOST_TEXT_H
#define BAREPROF_HOST_TEXT_H

#include "add_options.h"
#include "model.h"
#include "output.h"

/* The text that is written in place of a function's name if a value has no known name. */
#define TEXT_UNKNOWN "** External Symbol **"

/*
 * text_is_profile - returns whether @bytes begin like a text profile. A text profile begins with a header, or with a
 * function. A function is a line with its name, and two lines with numbers: its hash and its number of counters. One of
 * these two lines may be damaged. Returns false for any other text, for example for comments without a function.
 */
bool text_is_profile(struct bytes bytes);

/*
 * text_read - adds the profile in @bytes to @model. After an error, @model may contain a part of
 * the functions. A caller that needs either all functions or none must read into a model of its
 * own. Errors: INVALID_INPUT; the text names the line.
 */
enum status text_read(struct model *model, struct bytes bytes, const struct add_options *options, struct error *error);

/*
 * text_is_line - returns whether a line of a text profile can consist of @name alone. Returns false if readers would
 * not read this line as a name. For example, they may read it as a number or a comment.
 * text_is_item - returns whether @name can also be one of several names in a line, with commas between the names.
 */
bool text_is_line(struct bytes name);
bool text_is_item(struct bytes name);

/*
 * text_write - writes @model, which must be sorted. Leaves out what text_unsupported() lists, because readers would
 * refuse the whole file. Returns the status of @output.
 */
enum status text_write(struct model *model, struct output *output);

/*
 * text_unsupported - appends to @list, separated by commas, the kinds of data in @model that a text
 * profile cannot hold. Appends nothing if a text profile can hold everything. @model must be
 * sorted. Build ids, the entry-only bit and the names of vtables are not listed, because users do
 * not expect them in text.
 */
void text_unsupported(struct model *model, struct buffer *list);

#endif
