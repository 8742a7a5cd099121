/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_mode.h - recognises binary files that were converted as if they were text, and undoes the conversion if it lost
 * nothing.
 */
#ifndef BAREPROF_HOST_TEXT_MODE_H
#define BAREPROF_HOST_TEXT_MODE_H

#include "bytes.h"

/*
 * text_mode_undo - appends to @original the bytes that @bytes were before the conversion. Returns whether the result is a
 * sound raw profile, which nothing but the conversion explains; otherwise @original stays empty.
 */
bool text_mode_undo(struct bytes bytes, struct buffer *original);

/* text_mode_lossy - returns whether @bytes are a profile in which a conversion replaced bytes, so that they are lost. */
bool text_mode_lossy(struct bytes bytes);

/* text_mode_words - returns a sentence without a full stop that tells which conversion it was. */
const char *text_mode_words(struct bytes bytes);

#endif
