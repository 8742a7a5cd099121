/* SPDX-License-Identifier: BSD-2-Clause */
/* yield.h - makes the runtime count how often it yields. */
extern unsigned int yields;
#define BAREPROF_YIELD() ((void)yields++)
