/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest.h - the kernel's self tests. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs the test @name, or all tests if @name is NULL. Returns the number of failed tests, or -1 if @name is unknown. */
int selftest_run(const char *name);
/* Returns the number of tests that have failed since boot. */
int selftest_failures(void);

/* For use in tests: prints @condition if it is false, and continues. */
#define EXPECT(condition) selftest_expect((condition), #condition, __FILE__, __LINE__)
void selftest_expect(bool holds, const char *condition, const char *file, int line);

void test_strings(void);
void test_format(void);
void test_ring(void);
void test_alloc(void);
void test_timer(void);
void test_task(void);
void test_smp(void);
/* test_kinds() and test_vtables() are in tests/images/kinds. */
void test_kinds(void);
void test_vtables(void);
/* test_newlib() and test_library() are in qemu/newlib. */
void test_newlib(void);
void test_library(void);
/* test_compress() is in qemu/compress. */
void test_compress(void);
/* test_work() is in qemu/work. */
void test_work(void);

#endif
