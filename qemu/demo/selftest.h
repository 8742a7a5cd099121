/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest.h - tests of the kernel's parts, by the kernel. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Run the test of that name, or all if @name is NULL. Returns how many failed, or -1 if there is none of that name. */
int selftest_run(const char *name);
/* How many have failed since boot. */
int selftest_failures(void);

/* In a test: say so if @condition does not hold, and go on. */
#define EXPECT(condition) selftest_expect((condition), #condition, __FILE__, __LINE__)
void selftest_expect(bool holds, const char *condition, const char *file, int line);

void test_strings(void);
void test_format(void);
void test_ring(void);
void test_alloc(void);
void test_timer(void);
void test_task(void);
void test_smp(void);
/* In tests/images/kinds. */
void test_kinds(void);
void test_vtables(void);
/* In qemu/newlib. */
void test_newlib(void);
void test_library(void);
/* In qemu/work. */
void test_work(void);

#endif
