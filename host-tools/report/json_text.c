/* SPDX-License-Identifier: BSD-2-Clause */
/* json_text.c - writes strings and numbers as LLVM does. */
#include "json_text.h"
#include "decimal.h"
#include "utf8.h"

/*
 * Returns the number of bytes at the start of @text that are the start of a valid sequence, but not all of it. The
 * result is at least 1.
 */
static size_t broken_length(struct bytes text)
{
	size_t announced = utf8_announced(text.data[0]);
	size_t n;

	for (n = 1; n < announced && n < text.size; n++) {
		/* A second byte out of the range for its first byte makes every sequence invalid. */
		uint8_t whole[4] = {text.data[0], 0x80, 0x80, 0x80};

		memcpy(whole, text.data, n + 1);
		if (!utf8_length((struct bytes){whole, announced}))
			break;
	}
	return n;
}

void utf8_repair(struct buffer *repaired, struct bytes text)
{
	while (text.size) {
		size_t n = utf8_length(text);

		if (n) {
			buffer_add(repaired, text.data, n);
		} else {
			buffer_add_text(repaired, "\xef\xbf\xbd");
			n = broken_length(text);
		}
		bytes_slice(text, n, text.size - n, &text);
	}
}

bool utf8_is_valid(struct bytes text)
{
	while (text.size) {
		size_t n = utf8_length(text);

		if (!n)
			return false;
		bytes_slice(text, n, text.size - n, &text);
	}
	return true;
}

/* Appends valid UTF-8. Most strings have nothing to escape, so the bytes between two escapes are copied at once. */
static void add_escaped(struct buffer *json, struct bytes text)
{
	size_t copied = 0;
	size_t i;

	for (i = 0; i < text.size; i++) {
		uint8_t c = text.data[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		buffer_add(json, text.data + copied, i - copied);
		copied = i + 1;
		if (c >= ' ')
			buffer_printf(json, "\\%c", c);
		else if (c == '\t' || c == '\n' || c == '\r')
			buffer_printf(json, "\\%c", c == '\t' ? 't' : c == '\n' ? 'n' : 'r');
		else
			buffer_printf(json, "\\u%04x", c);
	}
	buffer_add(json, text.data + copied, text.size - copied);
}

void json_text_string(struct buffer *json, struct bytes text)
{
	struct buffer repaired = {0};

	buffer_add(json, "\"", 1);
	if (utf8_is_valid(text)) {
		add_escaped(json, text);
	} else {
		utf8_repair(&repaired, text);
		add_escaped(json, (struct bytes){repaired.data, repaired.size});
	}
	buffer_add(json, "\"", 1);
	buffer_free(&repaired);
}

void json_text_numbers(struct buffer *json, const uint64_t *numbers, size_t count)
{
	uint8_t *at;
	size_t i;

	buffer_reserve(json, count * (DECIMAL_MAX + 1));
	at = json->data + json->size;
	for (i = 0; i < count; i++) {
		if (i)
			*at++ = ',';
		at = decimal_put(at, numbers[i] < INT64_MAX ? numbers[i] : INT64_MAX);
	}
	json->size = (size_t)(at - json->data);
}

void json_text_percent(struct buffer *json, uint64_t covered, uint64_t total)
{
	buffer_printf(json, "%.17g", total ? (double)covered / (double)total * 100 : 0.0);
}
