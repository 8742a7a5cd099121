/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library_test.c - a self test of functions that newlib's own tests do not call: parsing numbers,
 * sorting and searching, memory, wide characters, and searching in strings.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "selftest.h"

static int by_value(const void *a, const void *b)
{
	const int *p = a;
	const int *q = b;

	return (*p > *q) - (*p < *q);
}

static void numbers(void)
{
	char text[40];
	char *end;

	EXPECT(strtol("-0x7fx", &end, 0) == -127 && *end == 'x');
	EXPECT(strtoul("777", NULL, 8) == 511);
	EXPECT(strtoll("-9223372036854775808", NULL, 10) < 0);
	EXPECT(strtoull("18446744073709551616", NULL, 10) == UINT64_MAX);
	EXPECT(strtod("12.5e1", &end) == 125.0 && *end == '\0');
	EXPECT(strtod("0x1p-2", NULL) == 0.25);
	EXPECT(atoi("42") == 42 && atol("-7") == -7);
	EXPECT(strcmp(itoa(-255, text, 10), "-255") == 0);
	EXPECT(strcmp(utoa(255, text, 16), "ff") == 0);
	EXPECT(div(17, 5).rem == 2 && ldiv(-17, 5).quot == -3);
	EXPECT(a64l(l64a(12345)) == 12345);
	srand(1);
	EXPECT(rand() != rand());
}

static void order(void)
{
	/* newlib's search functions, which are linked from its archive. */
	static int value[] = {5, 3, 9, 1, 7, 2};
	const int wanted = 7;

	qsort(value, sizeof(value) / sizeof(value[0]), sizeof(value[0]), by_value);
	EXPECT(value[0] == 1 && value[5] == 9);
	EXPECT(bsearch(&wanted, value, sizeof(value) / sizeof(value[0]), sizeof(value[0]), by_value) == &value[4]);
}

static void memory(void)
{
	char *copy = strdup("to keep");
	char *more = realloc(copy, 200);
	char *zeros = calloc(10, 10);

	EXPECT(more != NULL && strcmp(more, "to keep") == 0);
	EXPECT(zeros != NULL && memchr(zeros, 1, 100) == NULL);
	free(zeros);
	free(more);
	EXPECT(setenv("BOARD", "small", 1) == 0 && strcmp(getenv("BOARD"), "small") == 0);
}

static void wide(void)
{
	wchar_t text[20];

	EXPECT(mbstowcs(text, "wide", 20) == 4 && wcslen(text) == 4);
	EXPECT(wcscmp(wcscat(text, L"r"), L"wider") == 0);
	EXPECT(wcstol(L"99", NULL, 10) == 99);
}

static void words(void)
{
	char line[] = "one,two;three";
	char *rest;

	EXPECT(strcmp(strtok_r(line, ",;", &rest), "one") == 0 && strcmp(strtok_r(NULL, ",;", &rest), "two") == 0);
	EXPECT(strspn("aab", "a") == 2 && strcspn("xyz", "z") == 2);
	EXPECT(strcasestr("Lean IMAGE", "image") != NULL && strstr("lean", "full") == NULL);
	EXPECT(strrchr("a/b/c", '/') != NULL && strpbrk("key=value", "=") != NULL);
}

void test_library(void)
{
	numbers();
	order();
	memory();
	wide();
	words();
}
