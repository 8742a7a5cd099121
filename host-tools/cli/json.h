/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h - writes JSON. Commas, line breaks and indentation are added automatically.
 */
#ifndef BAREPROF_HOST_JSON_H
#define BAREPROF_HOST_JSON_H

#include "bytes.h"

#include <stdio.h>

/* The caller sets the stream and zeroes the other fields. */
struct json {
	FILE *stream;
	unsigned int depth;
	bool started; /* the innermost open array or object already has at least one value */
	bool compact; /* no line breaks are written; the caller may change this field between values */
};

/* @key is NULL for elements of arrays and for the outermost value. @bracket is one of { [ } ]. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_number(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_text(struct json *json, const char *key, const char *value);
/*
 * json_bytes - writes bytes as a string. A byte that is not valid UTF-8 is written as the character with the same
 * number, U+0080 to U+00FF.
 */
void json_bytes(struct json *json, const char *key, struct bytes value);
/* json_hex - writes @value as a string of 16 hexadecimal digits, because many readers round 64-bit JSON numbers. */
void json_hex(struct json *json, const char *key, uint64_t value);

#endif
