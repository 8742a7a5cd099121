/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments.c - parses arguments: numbers, times, and text that bareprof types into a console.
 */
#include "arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct buffer argument_text(const char *text)
{
	static const char letters[] = "nrt\\";
	static const char values[] = "\n\r\t\\";
	struct buffer result = {0};

	for (; *text; text++) {
		const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;
		char hex[3] = {0};
		char byte = *text;

		if (letter) {
			byte = values[letter - letters];
			text++;
		} else if (*text == '\\' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
			   isxdigit((unsigned char)text[3])) {
			memcpy(hex, text + 2, 2);
			byte = (char)strtoul(hex, NULL, 16);
			text += 3;
		}
		buffer_add(&result, &byte, 1);
	}
	return result;
}

const char *argument_bad_escape(const char *text)
{
	for (; (text = strchr(text, '\\')); text += 2) {
		if (text[1] == 'x' && isxdigit((unsigned char)text[2]) && isxdigit((unsigned char)text[3]))
			continue;
		if (!text[1] || !strchr("nrt\\", text[1]))
			return text;
	}
	return NULL;
}

bool argument_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
	uint64_t value = 0;

	if (!*text)
		return false;
	for (; *text; text++)
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	*number = value;
	return value >= min && value <= max;
}

bool argument_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	return end != text && !*end && *seconds > 0;
}

bool argument_percent(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && !*end && *percent >= 0 && *percent <= 100;
}
