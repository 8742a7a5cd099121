/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - compares the times of functions within one run.
 */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

/*
 * Measures three functions that do the same task: run[0] with libc, run[1] with bareprof, run[2] with compiler-rt.
 * @what is the name of the task. @of is the size of the whole profile in bytes. @bytes is the number of bytes of this
 * profile that the task reads or writes. In each round, all three functions run once. Prints one line
 * with the median time of each function. For bareprof and compiler-rt, the line also has the median of a ratio: the
 * function's time in a round, divided by libc's time in the same round. Returns the median of another ratio:
 * compiler-rt's time in a round, divided by bareprof's time in the same round.
 */
double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void));

/* Returns the median time of @run in nanoseconds. */
double alone(void (*run)(void));

#endif
