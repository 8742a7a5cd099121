/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - compares the times of functions within one run.
 */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

/*
 * Measures the same task with libc, bareprof and compiler-rt, in this order in @run. The task
 * handles @bytes bytes, which belong to a profile of @of bytes. Prints one line: the median time of
 * each, and for bareprof and compiler-rt also the median of the ratio to libc's time in the same
 * round. Returns the median of the ratio of compiler-rt's time to bareprof's time.
 */
double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void));

/* Returns the median time of @run in nanoseconds. */
double alone(void (*run)(void));

#endif
