/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * utf8.h - what is UTF-8 and what only looks like it.
 */
#ifndef BAREPROF_HOST_UTF8_H
#define BAREPROF_HOST_UTF8_H

#include "bytes.h"

/* utf8_length - length of the UTF-8 sequence at the start of @text, which is not empty; 0 if it is none. */
size_t utf8_length(struct bytes text);

/* utf8_announced - how long a sequence is that starts with @first; 0: none does. */
size_t utf8_announced(uint8_t first);

#endif
