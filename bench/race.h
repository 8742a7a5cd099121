/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - compares the times of functions within one run.
 */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

/*
 * Measures libc, bareprof and compiler-rt in the same task, on @bytes bytes of a profile of @of
 * bytes. Prints a line with the median of each time, and with the medians of the ratios of the
 * times to libc's time. Returns the median of the ratios of compiler-rt's time to bareprof's time.
 */
double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void));

/* Returns the median time of @run in nanoseconds. */
double alone(void (*run)(void));

#endif
