/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest.h - the kernel's self tests. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs the test @name, or all tests if @name is NULL. Returns how many failed, or -1 if there is no such test. */
int selftest_run(const char *name);
/* Returns how many tests have failed since boot. */
int selftest_failures(void);

/* Used in tests: prints @condition if it does not hold, and continues. */
#define EXPECT(condition) selftest_expect((condition), #condition, __FILE__, __LINE__)
void selftest_expect(bool holds, const char *condition, const char *file, int line);

void test_strings(void);
void test_format(void);
void test_ring(void);
void test_alloc(void);
void test_timer(void);
void test_task(void);
void test_smp(void);
/* These two are in tests/images/kinds. */
void test_kinds(void);
void test_vtables(void);
/* These two are in qemu/newlib. */
void test_newlib(void);
void test_library(void);
/* This one is in qemu/work. */
void test_work(void);

#endif
