/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.c - measures functions and prints the medians of their times. The functions run alternately,
 * so that a disturbance of the machine affects all of them.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "race.h"

#define ROUNDS 101

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a - *(const double *)b;

	return (x > 0) - (x < 0);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), order);
	return values[ROUNDS / 2];
}

double race(const char *what, size_t of, size_t bytes, void (*const run[3])(void))
{
	static double factor[ROUNDS];
	static double took[3][ROUNDS];
	static double ratio[3][ROUNDS];

	for (int round = -5; round < ROUNDS; round++) {
		for (int i = 0; i < 3; i++) {
			double start = now();

			run[i]();
			if (round < 0)
				continue;
			took[i][round] = now() - start;
			ratio[i][round] = took[i][round] / took[0][round];
		}
		if (round >= 0)
			factor[round] = took[2][round] / took[1][round];
	}
	printf("%8.2f MB  %-6s libc %9.1f us (%5.1f GB/s)   bareprof %9.1f us, %5.2fx   compiler-rt %9.1f us, %5.2fx\n",
		(double)of / 1e6, what, median(took[0]) / 1e3, (double)bytes / took[0][ROUNDS / 2],
		median(took[1]) / 1e3, median(ratio[1]), median(took[2]) / 1e3, median(ratio[2]));
	return median(factor);
}

double alone(void (*run)(void))
{
	static double took[ROUNDS];

	for (int round = -5; round < ROUNDS; round++) {
		double start = now();

		run();
		if (round >= 0)
			took[round] = now() - start;
	}
	return median(took);
}
