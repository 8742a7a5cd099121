/* SPDX-License-Identifier: BSD-2-Clause */
/* yield.h - for the runtime: counts how often it yields. */
extern unsigned int yields;
#define BAREPROF_YIELD() ((void)yields++)
