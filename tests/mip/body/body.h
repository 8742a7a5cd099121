/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * body.h - what the parts of a body share. A body is a program of foreign code that the tests and the benchmark of
 * machine profiles compile: Z is the compression code of Linux, N is a part of newlib.
 */
#ifndef BODY_H
#define BODY_H

#include <stddef.h>
#include <stdint.h>

/* Writes all bytes to a file descriptor. Returns 0, or -1 after an error. */
int body_write(int file, const void *data, size_t n);
void body_exit(int status);
/* Writes the line "NAME NUMBER" to standard output, with the number in hexadecimal. The name has at most 40 bytes. */
void body_print(const char *name, unsigned long long number);
/* Ends the program with status 3 if there is no memory. */
void *body_allocate(size_t n);
void body_free_all(void);
/* Returns a checksum (FNV-1a, 64 bits) of the bytes. The first call passes 0 as the sum. */
uint64_t body_checksum(uint64_t sum, const void *data, size_t n);
/* The benchmark counts the instructions of the work between the first two calls, and those up to the third call. */
void body_begin(void);
void body_end(void);
void body_end_of_slow(void);
/* The harness of the body. Returns 0 if all self checks passed. */
int body_main(void);
/* Writes the machine profile to file descriptor 3, if the program has one. Returns 0, or a number for exit(). */
int body_dump(void);

#endif
