/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.h - what a test program on Linux needs without a C library: there is
 * none for 32 bits on most machines, and the tests run in both widths.
 */
#ifndef TESTS_UNIT_HOST_H
#define TESTS_UNIT_HOST_H

#include <bareprof/platform.h>

/* One line: "ok - " or "not ok - ", the parts, and the width of a pointer. */
int check(int good, const char *what, const char *of);
/* The same with a number behind the parts; for notes, use note(). */
void note(const char *what, const char *of, uint64_t number);

/*
 * Memory of @pages pages at @at (NULL: anywhere), with a page behind it that
 * cannot be read; NULL if it cannot be had.
 */
uint8_t *guarded(void *at, unsigned int pages);

/*
 * Another process that calls @work over and over, on memory of @pages pages at *@memory
 * that both see; NULL if it cannot be had. beside_end() ends it.
 */
intptr_t beside(void (*work)(uint8_t *memory), uint8_t **memory, unsigned int pages);
void beside_end(intptr_t process);

int equal(const void *a, const void *b, size_t n);
int all(const void *a, uint8_t byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

/* The test itself; what it returns is the exit status. */
int test(void);

#endif
