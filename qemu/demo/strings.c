/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * strings.c - string functions without a C library. Their names differ from those of
 * the library, so that compilers do not treat them as built-in functions.
 */
#include "strings.h"

uint32_t str_length(const char *s)
{
	uint32_t n = 0;

	while (s[n] != '\0')
		n++;
	return n;
}

bool str_equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool str_starts(const char *s, const char *prefix)
{
	while (*prefix != '\0')
		if (*s++ != *prefix++)
			return false;
	return true;
}

static char *skip_blanks(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

int str_split(char *line, char *word[], int max)
{
	int n = 0;
	char *s = skip_blanks(line);

	while (*s != '\0' && n < max) {
		word[n++] = s;
		if (n == max)
			break;
		while (*s != '\0' && *s != ' ' && *s != '\t')
			s++;
		if (*s != '\0')
			*s++ = '\0';
		s = skip_blanks(s);
	}
	return n;
}

bool str_number(const char *s, uint32_t *value)
{
	uint32_t sum = 0;
	uint32_t digit;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		digit = (uint32_t)(*s - '0');
		/* The largest number is 4294967295. */
		if (sum > 429496729u || (sum == 429496729u && digit > 5))
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}
