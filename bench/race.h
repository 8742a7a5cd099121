/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - how long functions take beside each other, in one run.
 */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

/*
 * A line for libc, bareprof and compiler-rt doing the same to @bytes of a profile of @of
 * bytes: medians of times, and of ratios to the first. Returns the median of how many
 * times as long the third took as the second.
 */
double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void));

/* The median of what it takes alone, nanoseconds. */
double alone(void (*run)(void));

#endif
