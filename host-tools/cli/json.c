/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - writes JSON that is valid whatever bytes the strings contain.
 */
#include "json.h"
#include "utf8.h"

#include <inttypes.h>
#include <string.h>

static void put_string(FILE *stream, struct bytes text);

/* Writes the text that is necessary before a value: a comma, a line break or space, and the key. */
static void before(struct json *json, const char *key)
{
	if (json->started)
		fputc(',', json->stream);
	if (json->compact && json->started)
		fputc(' ', json->stream);
	else if (json->depth && !json->compact)
		fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
	if (key) {
		put_string(json->stream, (struct bytes){(const uint8_t *)key, strlen(key)});
		fputs(": ", json->stream);
	}
	json->started = true;
}

void json_open(struct json *json, const char *key, char bracket)
{
	before(json, key);
	fputc(bracket, json->stream);
	json->depth++;
	json->started = false;
}

void json_close(struct json *json, char bracket)
{
	json->depth--;
	if (json->started && !json->compact)
		fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
	fputc(bracket, json->stream);
	json->started = true;
	if (!json->depth)
		fputc('\n', json->stream);
}

void json_number(struct json *json, const char *key, uint64_t value)
{
	before(json, key);
	fprintf(json->stream, "%" PRIu64, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	before(json, key);
	fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json *json, const char *key)
{
	before(json, key);
	fputs("null", json->stream);
}

void json_text(struct json *json, const char *key, const char *value)
{
	json_bytes(json, key, (struct bytes){(const uint8_t *)value, strlen(value)});
}

void json_bytes(struct json *json, const char *key, struct bytes value)
{
	before(json, key);
	put_string(json->stream, value);
}

void json_hex(struct json *json, const char *key, uint64_t value)
{
	before(json, key);
	fprintf(json->stream, "\"%016" PRIx64 "\"", value);
}

static void put_string(FILE *stream, struct bytes text)
{
	fputc('"', stream);
	while (text.size) {
		uint8_t c = text.data[0];
		size_t n = utf8_length(text);

		if (c == '"' || c == '\\')
			fprintf(stream, "\\%c", c);
		else if (c < 0x20 || c == 0x7f || !n)
			fprintf(stream, "\\u%04x", (unsigned int)c);
		else
			fwrite(text.data, 1, n, stream);
		n = n ? n : 1;
		text.data += n;
		text.size -= n;
	}
	fputc('"', stream);
}
