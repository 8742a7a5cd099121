/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf16.h - text in UTF-16, which PowerShell and terminal programs of Windows write.
 */
#ifndef BAREPROF_HOST_UTF16_H
#define BAREPROF_HOST_UTF16_H

#include "bytes.h"

/*
 * utf16_is_text - returns whether @bytes, a whole file, start with a byte order mark and continue
 * with mostly ASCII characters. The mark alone proves nothing, because noise on a serial line may
 * start with the same bytes.
 */
bool utf16_is_text(struct bytes bytes);

/*
 * utf16_is_unmarked - returns whether @bytes, a whole file, are text in UTF-16 without a byte order mark. `>>` in
 * PowerShell writes such text, and a log whose start was cut off also lacks the mark. Nearly all characters must be
 * printable ASCII. Sets *@big to true if the text is big-endian, otherwise to false.
 */
bool utf16_is_unmarked(struct bytes bytes, bool *big);

/*
 * utf16_decode - appends @bytes to @text as UTF-8, without the byte order mark. utf16_is_text()
 * must return true for @bytes. Half a unit at the end becomes U+FFFD, and so does half a surrogate
 * pair.
 */
void utf16_decode(struct buffer *text, struct bytes bytes);

#endif
