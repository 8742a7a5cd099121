/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments.c - arguments of options: text to type, and times.
 */
#include "arguments.h"
#include "error.h"
#include "exit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct buffer value_text(const char *text)
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

const char *value_bad_escape(const char *text)
{
	for (; (text = strchr(text, '\\')); text += 2) {
		if (text[1] == 'x' && isxdigit((unsigned char)text[2]) && isxdigit((unsigned char)text[3]))
			continue;
		if (!text[1] || !strchr("nrt\\", text[1]))
			return text;
	}
	return NULL;
}

bool value_time(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	return end != text && !*end && *seconds > 0;
}

bool value_seconds(const char *text, double *seconds)
{
	if (value_time(text, seconds))
		return true;
	complain(NULL, "--timeout takes a number of seconds, not '%s'", text);
	return false;
}

bool value_count(const char *option, const char *text, unsigned int most, unsigned int *count)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long number = digits && digits < 10 ? strtoul(text, NULL, 10) : most + 1ul;

	*count = (unsigned int)number;
	if (!text[digits] && number <= most)
		return true;
	complain(NULL, "--%s takes a number from 0 to %u, not '%s'", option, most, text);
	return false;
}

double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
