/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - compares the times of functions within one run.
 */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

/*
 * Measures a task, which the functions in @run do with libc, with bareprof and with compiler-rt, in this order. @what
 * is the name of the task. @of is the size of the whole profile in bytes, and @bytes is the number of these bytes that
 * the task reads or writes. In each round, all three functions run once. Prints one line with the median time of each
 * function. For bareprof and compiler-rt, the line also has a ratio: the time is divided by libc's time in the same
 * round, and the median of all rounds is printed. Returns the median of another ratio: compiler-rt's time divided by
 * bareprof's time in the same round.
 */
double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void));

/* Returns the median time of @run in nanoseconds. */
double alone(void (*run)(void));

#endif
