/* SPDX-License-Identifier: BSD-2-Clause */
/* sample.h - the sample program of the tests of pseudo probes. It needs no libc. */
#ifndef BAREPROF_TESTS_PROBES_SAMPLE_H
#define BAREPROF_TESTS_PROBES_SAMPLE_H

typedef int operation(int a, int b);

#define OPERATIONS 3
extern operation *const operations[OPERATIONS];

int choose(int kind, int a, int b);
int work(int count);
int weak(int n);
int outside(int n);
int sample(void);
void report(const char *what) __attribute__((cold));
void stop(const char *what) __attribute__((cold, noreturn));

#endif
