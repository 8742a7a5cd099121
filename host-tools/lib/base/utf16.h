/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf16.h - text in UTF-16, which PowerShell and terminal programs of Windows write.
 */
#ifndef BAREPROF_HOST_UTF16_H
#define BAREPROF_HOST_UTF16_H

#include "bytes.h"

/*
 * utf16_is_text - returns whether @bytes, a whole file, start with a byte order mark and
 * continue with mostly ASCII. Noise on a serial line may start with such a mark too.
 */
bool utf16_is_text(struct bytes bytes);

/*
 * utf16_decode - appends @bytes, for which utf16_is_text() returns true, to @text as UTF-8
 * without the mark. Half a unit at the end, and half a surrogate pair, become U+FFFD.
 */
void utf16_decode(struct buffer *text, struct bytes bytes);

#endif
