/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf8.h - recognises valid UTF-8.
 */
#ifndef BAREPROF_HOST_UTF8_H
#define BAREPROF_HOST_UTF8_H

#include "bytes.h"

/*
 * utf8_length - returns the length of the first UTF-8 sequence in @text, or 0 if that sequence is
 * invalid. @text must not be empty.
 */
size_t utf8_length(struct bytes text);

/*
 * utf8_announced - returns the length of a UTF-8 sequence that starts with @first, or 0 if no
 * sequence starts with @first.
 */
size_t utf8_announced(uint8_t first);

#endif
