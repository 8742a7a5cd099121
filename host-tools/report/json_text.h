/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_text.h - pieces of JSON in the format of LLVM, which has no spaces. (json.h writes bareprof's own JSON.)
 */
#ifndef BAREPROF_HOST_JSON_TEXT_H
#define BAREPROF_HOST_JSON_TEXT_H

#include "bytes.h"

/* json_text_string - appends @text as a string. Bytes that are not UTF-8 are replaced, see utf8_repair(). */
void json_text_string(struct buffer *json, struct bytes text);

/* json_text_numbers - appends @count numbers with commas between them. JSON of LLVM has no numbers above 2^63-1. */
void json_text_numbers(struct buffer *json, const uint64_t *numbers, size_t count);

/* json_text_percent - appends @covered / @total as a percentage with all digits that a double has, or 0. */
void json_text_percent(struct buffer *json, uint64_t covered, uint64_t total);

/*
 * utf8_repair - appends @text, and replaces what is not UTF-8 by U+FFFD. A sequence that starts right but is cut short
 * is replaced as a whole, as the Unicode standard recommends.
 * utf8_is_valid - returns whether @text has nothing to replace.
 */
void utf8_repair(struct buffer *repaired, struct bytes text);
bool utf8_is_valid(struct bytes text);

#endif
