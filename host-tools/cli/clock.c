/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c - the monotonic clock of the system, in seconds.
 */
#include "clock.h"

#include <time.h>

double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
