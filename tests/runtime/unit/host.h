/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.h - the functions that a test program on Linux needs if it has no C library. The tests run in both pointer
 * widths, and most machines have no C library for 32 bits.
 */
#ifndef TESTS_UNIT_HOST_H
#define TESTS_UNIT_HOST_H

#include <bareprof/platform.h>

/*
 * Reports a test case. Prints a line with "ok - " if @good is not 0, else with "not ok - ". The rest of the line is the
 * width of a pointer, the name @what of the case, and if @of is not NULL, the name @of of the tested image. The
 * result is @good.
 */
int check(int good, const char *what, const char *of);
/*
 * Prints a line with a remark, which is not a result of a test: the text @what, the name @of of the tested image,
 * and @number.
 */
void note(const char *what, const char *of, uint64_t number);

/* Writes @n bytes at @data to standard output. */
void print(const void *data, size_t n);

/*
 * Returns memory of @pages pages at the address @at, or at any address if @at is NULL. The page after the memory
 * cannot be read. Returns NULL if no memory is available.
 */
uint8_t *guarded(void *at, unsigned int pages);

/*
 * Starts another process that calls @work again and again. Both processes share @pages pages of memory at *@memory,
 * which is NULL if no memory is available. beside_end() ends the process.
 */
intptr_t beside(void (*work)(uint8_t *memory), uint8_t **memory, unsigned int pages);
void beside_end(intptr_t process);

/* Returns a random number. Each run of a program gets the same numbers. */
uint32_t random(void);

int equal(const void *a, const void *b, size_t n);
int all(const void *a, uint8_t byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

/* Runs the test. Each test program defines this function. Its return value is the exit status. */
int test(void);

#endif
