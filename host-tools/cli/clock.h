/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h - read a clock, to measure intervals and timeouts.
 */
#ifndef BAREPROF_HOST_CLOCK_H
#define BAREPROF_HOST_CLOCK_H

/*
 * seconds_now - returns the seconds since some point in the past. Setting the system's
 * clock does not change this time.
 */
double seconds_now(void);

#endif
