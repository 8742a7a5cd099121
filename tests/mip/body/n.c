/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * n.c - the harness of body N: calls functions of newlib that need neither an operating system nor a locale, checks
 * some of their results, and prints a checksum of what they wrote. This file declares the functions itself, because the
 * headers of newlib and of the host do not match each other.
 */
#include "body.h"

void *memchr(const void *s, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memmem(const void *s, size_t n, const void *what, size_t m);
void *mempcpy(void *to, const void *from, size_t n);
void *memrchr(const void *s, int c, size_t n);
void *memset(void *s, int c, size_t n);
char *stpcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
char *strchr(const char *s, int c);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);
size_t strcspn(const char *s, const char *set);
size_t strlcpy(char *to, const char *from, size_t n);
size_t strlen(const char *s);
char *strncat(char *to, const char *from, size_t n);
int strncmp(const char *a, const char *b, size_t n);
char *strncpy(char *to, const char *from, size_t n);
char *strpbrk(const char *s, const char *set);
char *strrchr(const char *s, int c);
size_t strspn(const char *s, const char *set);
char *strstr(const char *s, const char *what);
char *strtok_r(char *s, const char *set, char **rest);
void swab(const void *from, void *to, long n);
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
int abs(int x);
long labs(long x);

static unsigned int numbers[1000];
static char text[4096], copy[4096];
static uint64_t sum;
static int failed;

static int compare(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void expect(int right)
{
	failed |= !right;
}

static void sort(void)
{
	unsigned int i, state = 1;

	for (i = 0; i < 1000; i++)
		numbers[i] = state = state * 1103515245 + 12345;
	state = numbers[500];
	qsort(numbers, 1000, sizeof(*numbers), compare);
	for (i = 1; i < 1000; i++)
		expect(numbers[i - 1] <= numbers[i]);
	expect(bsearch(&state, numbers, 1000, sizeof(*numbers), compare) != 0);
	sum = body_checksum(sum, numbers, sizeof(numbers));
}

static void strings(void)
{
	char *rest, *word;
	int i, words = 0;

	strcpy(text, "the quick brown fox");
	for (i = 0; i < 50; i++)
		strncat(strcat(text, " jumps over"), " the lazy dog and more", 13);
	expect(strlen(text) == 19 + 50 * 24);
	expect(strstr(text, "lazy") && !strstr(text, "cat"));
	expect(memmem(text, strlen(text), "fox", 3) == text + 16);
	expect(strchr(text, 'q') == text + 4 && strrchr(text, 'q') == text + 4);
	expect(memchr(text, 'z', sizeof(text)) && memrchr(text, 'z', sizeof(text)));
	expect(strspn(text, "eht") == 3 && strcspn(text, " ") == 3 && strpbrk(text, "xyz") == text + 18);
	expect(strlcpy(copy, text, 20) == strlen(text) && !strcmp(copy, "the quick brown fox"));
	expect(strncmp(copy, text, 19) == 0 && strncmp(copy, text, 21) < 0);
	strncpy(copy, text, sizeof(copy));
	expect(!memcmp(copy, text, sizeof(copy)));
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(0, " ", &rest))
		words++;
	expect(words == 4 + 50 * 5);
	expect(stpcpy(copy, "end") == copy + 3 && (char *)mempcpy(copy + 3, "ing", 4) == copy + 7);
	swab(text, copy, 100);
	memset(copy + 50, 'x', 20);
	expect(abs(-3) == 3 && labs(-4) == 4);
	sum = body_checksum(sum, copy, sizeof(copy));
}

int body_main(void)
{
	body_begin();
	sort();
	strings();
	body_end();
	body_end_of_slow();
	body_print("newlib", sum);
	return failed;
}
