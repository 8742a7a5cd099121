/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h - reads a clock, to measure intervals and timeouts.
 */
#ifndef BAREPROF_HOST_CLOCK_H
#define BAREPROF_HOST_CLOCK_H

/*
 * seconds_now - returns the seconds since a fixed point in the past. The result does not depend on the date and time of
 * the system, which users can change.
 */
double seconds_now(void);

#endif
