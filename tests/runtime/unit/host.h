/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.h - what a test program on Linux needs if it has no C library. The tests run in both
 * pointer widths, and most machines have no C library for 32 bits.
 */
#ifndef TESTS_UNIT_HOST_H
#define TESTS_UNIT_HOST_H

#include <bareprof/platform.h>

/* Prints a line: "ok - " or "not ok - ", @what, @of, and the width of a pointer. */
int check(int good, const char *what, const char *of);
/* Prints a line that is not a result: @what, @of and @number. */
void note(const char *what, const char *of, uint64_t number);

/*
 * Returns memory of @pages pages at @at (NULL: anywhere), followed by a page that cannot be
 * read; or NULL if it is not available.
 */
uint8_t *guarded(void *at, unsigned int pages);

/*
 * Starts another process that calls @work over and over. It shares @pages pages of memory at
 * *@memory with this one; NULL if they are not available. beside_end() ends the process.
 */
intptr_t beside(void (*work)(uint8_t *memory), uint8_t **memory, unsigned int pages);
void beside_end(intptr_t process);

int equal(const void *a, const void *b, size_t n);
int all(const void *a, uint8_t byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

/* The test itself. Its return value is the exit status. */
int test(void);

#endif
