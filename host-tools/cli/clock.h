/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h - time that never jumps.
 */
#ifndef BAREPROF_HOST_CLOCK_H
#define BAREPROF_HOST_CLOCK_H

double seconds_now(void);

#endif
