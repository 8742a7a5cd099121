/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_text.h - what the reader and the writer of text share.
 */
#ifndef BAREPROF_HOST_SAMPLEPROF_TEXT_H
#define BAREPROF_HOST_SAMPLEPROF_TEXT_H

#include "bytes.h"

#define HASH_WORD       "!CFGChecksum:"
#define ATTRIBUTES_WORD "!Attributes:"

/*
 * take_callee - removes `NAME:COUNT` from the start of @text, with the spaces before it, and sets @name and @count.
 * Names of C++ may contain spaces and colons, so the name ends at the first colon that is followed by a whole number.
 * Returns false if there is no such colon, or if the name is empty.
 */
bool take_callee(struct bytes *text, struct bytes *name, uint64_t *count);

/* take_decimal - converts @text to @number. Returns false unless all of @text is a number in decimal below 2^64. */
bool take_decimal(struct bytes text, uint64_t *number);

#endif
