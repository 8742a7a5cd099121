/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.h - profiles that are text (.proftext), as llvm-profdata reads and writes them.
 */
#ifndef BAREPROF_HOST_TEXT_H
#define BAREPROF_HOST_TEXT_H

#include "add_options.h"
#include "model.h"
#include "output.h"

/* What stands in text for a value that is no function of the profile. */
#define TEXT_UNKNOWN "** External Symbol **"

/*
 * text_is_profile - do @bytes begin as a profile that is text? That takes a header, or a
 * function with its hash or its number of counters: blank lines and comments are not enough,
 * nor are lines of a log.
 */
bool text_is_profile(struct bytes bytes);

/*
 * text_read - add the profile in @bytes to @model. After an error the model may hold
 * a part of it: read into a model of its own what must be all or nothing. Errors:
 * INVALID_INPUT, with the line.
 */
enum status text_read(struct model *model, struct bytes bytes, const struct add_options *options, struct error *error);

/* text_write - put a sorted model out. Returns the status of @output. */
enum status text_write(struct model *model, struct output *output);

/*
 * text_unsupported - append to @list, as words with commas between them, what text
 * cannot say of @model, which must be sorted; nothing if all is well. That text has
 * neither build ids nor the entry-only bit nor names of vtables is not in it: nobody
 * expects them there.
 */
void text_unsupported(struct model *model, struct buffer *list);

#endif
