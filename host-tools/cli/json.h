/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h - write JSON. Commas and indentation come by themselves.
 */
#ifndef BAREPROF_HOST_JSON_H
#define BAREPROF_HOST_JSON_H

#include "bytes.h"

#include <stdio.h>

/* Starts with the stream and zeros. */
struct json {
	FILE *stream;
	unsigned int depth;
	bool started; /* something stands before on this level */
	bool compact; /* no line breaks for now */
};

/* @key is NULL in arrays and at the top. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_number(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_text(struct json *json, const char *key, const char *value);
/* json_bytes - text that may be anything; what is not UTF-8 becomes U+0080 to U+00FF by byte. */
void json_bytes(struct json *json, const char *key, struct bytes value);
/* json_hex - 16 hexadecimal digits as text: JSON numbers lose bits of 64. */
void json_hex(struct json *json, const char *key, uint64_t value);

#endif
