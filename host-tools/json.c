/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - a writer of JSON that is valid whatever the strings contain.
 */
#include "json.h"

#include <inttypes.h>
#include <string.h>

static void put_string(FILE *stream, struct bytes text);

/* What comes before a value: comma, line break, key. */
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

/* Length of the UTF-8 sequence at the start of @text; 0 if it is none. */
static size_t sequence(struct bytes text)
{
	uint8_t c = text.data[0];
	size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
	size_t i;

	if (!n || n > text.size)
		return 0;
	for (i = 1; i < n; i++)
		if ((text.data[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, and beyond U+10FFFF. */
	if ((c == 0xe0 && text.data[1] < 0xa0) || (c == 0xed && text.data[1] > 0x9f) ||
		(c == 0xf0 && text.data[1] < 0x90) || (c == 0xf4 && text.data[1] > 0x8f))
		return 0;
	return n;
}

static void put_string(FILE *stream, struct bytes text)
{
	fputc('"', stream);
	while (text.size) {
		uint8_t c = text.data[0];
		size_t n = sequence(text);

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
